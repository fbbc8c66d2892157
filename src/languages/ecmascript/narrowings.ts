/** Locals of which a condition tells more: `if (cart.kind === 'open')`, `cart instanceof Basket`, `isBasket(cart)`, `switch (cart.kind)`. */
import type { FactSink } from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';
import { bracketsOf } from './expected.js';

const CONSTANT = String.raw`(?:(["'])([\w$-]{1,40})\4|[A-Z][\w$]*(?:\.[\w$]+)*?\.([\w$]{1,40}))`;
const COMPARED = new RegExp(
  String.raw`(?<![\w$.]|typeof\s)([A-Za-z_$][\w$]*)\??\.([A-Za-z_$][\w$]*)\s*([!=]==?)\s*${CONSTANT}(?![\w$.(])`,
  'g',
);
const INSTANCE = /(?<![\w$.])([A-Za-z_$][\w$]*)\s+instanceof\s+([A-Za-z_$][\w$]*(?:\.[\w$]+)*)/g;
const ASKED = /(?<![\w$.])((?:is|has)[A-Z][\w$]{0,50})\s*\(\s*([A-Za-z_$][\w$]*)\s*\)/g;

/** UTF-16 units of a condition, and of a block that is looked through for its end. */
const MAX_CONDITION_LENGTH = 1_000;
const MAX_BLOCK_LENGTH = 20_000;
/** Parentheses around a test in its condition. */
const MAX_DEPTH = 3;
const LEAVES = /\b(?:return|throw|continue|break)\b[^;{}]*;?\s*$/;

/** A test of a local: `name` is of that type, or what the path says, where the test at [start, end) is true. */
interface Tested {
  start: number;
  end: number;
  name: string;
  type: string;
  value: string;
  isNegated: boolean;
}

export function narrowings(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(COMPARED)) {
    const [whole, name, key, operator, , text, constant] = match;
    const value = `${name}(${key}=${text ?? constant})`;
    const tested = { start: match.index, end: match.index + whole.length, name, type: '', value };
    narrow(sink, { ...tested, isNegated: operator[0] === '!' });
  }
  for (const match of source.matchAll(INSTANCE)) {
    if (sink.rules.ignoredRoots?.has(match[2]) === true) continue;
    const tested = {
      start: match.index,
      end: match.index + match[0].length,
      name: match[1],
      type: match[2],
      value: '',
    };
    narrow(sink, { ...tested, isNegated: false });
  }
  for (const match of source.matchAll(ASKED)) {
    const value = `${match[2]}(?${match[1]})`;
    const tested = { start: match.index, end: match.index + match[0].length, name: match[2], type: '', value };
    narrow(sink, { ...tested, isNegated: source[match.index - 1] === '!' });
  }
  cases(sink);
}

/** States where the test holds: in the rest of its condition, in the block behind it, or behind a block that is left. */
function narrow(sink: FactSink, tested: Tested): void {
  const { source, rules } = sink;
  let { isNegated } = tested;
  let open = bracketsOf(sink).around(tested.start)?.open ?? -1;
  for (let depth = 0; depth < MAX_DEPTH && source[open] === '('; depth++) {
    const lead = /(?:\b(if|while)|(!)|[(&|])\s*$/.exec(source.slice(Math.max(0, open - 20), open));
    if (lead === null) return;
    if (lead[1] === undefined) {
      if (lead[2] !== undefined) isNegated = !isNegated;
      open = bracketsOf(sink).around(open)?.open ?? -1;
      continue;
    }
    const close = sink.closing(open, open + MAX_CONDITION_LENGTH);
    const condition = source.slice(open + 1, close - 1);
    const body = skipSpace(source, close, source.length, rules.lexical);
    const isBlock = source[body] === '{';
    const end = isBlock ? sink.closing(body, body + MAX_BLOCK_LENGTH) : lineEnd(source, body);
    if (!isNegated) {
      if (!condition.includes('||')) state(sink, tested, tested.end, isBlock ? end - 1 : end);
    } else if (!condition.includes('&&') && LEAVES.test(source.slice(body, isBlock ? end - 1 : end))) {
      const around = bracketsOf(sink).around(open - lead[0].length)?.open ?? -1;
      if (source[around] === '{') state(sink, tested, end, sink.closing(around, around + MAX_BLOCK_LENGTH) - 1);
    }
    return;
  }
}

function state(sink: FactSink, { name, type, value }: Tested, start: number, end: number): void {
  const last = lineBreak(sink.source, end);
  if (start < last) sink.narrowed(start, last, name, type, value);
}

/** The line break behind a bracket; the one before it where something else follows on its line, as in `} else {`. */
function lineBreak(source: string, at: number): number {
  const end = lineEnd(source, at);
  return /^[\s;,)\]}]*$/.test(source.slice(at, end)) ? end : source.lastIndexOf('\n', at);
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end === -1 ? source.length : end;
}

const SWITCH = /\bswitch\s*\(\s*([A-Za-z_$][\w$]*)\??\.([A-Za-z_$][\w$]*)\s*\)\s*\{/g;
const CASE =
  /\b(?:case\s+(?:(["'])([\w$-]{1,40})\1|[A-Z][\w$]*(?:\.[\w$]+)*?\.([\w$]{1,40}))|default|case\b[^:\n]*)\s*:/g;

/** `switch (cart.kind) { case 'open': … }` */
function cases(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(SWITCH)) {
    const open = match.index + match[0].length - 1;
    const close = sink.closing(open, open + MAX_BLOCK_LENGTH);
    const [, name, key] = match;
    let labels: string[] = [];
    let from = -1;
    const finish = (to: number): void => {
      if (from !== -1 && labels.length > 0 && !labels.includes(''))
        state(
          sink,
          { start: from, end: to, name, type: '', value: `${name}(${key}=${labels.join('|')})`, isNegated: false },
          from,
          to,
        );
    };
    for (const label of source.slice(open, close).matchAll(CASE)) {
      const at = open + label.index;
      if (bracketsOf(sink).around(at)?.open !== open) continue;
      // Several labels of one clause.
      if (from === -1 || source.slice(from, at).trim() !== '') {
        finish(at);
        labels = [];
      }
      labels.push(label[2] ?? label[3] ?? '');
      from = at + label[0].length;
    }
    finish(close - 1);
  }
}
