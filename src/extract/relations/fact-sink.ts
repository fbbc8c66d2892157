/**
 * The source that rules read, the sink on which they state facts, and the facts while they are collected: with offsets instead of lines and
 * symbols.
 */
import { firstFrom } from '../../base/lists.js';
import {
  accessPathEndingAt,
  accessPathOf,
  COMPUTED,
  MAX_ACCESS_PATH_LENGTH,
} from '../../languages/roles/access-path.js';
import {
  type Export,
  type ImportedName,
  type ImportKind,
  type Reference,
  type ReferenceKind,
  SIGNATURE,
  type StatedImport,
} from '../../languages/roles/relation-facts.js';
import type {
  AccessPath,
  ArgumentList,
  FactSink,
  ReferenceExtra,
  RelationRules,
} from '../../languages/roles/relations.js';
import { closingOf, scanArguments } from '../../languages/roles/scan.js';

/** Most imports of a file. More occur in generated and minified files; they are of no use and cost memory in every cache. */
const MAX_IMPORTS = 5_000;
const MAX_NAMES = 2_000;
export const MAX_REFERENCES = 20_000;
export const MAX_BINDINGS = 20_000;
const MAX_EXPORTS = 5_000;
const MAX_CLOSURES = 5_000;
const MAX_LITERALS = 50_000;
const MAX_HIDDEN = 1_000;
/** Most references that are collected, before useless ones are dropped. */
const MAX_CANDIDATES = 5 * MAX_REFERENCES;
/** Longest type that is shortened; only the name of a longer one is left. UTF-16 units. */
const MAX_SHORTENED_LENGTH = 4_000;
/** Most UTF-16 units of a string in a record. */
export const MAX_STRING_LENGTH = 200;

export class RelationSink implements FactSink {
  readonly raw: RawRelations = noRawRelations();
  private readonly declarations = new Set<number>();
  private readonly known = new Map<number, { start: number; accessPath: string }>();

  constructor(
    readonly source: string,
    readonly rules: RelationRules,
    /** Ends of brackets, by their start. */
    private readonly brackets: ReadonlyMap<number, number>,
  ) {}

  import(at: number, end: number, kind: ImportKind, specifier: string, names: readonly ImportedName[] = []): void {
    if (this.raw.imports.length >= MAX_IMPORTS || !isString(specifier)) return;
    const valid = names.filter((name) => isString(name.name) && name.alias.length <= MAX_STRING_LENGTH);
    this.raw.imports.push({ at, end, kind, specifier, names: valid.slice(0, MAX_NAMES) });
  }

  export(at: number, name: string, local: string): void {
    if (this.raw.exports.length >= MAX_EXPORTS || !isString(name)) return;
    this.raw.exports.push({ at, name, local: local.length <= MAX_STRING_LENGTH ? local : '' });
  }

  reference(at: number, end: number, kind: ReferenceKind, accessPath: string, extra: ReferenceExtra = {}): void {
    if (this.raw.references.length >= MAX_CANDIDATES || accessPath.length > MAX_ACCESS_PATH_LENGTH) return;
    const dot = accessPath.lastIndexOf('.');
    const name = accessPath.slice(dot + 1);
    const receiver = dot === -1 ? '' : accessPath.slice(0, dot);
    // A receiver whose start is unknown is unknown as a whole.
    const known = receiver.startsWith('?') ? '?' : receiver;
    if (dot === 0 || name === '' || name === '?' || name.endsWith(')') || name.endsWith(']')) return;
    if (name.startsWith(COMPUTED)) return;
    const { args = -1, literal = '', of = '', types } = extra;
    this.raw.references.push({
      at,
      end,
      kind,
      name,
      receiver: known,
      args,
      literal: literal.slice(0, MAX_STRING_LENGTH),
      of,
      types,
    });
  }

  local(at: number, name: string, type: string, value: string, written?: string): void {
    this.bind({ at, place: 'local', name, type, value, of: '', written });
  }

  assigned(at: number, name: string, value: string): void {
    this.bind({ at, place: 'local', name, type: '', value, of: 'assigned' });
  }

  field(at: number, name: string, type: string, value: string, of = ''): void {
    this.bind({ at, place: 'field', name, type, value, of });
  }

  variable(at: number, name: string, type: string, value: string): void {
    this.bind({ at, place: 'variable', name, type, value, of: '' });
  }

  result(at: number, type: string, value: string, inBody = false): void {
    if (type !== '' || value !== '')
      this.bind({ at, place: 'result', name: '()', type, value, of: inBody ? 'body' : '' });
  }

  given(at: number, what: '{}' | '{=}' | '{this}', type: string, value = ''): void {
    if (type !== '' || value !== '') this.bind({ at, place: 'result', name: what, type, value, of: '' });
  }

  bound(at: number, name: string, type: string): void {
    if (type !== '') this.bind({ at, place: 'bound', name: `<${name}>`, type, value: '', of: '' });
  }

  implied(start: number, end: number, accessPath: string): void {
    if (this.raw.implied.length < MAX_CLOSURES && accessPath.length <= MAX_ACCESS_PATH_LENGTH)
      this.raw.implied.push({ start, end, accessPath });
  }

  parameters(at: number, types: readonly string[]): void {
    const all = types.join(',');
    const marks = () => types.map((type) => /(?:\.\.\.)?=?$/.exec(type)?.[0] ?? '').join(',');
    const type = all.length <= MAX_STRING_LENGTH ? all : marks();
    this.bind({ at, place: 'parameter', name: SIGNATURE, type, value: '', of: '' });
  }

  parameter(at: number, index: number, type: string): void {
    if (type !== '') this.bind({ at, place: 'parameter', name: `(${index})`, type, value: '', of: '' });
  }

  literal(start: number, end: number, accessPath: string): void {
    if (this.raw.literals.length < MAX_LITERALS) this.raw.literals.push({ start, end, accessPath });
  }

  alias(at: number, name: string, type: string, value = ''): void {
    this.bind({ at, place: 'alias', name, type, value, of: '' });
  }

  typeParameter(name: string, at = -1, bound = ''): void {
    if (this.raw.typeParameters.size >= MAX_NAMES) return;
    this.raw.typeParameters.add(name);
    if (at >= 0) this.bind({ at, place: 'type-parameter', name: `<${name}>`, type: bound, value: '', of: '' });
  }

  closure(start: number, end: number): void {
    if (this.raw.closures.length < MAX_CLOSURES) this.raw.closures.push({ start, end });
  }

  narrowed(start: number, end: number, name: string, type: string, value = ''): void {
    if (this.raw.narrowings.length < MAX_CLOSURES && isString(name) && isString(type + value))
      this.raw.narrowings.push({ start, end, name, type, value });
  }

  narrowedPath(start: number, end: number, path: string, mark: string): void {
    if (this.raw.pathNarrowings.length < MAX_CLOSURES && path.length + mark.length <= MAX_ACCESS_PATH_LENGTH)
      this.raw.pathNarrowings.push({ start, end, path, mark });
  }

  hidden(start: number, end: number, name: string): void {
    if (this.raw.hidden.length < MAX_HIDDEN && isString(name)) this.raw.hidden.push({ start, end, name });
  }

  declared(at: number): void {
    if (this.declarations.size < MAX_CANDIDATES) this.declarations.add(at);
  }

  /** All stated facts, without uses of names that are declared there. */
  facts(): RawRelations {
    const { raw, declarations } = this;
    if (declarations.size > 0) raw.references = raw.references.filter(({ at }) => !declarations.has(at));
    return raw;
  }

  accessPathBefore(end: number): AccessPath {
    return accessPathEndingAt(this.source, end, this.rules.lexical, this.known);
  }

  accessPath(from: number, to: number): string {
    return accessPathOf(this.source, from, to, this.rules.lexical, this.known);
  }

  remember(end: number, start: number, accessPath: string): void {
    this.known.set(end, { start, accessPath });
  }

  arguments(open: number, close: number): ArgumentList {
    return scanArguments(this.source, open, close, this.rules.lexical, this.brackets);
  }

  closing(open: number, limit: number): number {
    const known = this.brackets.get(open);
    if (known !== undefined) return Math.min(known, limit);
    return closingOf(this.source, open, Math.min(limit, this.source.length), this.rules.lexical, this.brackets);
  }

  private bind(binding: RawBinding): void {
    if (this.raw.bindings.length >= MAX_CANDIDATES || !isString(binding.name)) return;
    const type = binding.type.replace(/\s+/g, ' ').trim();
    binding.type = type.length <= MAX_STRING_LENGTH ? type : withoutArguments(type);
    if (binding.value.length > MAX_ACCESS_PATH_LENGTH || binding.value.startsWith('?')) binding.value = '';
    this.raw.bindings.push(binding);
  }
}

function isString(text: string): boolean {
  return text !== '' && text.length <= MAX_STRING_LENGTH;
}

/** Most levels of type arguments in type arguments that are removed. */
const MAX_NESTED = 8;

/** Shortens a long type. `Slice<…>` is cut to its name, which is enough to find members. A union or a function keeps the names of its parts. */
function withoutArguments(type: string): string {
  let text = type.length > MAX_SHORTENED_LENGTH ? '' : type;
  for (let depth = 0; depth < MAX_NESTED && text.length > MAX_STRING_LENGTH; depth++)
    text = text.replace(/(?<=[\w$])\s*<(?:=>|[^<>=]|=(?!>))*>/g, '');
  if (text.length <= MAX_STRING_LENGTH && /[|&]|=>/.test(text)) return text.trim();
  return /^([\p{L}_$][\p{L}\p{N}_$.]{0,100})\s*</u.exec(type)?.[1] ?? '';
}

interface RawExport extends Pick<Export, 'name' | 'local'> {
  at: number;
}

export interface RawReference extends Pick<Reference, 'kind' | 'name' | 'receiver' | 'args' | 'literal' | 'types'> {
  at: number;
  end: number;
  /** Name of the inheriting type, '' for the one around `at`. */
  of: string;
}

/**
 * Scope that a binding belongs to: `local`, `result` and `parameter` to a function around it, `field` to a type, `alias` to the file,
 * `type-parameter` to the definition whose head it is in, `variable` to the nearer one of a function and a type. `bound` is like `variable`
 * and is never dropped.
 */
type Place = 'local' | 'field' | 'variable' | 'result' | 'parameter' | 'type-parameter' | 'bound' | 'alias';

export interface RawBinding {
  at: number;
  place: Place;
  name: string;
  type: string;
  value: string;
  /**
   * Of a field: name of its type, '' for the one around `at`. Of a result: `body` if the signature does not state it. Of a local:
   * `assigned` if it is declared elsewhere.
   */
  of: string;
  /** Its type as written, where `type` leaves out types that no repository defines. */
  written?: string;
}

export interface RawNarrowing {
  start: number;
  end: number;
  name: string;
  type: string;
  value: string;
}

/** A condition that narrows the value of an access path between two offsets. */
export interface RawPathNarrowing {
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
  /** Offsets of closures: locals bound in one are known only there. */
  closures: { start: number; end: number }[];
  /** Offsets between which a local has that type. */
  narrowings: RawNarrowing[];
  pathNarrowings: RawPathNarrowing[];
  /** Offsets of functions in whose bodies the receiver `accessPath` can be left out. */
  implied: { start: number; end: number; accessPath: string }[];
  /** Offsets of literals with keys, and the value whose members the keys are. */
  literals: { start: number; end: number; accessPath: string }[];
  /** Offsets between which a name is that of a declared type that is no symbol. */
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
    pathNarrowings: [],
    implied: [],
    literals: [],
    hidden: [],
    typeParameters: new Set(),
  };
}

/** Kinds of uses, strongest first: of several at one offset the strongest stays. */
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

/** The place in a file of an offset in a part of it, which is the end of something or not. */
export type Move = (at: number, isEnd?: boolean) => number;

/** Appends `from` to `to`: parts of one file are parsed apart. */
export function append(to: RawRelations, from: RawRelations, move: Move): void {
  const placed = <Fact extends { at: number }>(facts: readonly Fact[]) =>
    facts.map((fact) => ({ ...fact, at: move(fact.at) }));
  const ended = <Fact extends { end: number }>(facts: readonly Fact[]) =>
    facts.map((fact) => ({ ...fact, end: move(fact.end, true) }));
  const ranges = <Fact extends { start: number; end: number }>(facts: readonly Fact[]) =>
    ended(facts).map((fact) => ({ ...fact, start: move(fact.start) }));
  add(to.imports, placed(ended(from.imports)));
  add(to.exports, placed(from.exports));
  add(to.references, placed(ended(from.references)));
  add(to.bindings, placed(from.bindings));
  add(to.closures, ranges(from.closures));
  add(to.narrowings, ranges(from.narrowings));
  add(to.pathNarrowings, ranges(from.pathNarrowings));
  add(to.implied, ranges(from.implied));
  add(to.literals, ranges(from.literals));
  add(to.hidden, ranges(from.hidden));
  for (const name of from.typeParameters) to.typeParameters.add(name);
}

/** Not spread into one call: lists can be longer than a call takes. */
function add<Fact>(to: Fact[], facts: readonly Fact[]): void {
  for (const fact of facts) to.push(fact);
}

/** Is the offset in the statement of an import? `raw.imports` must be sorted by offset. */
export function inImport({ imports }: RawRelations, at: number): boolean {
  const before = imports[firstFrom(imports.length, (i) => imports[i].at <= at) - 1];
  return before !== undefined && at < before.end;
}
