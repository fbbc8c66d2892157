/**
 * Edits of a file that a symbol leaves or enters: of imports, and of the space around definitions. Also the questions about uses and imports
 * on which they depend, and circles that new imports would close. Offsets are in UTF-16 units.
 */
import { lineAt, lineOf, lineStarts } from '../../base/lists.js';
import type { NamePlaces, PlaceOfName } from '../../extract/name-places.js';
import type { Graph } from '../../graph/graph.js';
import type { ImportedName, StatedImport } from '../../languages/roles/relation-facts.js';
import { startOfLine } from '../../search/grep/hits.js';
import type { Edit } from '../../search/grep/rewrite.js';
import type { ReadFile } from './plan.js';

export type Parsed = ReadFile & { found: NamePlaces };

/** The name that a file calls what it imports: `a` of `import a.b`. */
export const localOf = ({ alias }: ImportedName): string => alias.split('.')[0];

/** Lines on which edits begin, counted from 1. */
export function linesEdited({ text, edits }: { text: string; edits: readonly Edit[] }): number[] {
  const lines = lineStarts(text);
  return edits.map(({ start }) => lineAt(lines, start));
}

/**
 * Adds a statement behind the imports at the top of a file, or before the first definition if there are none. `apart`: empty lines between
 * definitions.
 */
export function insertion(
  { text, found }: { text: string; found: NamePlaces },
  statement: string,
  apart: number,
): Edit {
  const definitions = found.tops.filter(([, , kind]) => kind !== 'variable' && kind !== 'constant');
  const first = Math.min(text.length, ...definitions.map(([, , , start]) => start));
  const above = found.imports.filter(({ at, kind }) => {
    return (
      at < first && (at === 0 || text[at - 1] === '\n') && (kind === 'import' || kind === 'type' || kind === 'require')
    );
  });
  if (above.length === 0) {
    const start = startOfLine(text, first);
    return { start, end: start, text: `${statement}${'\n'.repeat(apart + 1)}` };
  }
  const last = Math.max(...above.map(({ end }) => end));
  const stop = text.indexOf('\n', last - 1);
  const at = stop < 0 ? text.length : stop;
  return { start: at, end: at, text: `\n${statement}` };
}

/** An entry of a list of imported names as it is written. */
export function entryText(statement: string, { name, alias }: ImportedName): string {
  const written = name === alias ? name : `${name} as ${alias}`;
  if (/^\w+\s+type\s*\{/.test(statement)) return written;
  const types = [...statement.matchAll(/\btype\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu)];
  return types.some(([, word]) => word === name) ? `type ${written}` : written;
}

/** Does it import all names as they are? */
export const isAll = ({ names }: Pick<StatedImport, 'names'>): boolean =>
  names.some(({ name, alias }) => name === '*' && alias === '');

/** Puts a statement on the line behind another one. */
export function lineBehind(text: string, { at, end }: StatedImport, statement: string): Edit {
  const from = startOfLine(text, at);
  const indent = /^[ \t]*/.exec(text.slice(from, at))?.[0] ?? '';
  const stop = text.indexOf('\n', end - 1);
  const next = stop < 0 ? text.length : stop;
  return { start: next, end: next, text: `\n${indent}${statement}` };
}

const LISTS = [/\{([^{}]*)\}/, /\bimport\s*\(([^()]*)\)/, /\bimport\s+([^(){}"';]*)$/];

/** Longest statement whose list is looked for: the time is quadratic. */
const MAX_STATEMENT = 10_000;

/**
 * Takes names out of the list of an import, or the whole import away if none is left. `gone`: names as the file calls them. Null where that is
 * not possible, such as in a list with comments, or in a statement that is too long.
 */
export function withoutNames(text: string, { at, end, names }: StatedImport, gone: ReadonlySet<string>): Edit | null {
  const statement = text.slice(at, end);
  if (names.every((each) => gone.has(localOf(each)))) return wholeStatement(text, at, end);
  if (statement.length > MAX_STATEMENT) return null;
  const list = LISTS.map((form) => form.exec(statement)).find((each) => each !== null);
  if (list === undefined || list === null || /\/\/|\/\*|#/.test(list[1])) return null;
  const parts = list[1].split(',');
  const isGone = (part: string) =>
    gone.has(
      part
        .trim()
        .split(/\s+as\s+/)
        .at(-1)
        ?.replace(/^type\s+/, '') ?? '',
    );
  const kept = parts.filter((part) => !isGone(part));
  // The list may repeat a word of the statement, so it is looked for from its bracket on, or from the space before it.
  const start = at + list.index + list[0].indexOf(list[1], list[0].search(/[{(]|\s/));
  if (kept.length === parts.length) return null;
  if (kept.every((part) => part.trim() === '')) {
    // Braces behind a main value go with their comma.
    const from = at + statement.slice(0, list.index).search(/,\s*$/);
    return from < at ? null : { start: from, end: at + list.index + list[0].length, text: '' };
  }
  const space = /\s*$/.exec(list[1])?.[0] ?? '';
  const head = /^\s*/.exec(list[1])?.[0] ?? '';
  return { start, end: start + list[1].length, text: `${head}${kept.join(',').trim()}${space}` };
}

function wholeStatement(text: string, at: number, end: number): Edit {
  const from = startOfLine(text, at);
  const stop = text.indexOf('\n', end - 1);
  const to = stop < 0 ? text.length : stop;
  if (text.slice(from, at).trim() !== '' || !/^;?\s*$/.test(text.slice(end, to))) return { start: at, end, text: '' };
  return { start: from, end: Math.min(text.length, to + 1), text: '' };
}

/** The range with its whole lines, if nothing else stands on them, and with an empty line behind it. */
export function wholeLines(text: string, start: number, end: number): Edit {
  // A byte order mark is the file's, and not its first symbol's.
  const top = text.startsWith('\uFEFF') ? 1 : 0;
  const from = Math.max(top, startOfLine(text, start));
  const to = text.indexOf('\n', end);
  const isWhole =
    text.slice(from, start).trim() === '' && /^[;,]?\s*$/.test(text.slice(end, to < 0 ? text.length : to));
  if (!isWhole) return { start, end, text: '' };
  const next = to < 0 ? text.length : to + 1;
  const isApart = from === top || emptyLineBefore(text, from) > 0;
  return { start: from, end: isApart ? next + emptyLineAt(text, next) : next, text: '' };
}

/** Length of the end of the empty line that begins there, in either style; 0 if none does. */
function emptyLineAt(text: string, at: number): number {
  if (text[at] === '\n') return 1;
  return text.startsWith('\r\n', at) ? 2 : 0;
}

/** Does what `emptyLineAt` does, for the line that ends there. */
function emptyLineBefore(text: string, at: number): number {
  return /(?<=\n)\r?\n$/.exec(text.slice(Math.max(0, at - 3), at))?.[0].length ?? 0;
}

/** The range with all empty lines behind it, or at the end of a file with those before it. */
export function withSpace(text: string, edit: Edit): Edit {
  let { start, end } = edit;
  if (start > 1 && emptyLineBefore(text, start) === 0) return edit;
  while (emptyLineAt(text, end) > 0) end += emptyLineAt(text, end);
  if (end === text.length) while (emptyLineBefore(text, start) > 0) start -= emptyLineBefore(text, start);
  return { ...edit, start, end };
}

/** Text behind a name that is assigned there. */
export const ASSIGNED = /^\s*(?:[-+*/|&^%]?=(?![=>])|\+\+|--)/;

export const isIn = (ranges: readonly { start: number; end: number }[], at: number): boolean =>
  ranges.some(({ start, end }) => start <= at && at < end);

/** Does one of these symbols, given by their indexes, stand in no other one? */
export const isTop = ({ found }: Parsed, defines: readonly number[]): boolean =>
  found.tops.some(([index]) => defines.includes(index));

/** First and last line of a statement, counted from 1. */
export const linesOf = (
  { text }: ReadFile,
  { at, end }: Pick<StatedImport, 'at' | 'end'>,
): { from: number; to: number } => {
  return { from: lineOf(text, at), to: lineOf(text, Math.max(at, end - 1)) };
};

/** Is it a use, inside of these ranges, of the name as the top of the file means it? A local of that name hides it. */
export function isUse(place: PlaceOfName, { places }: Parsed, gone: readonly Edit[]): boolean {
  const { in: where, member, label, defines, binds, start, name } = place;
  if (where !== 'code' || member || (label && !place.shorthand) || defines || binds || !isIn(gone, start)) return false;
  return !places.some(
    (other) =>
      other.name === name &&
      other.binds !== undefined &&
      other.binds[0] > 0 &&
      other.binds[0] <= start &&
      start < other.binds[1],
  );
}

/** Makes sorted edits disjoint: one inside of another goes, but what it adds stays behind that, and two at one place become one. */
export function joined(edits: readonly Edit[]): Edit[] {
  const found: Edit[] = [];
  for (const edit of edits) {
    const last = found.at(-1);
    if (last !== undefined && edit.start < last.end) {
      // A statement behind one that goes takes its lines.
      if (edit.start === edit.end) last.text += `${edit.text.replace(/^\n/, '')}\n`;
      continue;
    }
    if (last !== undefined && edit.start === last.start && last.end === last.start)
      found[found.length - 1] = { start: last.start, end: edit.end, text: last.text + edit.text };
    else found.push({ ...edit });
  }
  return found;
}

/** Files that a file imports, once for each import. */
export function importsOf(graph: Graph, file: number): number[] {
  const { nodeBase, edgeBase } = graph.tables;
  const found: number[] = [];
  for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++)
    if (graph.isFileEdge(edge) && graph.target(edge) >= 0) found.push(graph.fileOf(graph.target(edge)));
  return found;
}

/** Files of a new import that closes a circle; null for none. A new file is -1. */
export function circleOf(graph: Graph, fresh: readonly { from: number; to: number }[]): [number, number] | null {
  const after = (file: number): number[] => [
    ...(file < 0 ? [] : importsOf(graph, file)),
    ...fresh.filter(({ from }) => from === file).map(({ to }) => to),
  ];
  for (const { from, to } of fresh) {
    if (from === to || (from >= 0 && importsOf(graph, from).includes(to))) continue;
    const seen = new Set([to]);
    for (const file of seen) for (const next of after(file)) seen.add(next);
    if (seen.has(from)) return [from, to];
  }
  return null;
}

/** Place that gives a name a meaning at the top of a file. */
export const meaningOf = (read: Parsed, name: string): PlaceOfName | undefined =>
  read.places.find(
    ({ name: other, defines, imports, binds, in: where }) =>
      other === name && where === 'code' && ((defines && isTop(read, defines)) || imports || (binds && binds[0] === 0)),
  );

/** Is it a use, or a text that may name it, outside of what goes and of imports? */
export function staysUsed(place: PlaceOfName, { found }: Parsed, gone: readonly Edit[]): boolean {
  const imports = found.imports.map(({ at, end }) => ({ start: at, end }));
  return place.in !== 'comment' && !isIn(gone, place.start) && !isIn(imports, place.start);
}

/** Uses that run while the file is loaded. `heads`: what stands before a definition, and in its first line, runs then, too. */
export const usesAtLoad = ({ places, found, text }: Parsed, heads: boolean): PlaceOfName[] =>
  places.filter((place) => {
    if (place.in !== 'code' || place.imports !== undefined) return false;
    if (heads && /[^\s]/.test(text[startOfLine(text, place.start)])) return true;
    return !found.tops.some(
      ([, , kind, start, end]) =>
        start <= place.start && place.start < end && (kind === 'function' || kind === 'class'),
    );
  });
