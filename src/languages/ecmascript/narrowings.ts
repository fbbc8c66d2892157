/** Values of which a condition tells more: `if (cart.kind === 'open')`, `cart.ok ? …`, `isBasket(cart)`, `cart.isBasket()`, `switch (cart.kind)`. */
import type { FactSink } from '../roles/relations.js';
import { type KnownRange, knownRanges } from './conditions.js';
import { bracketsOf } from './expected.js';

const PATH = String.raw`[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*){0,4}?`;
const CONSTANT = String.raw`(?:(["'])([\w$-]{1,40})\4|(true|false|null|undefined)|[A-Z][\w$]*(?:\.[\w$]+)*?\.([\w$]{1,40}))`;
const COMPARED = new RegExp(
  String.raw`(?<![\w$.]|typeof\s)(${PATH})\??\.([A-Za-z_$][\w$]*)\s*([!=]==?)\s*${CONSTANT}(?![\w$.(])`,
  'g',
);
/** `cart.ok` as a condition: nothing is done with its value but to ask whether it is true. */
const TRUTH = new RegExp(
  String.raw`((?:[(!?:=,]|&&|\|\||\breturn|=>)\s{0,40})(${PATH})\??\.([A-Za-z_$][\w$]*)(?=\s*(?:\)|&&|\|\||\?(?![.?])))`,
  'g',
);
const CONTAINED = new RegExp(String.raw`(["'])([A-Za-z_$][\w$]{0,40})\1\s+in\s+(${PATH})(?![\w$.([])`, 'g');
/** `cart.isBasket()`, where the method says what the object is. */
const ASKED_ITSELF = new RegExp(String.raw`(?<![\w$.])(${PATH})\??\.((?:is|has)[A-Z][\w$]{0,50})\s*\(\s*\)`, 'g');
/** `shop.cart instanceof Basket` */
const MEMBER_INSTANCE =
  /(?<![\w$.])([A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*){1,4})\s+instanceof\s+([A-Z][\w$]{0,58})(?![\w$.])/g;
const INSTANCE = /(?<![\w$.])([A-Za-z_$][\w$]*)\s+instanceof\s+([A-Za-z_$][\w$]*(?:\.[\w$]+)*)/g;
const ASKED = new RegExp(String.raw`(?<![\w$.])((?:is|has)[A-Z][\w$]{0,50})\s*\(\s*(${PATH})\s*\)`, 'g');

export function narrowings(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(COMPARED)) {
    const [whole, path, key, operator, , text, word, constant] = match;
    const value = text ?? word ?? constant;
    // `cart.kind == null` is true of `undefined`, too.
    const values =
      value === 'null' || value === 'undefined' ? (operator.length === 2 ? 'null|undefined' : value) : value;
    tell(sink, match.index, match.index + whole.length, path, (isTrue) =>
      isTrue === (operator[0] === '=') ? `(${key}=${values})` : `(${key}!=${values})`,
    );
  }
  for (const match of source.matchAll(TRUTH)) {
    const [whole, lead, path, key] = match;
    tell(
      sink,
      match.index + lead.length,
      match.index + whole.length,
      path,
      (isTrue) => `(${key}${isTrue ? '' : '!'}=!)`,
    );
  }
  for (const match of source.matchAll(CONTAINED)) {
    const [whole, , key, path] = match;
    tell(sink, match.index, match.index + whole.length, path, (isTrue) => `(${key}${isTrue ? '' : '!'}=*)`);
  }
  for (const match of source.matchAll(ASKED)) {
    const [whole, name, path] = match;
    tell(sink, match.index, match.index + whole.length, path, (isTrue) => (isTrue ? `(?${name})` : ''));
  }
  // Tried at each name of a text, so only where such a method is called.
  if (/\.(?:is|has)[A-Z]/.test(source))
    for (const match of source.matchAll(ASKED_ITSELF)) {
      const [whole, path, name] = match;
      tell(sink, match.index, match.index + whole.length, path, (isTrue) => (isTrue ? `(?#${name})` : ''));
    }
  instances(sink);
  cases(sink);
}

/** States what the test at [start, end) tells of a value, where it is known to be true, and to be false. */
function tell(sink: FactSink, start: number, end: number, path: string, markOf: (isTrue: boolean) => string): void {
  for (const range of knownRanges(sink, start, end)) {
    const mark = markOf(range.isTrue);
    if (mark !== '') sink.told(range.start, range.end, path.replaceAll('?.', '.'), mark);
  }
}

/** `cart instanceof Basket` */
function instances(sink: FactSink): void {
  const { source, rules } = sink;
  // The expression is tried at each name of a text, which costs 30 times as much as to look for the word.
  if (!source.includes('instanceof')) return;
  for (const match of source.matchAll(INSTANCE)) {
    const [whole, name, type] = match;
    if (rules.ignoredRoots?.has(type) === true) continue;
    for (const range of knownRanges(sink, match.index, match.index + whole.length)) holds(sink, range, name, type);
  }
  for (const match of source.matchAll(MEMBER_INSTANCE)) {
    const [whole, path, type] = match;
    if (rules.ignoredRoots?.has(type) === true) continue;
    tell(sink, match.index, match.index + whole.length, path, (isTrue) => (isTrue ? `(?:${type})` : ''));
  }
}

function holds(sink: FactSink, { start, end, isTrue }: KnownRange, name: string, type: string): void {
  const last = lineBreak(sink.source, end);
  if (isTrue && start < last) sink.narrowed(start, last, name, type);
}

/** The line break behind a bracket; the one before it where something else follows on its line, as in `} else {`. */
function lineBreak(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  const last = end === -1 ? source.length : end;
  return /^[\s;,)\]}]*$/.test(source.slice(at, last)) ? last : source.lastIndexOf('\n', at);
}

/** UTF-16 units of a block that is looked through. */
const MAX_BLOCK_LENGTH = 20_000;
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
        sink.told(from, to, path, `(${key}${isRest ? '!' : ''}=${(isRest ? all : labels).join('|')})`);
    };
    for (const label of source.slice(open, close).matchAll(CASE)) {
      const at = open + label.index;
      if (bracketsOf(sink).around(at)?.open !== open) continue;
      // Several labels of one clause.
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
