/**
 * Values that a condition narrows: `if (cart.kind === 'open')`, `isBasket(cart)`, `switch (cart.kind)`. Finds the ranges in which a test is
 * known to be true or false, and the literals that select the part of a union. What is known there is stated as a mark of an access path,
 * which docs/format.md specifies: `(kind=open)`, `(kind!=*)`, `(?isBasket)`.
 */
import { headText } from '../roles/declarations.js';
import type { FactSink } from '../roles/relations.js';
import { findOutside, skipSpace, skipSpaceBack } from '../roles/scan.js';
import { bracketsOf } from './expressions.js';

const PATH = String.raw`[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*){0,4}?`;
const CONSTANT = String.raw`(?:(["'])([\w$-]{1,40})\4|(true|false|null|undefined)|[A-Z][\w$]*(?:\.[\w$]+)*?\.([\w$]{1,40}))`;
const COMPARED = new RegExp(
  String.raw`(?<![\w$.]|typeof\s)(${PATH})\??\.([A-Za-z_$][\w$]*)\s*([!=]==?)\s*${CONSTANT}(?![\w$.(])`,
  'g',
);
/** `cart.ok` as a condition: its value is only tested for truth. */
const TRUTH = new RegExp(
  String.raw`((?:[(!?:=,]|&&|\|\||\breturn|=>)\s{0,40})(${PATH})\??\.([A-Za-z_$][\w$]*)(?=\s*(?:\)|&&|\|\||\?(?![.?])))`,
  'g',
);
const CONTAINED = new RegExp(String.raw`(["'])([A-Za-z_$][\w$]{0,40})\1\s+in\s+(${PATH})(?![\w$.([])`, 'g');
/** `cart.isBasket()`: the method says what the object is. */
const GUARD_METHOD = new RegExp(String.raw`(?<![\w$.])(${PATH})\??\.((?:is|has)[A-Z][\w$]{0,50})\s*\(\s*\)`, 'g');
/** `shop.cart instanceof Basket` */
const MEMBER_INSTANCE =
  /(?<![\w$.])([A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*){1,4})\s+instanceof\s+([A-Z][\w$]{0,58})(?![\w$.])/g;
const INSTANCE = /(?<![\w$.])([A-Za-z_$][\w$]*)\s+instanceof\s+([A-Za-z_$][\w$]*(?:\.[\w$]+)*)/g;
const GUARD = new RegExp(String.raw`(?<![\w$.])((?:is|has)[A-Z][\w$]{0,50})\s*\(\s*(${PATH})\s*\)`, 'g');

export function narrowings(sink: FactSink): void {
  eachTest(sink, COMPARED, comparison);
  eachTest(sink, TRUTH, ([, lead, path, key]) => [path, (isTrue) => `(${key}${isTrue ? '' : '!'}=!)`, lead.length]);
  eachTest(sink, CONTAINED, ([, , key, path]) => [path, (isTrue) => `(${key}${isTrue ? '' : '!'}=*)`]);
  eachTest(sink, GUARD, ([, name, path]) => [path, (isTrue) => (isTrue ? `(?${name})` : '')]);
  // Only in texts with a call of such a method: the expression is tried at each name.
  if (/\.(?:is|has)[A-Z]/.test(sink.source))
    eachTest(sink, GUARD_METHOD, ([, path, name]) => [path, (isTrue) => (isTrue ? `(?#${name})` : '')]);
  instances(sink);
  cases(sink);
}

/** The value that a test is about, its mark where the test is true or false ('' for none), and the length of the text before the test. */
type ReadTest = readonly [path: string, markOf: (isTrue: boolean) => string, lead?: number];

function eachTest(sink: FactSink, form: RegExp, read: (match: RegExpExecArray) => ReadTest): void {
  for (const match of sink.source.matchAll(form)) {
    const [path, markOf, lead = 0] = read(match);
    narrow(sink, match.index + lead, match.index + match[0].length, path, markOf);
  }
}

function comparison([, path, key, operator, , text, word, constant]: RegExpExecArray): ReadTest {
  const value = text ?? word ?? constant;
  // `cart.kind == null` is true of `undefined`, too.
  const isNullish = operator.length === 2 && (value === 'null' || value === 'undefined');
  const values = isNullish ? 'null|undefined' : value;
  return [path, (isTrue) => (isTrue === (operator[0] === '=') ? `(${key}=${values})` : `(${key}!=${values})`)];
}

/** States what the test at [start, end) shows of a value where it is known to be true, and where false. */
function narrow(sink: FactSink, start: number, end: number, path: string, markOf: (isTrue: boolean) => string): void {
  for (const range of knownRanges(sink, start, end)) {
    const mark = markOf(range.isTrue);
    if (mark !== '') sink.narrowedPath(range.start, range.end, path.replaceAll('?.', '.'), mark);
  }
}

/** `cart instanceof Basket` */
function instances(sink: FactSink): void {
  const { source, rules } = sink;
  // The word first: the expression is tried at each name of a text, which costs 30 times as much as to look for the word.
  if (!source.includes('instanceof')) return;
  for (const match of source.matchAll(INSTANCE)) {
    const [whole, name, type] = match;
    if (rules.ignoredRoots?.has(type) === true) continue;
    for (const range of knownRanges(sink, match.index, match.index + whole.length)) holds(sink, range, name, type);
  }
  for (const match of source.matchAll(MEMBER_INSTANCE)) {
    const [whole, path, type] = match;
    if (rules.ignoredRoots?.has(type) === true) continue;
    narrow(sink, match.index, match.index + whole.length, path, (isTrue) => (isTrue ? `(?:${type})` : ''));
  }
}

function holds(sink: FactSink, { start, end, isTrue }: KnownRange, name: string, type: string): void {
  const last = lineBreak(sink.source, end);
  if (isTrue && start < last) sink.narrowed(start, last, name, type);
}

/** The line break behind a bracket, or before it if more follows on its line, as in `} else {`. */
function lineBreak(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  const last = end === -1 ? source.length : end;
  return /^[\s;,)\]}]*$/.test(source.slice(at, last)) ? last : source.lastIndexOf('\n', at);
}

const SWITCH = new RegExp(String.raw`\bswitch\s*\(\s*(${PATH})\??\.([A-Za-z_$][\w$]*)\s*\)\s*\{`, 'g');
const CASE =
  /\b(?:case\s+(?:(["'])([\w$-]{1,40})\1|(true|false|null|undefined)|[A-Z][\w$]*(?:\.[\w$]+)*?\.([\w$]{1,40}))|(default)|case\b[^:\n]*)\s*:/g;

/** `switch (cart.kind) { case 'open': … }` */
function cases(sink: FactSink): void {
  const { source } = sink;
  if (!source.includes('switch')) return;
  for (const match of source.matchAll(SWITCH)) {
    const open = match.index + match[0].length - 1;
    const close = sink.closing(open, open + MAX_BLOCK_LENGTH);
    const path = match[1].replaceAll('?.', '.');
    const key = match[2];
    const all: string[] = [];
    let labels: string[] = [];
    let from = -1;
    const finish = (to: number): void => {
      if (from === -1 || labels.length === 0 || labels.includes('')) return;
      const isRest = labels.includes('default');
      if (!isRest || all.length > 0)
        sink.narrowedPath(from, to, path, `(${key}${isRest ? '!' : ''}=${(isRest ? all : labels).join('|')})`);
    };
    for (const label of source.slice(open, close).matchAll(CASE)) {
      const at = open + label.index;
      if (bracketsOf(sink).around(at)?.open !== open) continue;
      // Several labels belong to one clause.
      if (from === -1 || source.slice(from, at).trim() !== '') {
        finish(at);
        all.push(...labels.filter((text) => text !== ''));
        labels = [];
      }
      labels.push(label[2] ?? label[3] ?? label[4] ?? label[5] ?? '');
      from = at + label[0].length;
    }
    finish(close - 1);
  }
}

/** Offsets between which a test has that result. */
interface KnownRange {
  start: number;
  end: number;
  isTrue: boolean;
}

/** Most operators and parentheses around a test that are looked at. */
const MAX_STEPS = 8;
/** Longest condition, and longest block that is searched for its end. UTF-16 units. */
const MAX_CONDITION_LENGTH = 1_000;
const MAX_BLOCK_LENGTH = 20_000;
const LEAVING = /(?<![\w$.])(?:return|throw|continue|break)(?![\w$:])/g;
/** Most statements that leave a block which are looked at. */
const MAX_LEAVING = 20;

/** An expression, and whether `true`, `false` or both values of it show the result of the test in it. */
interface Expression {
  start: number;
  end: number;
  isNegated: boolean;
  isImpliedByTrue: boolean;
  isImpliedByFalse: boolean;
}

/** Ranges in which the test at [start, end) is known. */
function knownRanges(sink: FactSink, start: number, end: number): KnownRange[] {
  const found: KnownRange[] = [];
  let whole: Expression | null = { start, end, isNegated: false, isImpliedByTrue: true, isImpliedByFalse: true };
  for (let step = 0; whole !== null && step < MAX_STEPS; step++) whole = widened(sink, whole, found);
  return found.filter((range) => range.start < range.end);
}

/** The next larger expression around; null if none shows more. Adds the ranges that become known. */
function widened(sink: FactSink, whole: Expression, found: KnownRange[]): Expression | null {
  const { source, rules } = sink;
  const before = skipSpaceBack(source, whole.start, 0, rules.lexical);
  const after = skipSpace(source, whole.end, source.length, rules.lexical);
  const lead = source[before - 1];
  if (lead === '!') return { ...negated(whole), start: before - 1 };
  const joined = joinAt(source, after) || joinAt(source, before - 2);
  if (joined !== '') return inChain(sink, whole, joined, joinAt(source, after) === '' ? -1 : after + 2, found);
  if (source[after] === '?' && !'.?'.includes(source[after + 1] ?? '')) {
    alternatives(sink, whole, after, found);
    return null;
  }
  if (lead !== '(' || source[after] !== ')') return null;
  const word = /(?:\b(if|while)|([\w$)\]>]))\s*$/.exec(source.slice(Math.max(0, before - 20), before - 1));
  if (word === null) return { ...whole, start: before - 1, end: after + 1 };
  if (word[1] === undefined) return null;
  statement(sink, whole, before - 1 - word[0].length, after + 1, word[1] === 'if', found);
  return null;
}

function negated({ isImpliedByTrue, isImpliedByFalse, ...rest }: Expression): Expression {
  return { ...rest, isNegated: !rest.isNegated, isImpliedByTrue: isImpliedByFalse, isImpliedByFalse: isImpliedByTrue };
}

/** `&&` or `||` at an offset, '' for other text. */
function joinAt(source: string, at: number): string {
  const two = source.slice(at, at + 2);
  return two === '&&' || two === '||' ? two : '';
}

/** In `a && b`, a test in `a` is true in `b`, and wherever the whole is true. */
function inChain(
  sink: FactSink,
  whole: Expression,
  join: string,
  next: number,
  found: KnownRange[],
): Expression | null {
  const { source } = sink;
  const around = bracketsOf(sink).around(whole.start)?.open ?? -1;
  const limit = Math.min(source.length, whole.start + MAX_CONDITION_LENGTH);
  const close = around === -1 ? limit : Math.min(limit, sink.closing(around, around + MAX_BLOCK_LENGTH) - 1);
  const end = chainEnd(sink, whole.end, close, join);
  const isAnd = join === '&&';
  if (next !== -1) add(found, whole, next, end, isAnd);
  const start = around === -1 ? whole.start : chainStart(sink, whole.start, around + 1);
  if (start === whole.start && end === whole.end) return null;
  return {
    ...whole,
    start,
    end,
    isImpliedByTrue: whole.isImpliedByTrue && isAnd,
    isImpliedByFalse: whole.isImpliedByFalse && !isAnd,
  };
}

/** The end of a chain of `&&` or `||`; a `||` also ends a chain of `&&`. */
function chainEnd(sink: FactSink, from: number, to: number, join: string): number {
  const { source, rules } = sink;
  for (let at = from; at < to; at++) {
    at = findOutside(source, at, to, join === '&&' ? '|?:;,' : '?:;,', rules.lexical);
    if (source[at] === '|' && source[at + 1] !== '|') continue;
    if (source[at] === '?' && source[at + 1] === '.') continue;
    if (source[at] === '?' && source[at + 1] === '?') {
      at++;
      continue;
    }
    return skipSpaceBack(source, at, from, rules.lexical);
  }
  return skipSpaceBack(source, to, from, rules.lexical);
}

/** The start of the condition in brackets that open before `from`; operators before the test do not matter. */
function chainStart({ source, rules }: FactSink, at: number, from: number): number {
  if (source[from - 1] === '(') return skipSpace(source, from, at, rules.lexical);
  return at;
}

/** Adds the range in which the whole is true, or false. */
function add(found: KnownRange[], whole: Expression, start: number, end: number, isTrue: boolean): void {
  if (isTrue ? whole.isImpliedByTrue : whole.isImpliedByFalse)
    found.push({ start, end, isTrue: isTrue !== whole.isNegated });
}

/** `whole ? a : b` */
function alternatives(sink: FactSink, whole: Expression, question: number, found: KnownRange[]): void {
  const { source, rules } = sink;
  const limit = Math.min(source.length, question + MAX_BLOCK_LENGTH);
  let colon = question + 1;
  for (let depth = 1; colon < limit && depth > 0; colon++) {
    colon = findOutside(source, colon, limit, '?:;', rules.lexical);
    if (source[colon] === '?' && '.?'.includes(source[colon + 1] ?? '')) colon++;
    else if (source[colon] === '?') depth++;
    else if (source[colon] === ':') depth--;
    else return;
  }
  if (source[colon - 1] !== ':') return;
  add(found, whole, question + 1, colon - 1, true);
  add(found, whole, colon, findOutside(source, colon, limit, ',;:)]}', rules.lexical), false);
}

/** `if (…) …`, given the offset of the word and the one behind the condition. */
function statement(
  sink: FactSink,
  whole: Expression,
  word: number,
  close: number,
  isIf: boolean,
  found: KnownRange[],
): void {
  const { source, rules } = sink;
  const [body, end] = bodyAt(sink, close);
  add(found, whole, body, end, true);
  if (!isIf) return;
  let last = end;
  const other = skipSpace(source, end, source.length, rules.lexical);
  const hasElse = source.startsWith('else', other) && !/[\w$]/.test(source[other + 4] ?? '');
  let elseLeaves = false;
  if (hasElse) {
    const [start, stop] = bodyAt(sink, other + 4);
    last = source.startsWith('if', start) ? elseEnd(sink, start) : stop;
    add(found, whole, other + 4, last, false);
    elseLeaves = !source.startsWith('if', start) && leaves(sink, start, last);
  }
  const bodyLeaves = leaves(sink, body, end);
  if (bodyLeaves === elseLeaves) return;
  const around = bracketsOf(sink).around(word)?.open ?? -1;
  if (source[around] !== '{' || isBareBody(sink, word)) return;
  add(found, whole, last, sink.closing(around, around + MAX_BLOCK_LENGTH) - 1, elseLeaves);
}

/** Is the statement at `at` the body of another one without braces? */
function isBareBody({ source, rules }: FactSink, at: number): boolean {
  const before = skipSpaceBack(source, at, 0, rules.lexical);
  return source[before - 1] === ')' || /\belse$/.test(source.slice(Math.max(0, before - 5), before));
}

/** The block behind a condition, or the single statement in its place. */
function bodyAt(sink: FactSink, from: number): [start: number, end: number] {
  const { source, rules } = sink;
  const start = skipSpace(source, from, source.length, rules.lexical);
  const limit = Math.min(source.length, start + MAX_BLOCK_LENGTH);
  if (source[start] === '{') return [start, sink.closing(start, limit)];
  const end = findOutside(source, start, limit, ';\n}', rules.lexical);
  return [start, source[end] === ';' ? end + 1 : end];
}

/** The end of a chain of `else if (…) … else …` from its first `if` on. */
function elseEnd(sink: FactSink, from: number): number {
  const { source, rules } = sink;
  let at = from;
  for (let step = 0; step < MAX_STEPS && source.startsWith('if', at); step++) {
    const open = skipSpace(source, at + 2, source.length, rules.lexical);
    if (source[open] !== '(') return at;
    const [, end] = bodyAt(sink, sink.closing(open, open + MAX_CONDITION_LENGTH));
    const other = skipSpace(source, end, source.length, rules.lexical);
    if (!source.startsWith('else', other)) return end;
    at = skipSpace(source, other + 4, source.length, rules.lexical);
    if (!source.startsWith('if', at)) return bodyAt(sink, at)[1];
  }
  return at;
}

/** Does control never run from the body to the code behind it? */
function leaves(sink: FactSink, start: number, end: number): boolean {
  const { source, rules } = sink;
  const isBlock = source[start] === '{';
  const stop = isBlock ? end - 1 : end;
  const text = source.slice(start, stop);
  const words = [...text.matchAll(LEAVING)].slice(-MAX_LEAVING).reverse();
  for (const { index } of words) {
    const at = start + index;
    if (!isBlock) return index === 0;
    if (bracketsOf(sink).around(at)?.open !== start) continue;
    const rest = findOutside(source, at, stop, ';', rules.lexical);
    return !isBareBody(sink, at) && source.slice(rest + 1, stop).trim() === '';
  }
  return false;
}

/** `kind: 'open'` and `kind: Kind.Open`, with the key, the text and the name of the constant. */
const TELLING_KEY =
  /[{,]\s*(?:\/\/[^\n]*\s*)?([A-Za-z_$][\w$]*)\s*:\s*(?:(["'])([\w$-]{1,40})\2|[A-Z][\w$]*(?:\.[\w$]+)*?\.([\w$]{1,40}))\s*(?:as\s+const\s*)?(?=[,}])/g;
/** Most UTF-16 units of a literal that are read: the property that selects its kind stands at the beginning. */
const MAX_LITERAL_LENGTH = 600;
/** Most properties of one literal that count: one for the kind, a second one for a kind of that kind. */
const MAX_DISCRIMINANTS = 2;

/** Marks of an access path for the properties of the object literal [start, end) that select its kind. */
export function narrowedByLiteral(sink: FactSink, start: number, end: number): string {
  const text = headText(sink.source, start, end, MAX_LITERAL_LENGTH);
  if (!text.includes(':')) return '';
  let marks = '';
  let count = 0;
  for (const match of text.matchAll(TELLING_KEY)) {
    if (bracketsOf(sink).around(start + match.index + 1)?.open !== start) continue;
    marks += `(${match[1]}=${match[3] ?? match[4]})`;
    if (++count === MAX_DISCRIMINANTS) break;
  }
  return marks;
}
