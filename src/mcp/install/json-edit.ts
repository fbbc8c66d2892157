/**
 * A member put into a JSON object, or taken out, by touching nothing else. `jsonc-parser` says where everything stands;
 * its own `modify` formats the lines around its change, all of a file that is one line, and moves comments at their ends.
 */
import jsonc, { type Node } from 'jsonc-parser';

export interface Style {
  eol: string;
  /** What one level is indented with. */
  unit: string;
}

/** The scanner's kinds, which `jsonc-parser` declares in a way that modules compiled one by one cannot use. */
const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, blank: 15, end: 17 } as const;

interface Insertion {
  at: number;
  text: string;
}

/** The indentation of the first member that has a line of its own. */
export function styleOf(text: string, root: Node | undefined, eol: string): Style {
  const first = root?.children?.[0];
  const indent = first === undefined ? '' : lineIndent(text, first.offset);
  return { eol, unit: indent === '' ? '  ' : indent };
}

export function insertMember(text: string, object: Node, key: string, value: unknown, style: Style): string {
  const last = object.children?.at(-1);
  return last === undefined
    ? insertFirst(text, object, key, value, style)
    : insertAfter(text, object, last, { key, value }, style);
}

function insertFirst(text: string, object: Node, key: string, value: unknown, style: Style): string {
  const { end } = trailing(text, object.offset + 1, closing(object), false);
  const outer = lineIndent(text, object.offset);
  const body = style.eol + member(key, value, outer + style.unit, style);
  const ends = text.slice(end, closing(object)).includes('\n');
  return insert(text, [{ at: end, text: ends ? body : `${body}${style.eol}${outer}` }]);
}

function insertAfter(
  text: string,
  object: Node,
  last: Node,
  { key, value }: { key: string; value: unknown },
  style: Style,
): string {
  const lastEnd = last.offset + last.length;
  const { comma, end } = trailing(text, lastEnd, closing(object), true);
  const oneLine = !text.slice(object.offset, last.offset).includes('\n');
  if (oneLine) {
    const body = `${JSON.stringify(key)}: ${inline(value)}`;
    if (comma === null) return insert(text, [{ at: lastEnd, text: `, ${body}` }]);
    return insert(text, [{ at: comma + 1, text: ` ${body},` }]);
  }
  const body = style.eol + member(key, value, lineIndent(text, last.offset), style);
  if (comma !== null) return insert(text, [{ at: end, text: `${body},` }]);
  return insert(text, [
    { at: lastEnd, text: ',' },
    { at: end, text: body },
  ]);
}

/** What is left between the braces of an object that gets empty: what `insertMember` leaves there, all, or nothing but comments. */
export type Rest = 'inserted' | 'all' | 'nothing';

export function removeMember(text: string, object: Node, property: Node, rest: Rest, style: Style): string {
  const members = object.children ?? [];
  const before = members[members.indexOf(property) - 1];
  const end = property.offset + property.length;
  const cut: [number, number] = [blankBefore(text, property.offset), end];
  const { comma } = trailing(text, end, closing(object), true);
  if (members.length > 1) {
    if (comma !== null) return cutOut(text, [cut, [comma, comma + 1]]);
    const earlier = before && trailing(text, before.offset + before.length, property.offset, true).comma;
    return cutOut(text, typeof earlier === 'number' ? [[earlier, earlier + 1], cut] : [cut]);
  }
  const added = style.eol + lineIndent(text, object.offset);
  if (rest === 'inserted' && text.startsWith(added, end)) cut[1] += added.length;
  const without = cutOut(text, comma === null ? [cut] : [cut, [comma, comma + 1]]);
  const closes = closing(object) - (text.length - without.length);
  const blank = without.slice(object.offset + 1, closes).trim() === '';
  return rest === 'nothing' && blank ? without.slice(0, object.offset + 1) + without.slice(closes) : without;
}

function cutOut(text: string, cuts: readonly [from: number, to: number][]): string {
  return cuts.reduceRight((left, [from, to]) => left.slice(0, from) + left.slice(to), text);
}

/** A value as we write it, its first line where the key is. */
export function format(value: unknown, indent: string, { eol, unit }: Style): string {
  if (Array.isArray(value)) return inline(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = indent + unit;
  const members = Object.entries(value).map(([key, inner]) => member(key, inner, deeper, { eol, unit }));
  return members.length === 0 ? '{}' : `{${eol}${members.join(`,${eol}`)}${eol}${indent}}`;
}

function member(key: string, value: unknown, indent: string, style: Style): string {
  return `${indent}${JSON.stringify(key)}: ${format(value, indent, style)}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${inline(inner)}`);
  return `{ ${members.join(', ')} }`;
}

const closing = (object: Node): number => object.offset + object.length - 1;

function insert(text: string, insertions: readonly Insertion[]): string {
  return insertions.reduceRight((rest, { at, text: added }) => rest.slice(0, at) + added + rest.slice(at), text);
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Where the blanks before `offset` begin, the line break above included. */
function blankBefore(text: string, offset: number): number {
  let at = offset;
  while (/[ \t]/.test(text[at - 1] ?? '')) at--;
  if (text[at - 1] !== '\n') return at;
  return text[at - 2] === '\r' ? at - 2 : at - 1;
}

/**
 * What follows at `from`: its comma, wherever it stands before `limit`, and where the comments end that belong to it:
 * those of its line or its comma's, or with `line` false all of them.
 */
function trailing(text: string, from: number, limit: number, line: boolean): { comma: number | null; end: number } {
  const scanner = jsonc.createScanner(text.slice(from, limit), false);
  let [comma, end, open]: [number | null, number, boolean] = [null, from, true];
  for (let kind: number = scanner.scan(); kind !== TOKEN.end; kind = scanner.scan()) {
    const after = from + scanner.getTokenOffset() + scanner.getTokenLength();
    if (kind === TOKEN.comma && comma === null) {
      comma = after - 1;
      [end, open] = [after, true];
    } else if (kind === TOKEN.lineComment || kind === TOKEN.blockComment) {
      if (open) end = after;
    } else if (kind === TOKEN.lineBreak) {
      if (line) open = false;
    } else if (kind !== TOKEN.blank) break;
  }
  return { comma, end };
}
