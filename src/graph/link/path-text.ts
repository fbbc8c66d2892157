/** Parses the text of an access path (see `languages/roles/access-path.ts`) into segments with marks. */
import type { GivenMark } from './calls.js';

export interface Segment {
  name: string;
  marks: readonly Mark[];
}

/**
 * Mark after a name:
 * - `cart()` a call, `cart[]` an index, `open(0)` the first parameter of `open`
 * - `get(Cart)` a call with a class, `get(<Cart>)` with a type; `open(:Cart)(0)` a parameter of `open<Cart>`
 * - `{}`, `{1}`, `{=}`, `{:}` a value that a call hands to its callback
 */
export type Mark = '()' | '[]' | number | { given: string } | { typed: string } | GivenMark | Narrowing;

/**
 * Mark that narrows a value:
 * - `cart(kind=open|paid)`, `cart(kind!=open)` a property by its value; `*` is any value, `!` any that counts as true
 * - `cart(?isOpen)` a function that is true for it, `cart(?#isOpen)` a method; `cart(?:Basket)` an instance of a class
 * - `make(=cart)` a call whose result is assigned to `cart`
 */
export type Narrowing =
  | { key: string; among: readonly string[]; isLeftOut: boolean }
  | { guard: string }
  | { wanted: string };

export interface AccessPath {
  /** True if the text begins with `new`. */
  makes: boolean;
  segments: readonly Segment[];
}

/** Maximum number of segments. Texts have at most 200 UTF-16 units, and real expressions far fewer segments. */
const MAX_SEGMENTS = 40;
const SEGMENT =
  /^([^\s()[\]{}?]+)((?:\((?:[\w$]{0,40}|<[\w$:]{1,60}(?:\[\])?>|=|:[\w$]{1,60}(?:\[\])?|\?[#:]?[\w$]{1,60}|[\w$]{1,40}!?=(?:[\w$|-]{1,120}|[*!]))\)|\[\]|\{[=:1]?\})*)$/;

/** Maximum number of remembered results. Few texts occur very often, so remembering saves most of the parsing. */
const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, AccessPath | null>();

/** Returns null for text that cannot be evaluated. */
export function parseAccessPath(text: string): AccessPath | null {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const parsed = parse(text);
  remembered.set(text, parsed);
  return parsed;
}

function parse(text: string): AccessPath | null {
  const makes = text.startsWith('new ');
  const wanted: string[] = [];
  // The target of a result can have marks of its own: `make(=open(0))`.
  const flat = text.includes('(=') ? withoutWanted(text, wanted) : text;
  const texts = (makes ? flat.slice(4) : flat).split('.');
  if (texts.length > MAX_SEGMENTS) return null;
  const segments: Segment[] = [];
  for (const part of texts) {
    const match = SEGMENT.exec(part);
    if (match === null) return null;
    const marks = (match[2].match(/\([^)]*\)|\[\]|\{[=:1]?\}/g) ?? []).map((mark) =>
      mark === '(=)' ? { wanted: wanted.shift() ?? '' } : markOf(mark),
    );
    segments.push({ name: match[1], marks });
  }
  return { makes, segments };
}

/** Moves what results are assigned to into `wanted`, and leaves `(=)` in the text. */
function withoutWanted(text: string, wanted: string[]): string {
  let flat = '';
  let from = 0;
  for (let at = text.indexOf('(='); at !== -1; at = text.indexOf('(=', from)) {
    let depth = 0;
    let end = at;
    do {
      if (text[end] === '(') depth++;
      else if (text[end] === ')') depth--;
      end++;
    } while (depth > 0 && end < text.length);
    wanted.push(text.slice(at + 2, end - 1));
    flat += `${text.slice(from, at)}(=)`;
    from = end;
  }
  return flat + text.slice(from);
}

function markOf(text: string): Mark {
  if (text[0] !== '(' || text === '()') return text as Mark;
  const inside = text.slice(1, -1);
  if (/^\d+$/.test(inside)) return Number(inside);
  const equals = inside.indexOf('=');
  if (inside[0] === '?') return { guard: inside.slice(1) };
  if (inside[0] === ':') return { typed: `<${inside.slice(1)}>` };
  return equals === -1 ? { given: inside } : propertyOf(inside, equals);
}

/** `kind=open|paid`, and `kind!=open` for all other values. */
function propertyOf(text: string, equals: number): Mark {
  const isLeftOut = text[equals - 1] === '!';
  return { key: text.slice(0, isLeftOut ? equals - 1 : equals), among: text.slice(equals + 1).split('|'), isLeftOut };
}

export function isCall(mark: Mark | undefined): boolean {
  return mark === '()' || (typeof mark === 'object' && 'given' in mark);
}

export function isNarrowing(mark: Mark | undefined): mark is Narrowing {
  return typeof mark === 'object' && !('given' in mark) && !('typed' in mark);
}

/** `open(0)(kind=cart)` without the last marks. */
export function withoutNarrowing(receiver: string): string {
  return receiver.replace(/(?:\([\w$]+!?=[\w$|*!-]+\))+$/, '');
}

export function isCalled(mark: Mark | undefined): boolean {
  return isCall(mark) || (typeof mark === 'object' && ('wanted' in mark || 'typed' in mark));
}

/** Does the path lead through a callback's parameter? Code outside of the repository can hand a type of the repository to it. */
export function isGiven(segments: readonly Segment[]): boolean {
  return segments.some(({ marks }) => marks.includes('{}') || marks.includes('{=}'));
}

export function isGivenMark(mark: Mark | undefined): mark is GivenMark {
  return mark === '{}' || mark === '{1}' || mark === '{=}' || mark === '{:}';
}

/** Does a function give the value, not a type that is made? Then its type is not known. */
export const outsideCall = (segments: readonly Segment[]): boolean =>
  segments.some(({ name, marks }) => isCalled(marks[0]) && !/^\p{Lu}/u.test(name));
