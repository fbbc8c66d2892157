/** Facts while they are being collected: offsets instead of lines and symbols. */
import type { Export, Reference, ReferenceKind, StatedImport } from '../../languages/roles/relation-facts.js';

interface RawExport extends Pick<Export, 'name' | 'local'> {
  at: number;
}

export interface RawReference extends Pick<Reference, 'kind' | 'name' | 'receiver' | 'args' | 'literal'> {
  at: number;
  end: number;
  /** Name of the inheriting type, '' for the one around `at`. */
  of: string;
}

/**
 * Scope that a binding belongs to: `local`, `result` and `parameter` to a function around it, `field` to a type, `alias` to the file;
 * `type-parameter` to the definition whose head it is in; `variable` to whatever is nearer, a function or a type; `bound` too,
 * and is always kept.
 */
type Place = 'local' | 'field' | 'variable' | 'result' | 'parameter' | 'type-parameter' | 'bound' | 'alias';

export interface RawBinding {
  at: number;
  place: Place;
  name: string;
  type: string;
  value: string;
  /** Name of the field's type, '' for the one around `at`; `body` of a result that isn't stated in the signature; `assigned` of a local that is declared elsewhere. */
  of: string;
}

export interface RawNarrowing {
  start: number;
  end: number;
  name: string;
  type: string;
  value: string;
}

/** Between two offsets a condition tells more of the value of an access path. */
export interface RawTold {
  start: number;
  end: number;
  path: string;
  mark: string;
}

/** Facts of one parsed text. Offsets are UTF-16 units. */
export interface RawRelations {
  imports: StatedImport[];
  exports: RawExport[];
  references: RawReference[];
  bindings: RawBinding[];
  /** Offsets of closures: locals bound there are known there only. */
  closures: { start: number; end: number }[];
  /** Offsets between which a local has that type. */
  narrowings: RawNarrowing[];
  told: RawTold[];
  /** Offsets of functions whose bodies can leave out a receiver. */
  implied: { start: number; end: number; accessPath: string }[];
  /** Offsets of literals with keys, and the value whose members those are. */
  literals: { start: number; end: number; accessPath: string }[];
  /** Offsets between which a type of that name is declared that is no symbol. */
  hidden: { start: number; end: number; name: string }[];
  typeParameters: Set<string>;
}

export function noRawRelations(): RawRelations {
  return {
    imports: [],
    exports: [],
    references: [],
    bindings: [],
    closures: [],
    narrowings: [],
    told: [],
    implied: [],
    literals: [],
    hidden: [],
    typeParameters: new Set(),
  };
}

/** Order of uses at one offset: the earliest in this list stays. */
const STRENGTH: readonly ReferenceKind[] = [
  'write',
  'new',
  'call',
  'decorator',
  'extends',
  'implements',
  'type',
  'value',
  'read',
];
export const strengthOf: ReadonlyMap<ReferenceKind, number> = new Map(STRENGTH.map((kind, index) => [kind, index]));

/** `from` behind `to`, moved by `by`: parts of one file that were parsed apart. */
export function append(to: RawRelations, from: RawRelations, by: number): void {
  for (const fact of from.imports) to.imports.push({ ...fact, at: fact.at + by, end: fact.end + by });
  for (const fact of from.exports) to.exports.push({ ...fact, at: fact.at + by });
  for (const fact of from.references) to.references.push({ ...fact, at: fact.at + by, end: fact.end + by });
  for (const fact of from.bindings) to.bindings.push({ ...fact, at: fact.at + by });
  for (const { start, end } of from.closures) to.closures.push({ start: start + by, end: end + by });
  for (const each of from.narrowings) to.narrowings.push({ ...each, start: each.start + by, end: each.end + by });
  for (const each of from.told) to.told.push({ ...each, start: each.start + by, end: each.end + by });
  for (const { start, end, accessPath } of from.implied)
    to.implied.push({ start: start + by, end: end + by, accessPath });
  for (const { start, end, accessPath } of from.literals)
    to.literals.push({ start: start + by, end: end + by, accessPath });
  for (const { start, end, name } of from.hidden) to.hidden.push({ start: start + by, end: end + by, name });
  for (const name of from.typeParameters) to.typeParameters.add(name);
}

/** Is the offset in the statement of an import? `raw.imports` must be sorted by offset. */
export function inImport({ imports }: RawRelations, at: number): boolean {
  let low = 0;
  let high = imports.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (imports[middle].at <= at) low = middle + 1;
    else high = middle;
  }
  const before = imports[low - 1];
  return before !== undefined && at < before.end;
}
