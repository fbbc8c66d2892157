/** What ECMAScript's text says without its tree: assignments to `this`, loops, catches, arrows with a single parameter. */

import type { Reading } from '../roles/relations.js';
import { isNameCode, isSpace } from '../roles/scan.js';
import { handedOver } from './callbacks.js';
import { patternNames } from './patterns.js';

/** An expression that is followed ends within this many UTF-16 units. */
const LONGEST_EXPRESSION = 2_000;
/** The head of a loop up to its `of`. */
const LONGEST_PATTERN = 300;

export function wholeText(reading: Reading): void {
  assignments(reading);
  loops(reading);
  shadows(reading);
  laterAssignments(reading);
  bareNew(reading);
  inherited(reading);
}

const ASSIGNED = /(?<![\w$.])this\.([\w$]+)\s*=(?![=>])\s*/g;

/** `this.x = new Y()`. */
function assignments(reading: Reading): void {
  const { source } = reading;
  for (const match of source.matchAll(ASSIGNED)) {
    const at = match.index + match[0].length;
    const value = reading.chain(at, expressionEnd(reading, at));
    if (value !== '') reading.field(match.index + 5, match[1], '', value);
  }
}

/** Where an expression that starts at `from` ends if it is a chain (names, joins, brackets), else `from`. */
export function expressionEnd(reading: Reading, from: number): number {
  const { source } = reading;
  const limit = Math.min(source.length, from + LONGEST_EXPRESSION);
  let at = from;
  for (const word of ['await ', 'new ']) if (source.startsWith(word, at)) at += word.length;
  while (at < limit) {
    const code = source.charCodeAt(at);
    if (code === 40 || code === 91) at = reading.closing(at, limit);
    else if (isNameCode(code, '$#') || code === 46 || (code === 63 && source[at + 1] === '.') || code === 33) at++;
    else if (isSpace(code)) {
      // Only a chain that goes on in the next line goes on.
      const next = /\s+(?=\??\.[\w$])/y;
      next.lastIndex = at;
      const match = next.exec(source);
      if (match === null) return endsAfter(source, at, limit) ? at : from;
      at += match[0].length;
    } else return ENDS.includes(source[at]) ? at : from;
  }
  return at;
}

/** Behind white space: a new line starts something new, a cast changes nothing. */
function endsAfter(source: string, at: number, limit: number): boolean {
  const next = /\s*?(?:\n|$|[;,)}\]]|(?:as|satisfies|of)\b|\/\/|\/\*)/y;
  next.lastIndex = at;
  return next.test(source.slice(0, limit));
}

/** What may follow an expression that is a chain as a whole. */
const ENDS = ';,)}]';

/** One for each word: an expression that begins with a literal is looked for much faster. */
const DECLARED_EMPTY = [
  /let\s+([A-Za-z_$][\w$]*)\s*(?:=\s*(?:null|undefined)\s*)?(?=[;\n])/g,
  /var\s+([A-Za-z_$][\w$]*)\s*(?:=\s*(?:null|undefined)\s*)?(?=[;\n])/g,
];
const ASSIGNED_LATER = /(?<=^|[;{}(]|=>)[^\S\n]*([A-Za-z_$][\w$]*)\s*=(?![=>])\s*/gm;

/** `let cart; … cart = await open()`: the first value is what the name stands for, wherever it is given. */
function laterAssignments(reading: Reading): void {
  const { source } = reading;
  const declared = new Map<string, number>();
  for (const pattern of DECLARED_EMPTY) {
    for (const match of source.matchAll(pattern)) {
      if (!declared.has(match[1])) declared.set(match[1], match.index + match[0].indexOf(match[1], 4));
    }
  }
  if (declared.size === 0) return;
  for (const match of source.matchAll(ASSIGNED_LATER)) {
    const first = declared.get(match[1]);
    if (first === undefined) continue;
    const from = match.index + match[0].length;
    const value = reading.chain(from, expressionEnd(reading, from));
    if (value === '' || LOADED.test(value)) continue;
    reading.assigned(match.index + match[0].indexOf(match[1]), match[1], value);
    if (first < match.index && first !== -1) {
      reading.local(first, match[1], '', value);
      declared.set(match[1], -1);
    }
  }
}

/** Imports, and nothing. */
const LOADED = /^(?:(?:require|import)\(|(?:null|undefined|true|false)$)/;

const LOOP = /\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s+/g;

/** `for (const x of xs)`. */
function loops(reading: Reading): void {
  const { source } = reading;
  for (const match of source.matchAll(LOOP)) {
    const at = match.index + match[0].length;
    const isPattern = source[at] === '{' || source[at] === '[';
    const nameEnd = isPattern ? reading.closing(at, at + LONGEST_PATTERN) : nameEndAt(source, at);
    const of = /\s*(of|in)\b\s*/y;
    of.lastIndex = nameEnd;
    const word = of.exec(source);
    if (word === null) continue;
    const from = nameEnd + word[0].length;
    const chain = word[1] === 'of' ? reading.chain(from, expressionEnd(reading, from)) : '';
    // What maps and `Object.entries` give in a loop are pairs, which nothing here tells apart.
    const value = chain === '' || source[at] === '[' ? '' : `${chain}[]`;
    if (!isPattern) reading.local(at, source.slice(at, nameEnd), '', value);
    else
      for (const found of patternNames(reading, at, nameEnd, value))
        reading.local(found.at, found.name, '', found.value);
  }
}

function nameEndAt(source: string, at: number): number {
  let end = at;
  while (end < source.length && isNameCode(source.charCodeAt(end), '$')) end++;
  return end;
}

/** A clause, not `promise.catch(handler)`. */
const CAUGHT = /(?<![\w$.])catch\s*\(\s*([\w$]+)(?=\s*[:)])/g;
const SINGLE = /(?<![\w$.:)\]])([A-Za-z_$][\w$]*)\s*$/;
/** Before the name: it is the type of a result, `(): Cart => …`. */
const RESULT_LEAD = /\)\s*:\s*(?:(?:asserts\s+)?[\w$]+\s+is\s+)?$/;
const LONGEST_NAME = 60;

/** Names that hide others: `catch (e)`, `x => …`. */
function shadows(reading: Reading): void {
  const { source } = reading;
  for (const match of source.matchAll(CAUGHT)) {
    reading.local(match.index + match[0].length - match[1].length, match[1], '', '');
  }
  for (let arrow = source.indexOf('=>'); arrow !== -1; arrow = source.indexOf('=>', arrow + 2)) {
    const match = SINGLE.exec(source.slice(Math.max(0, arrow - LONGEST_NAME), arrow));
    if (match === null) continue;
    const at = arrow - match[0].length;
    if (RESULT_LEAD.test(source.slice(Math.max(0, at - LONGEST_NAME), at))) continue;
    reading.local(at, match[1], '', handedOver(at, reading)(0));
  }
}

const BARE_NEW = /(?<![\w$.])new\s+([A-Za-z_$][\w$]*(?:\.[\w$]+)*)(?=\s*[;,)\]}])/g;

/** `new Cart` without arguments. */
function bareNew(reading: Reading): void {
  for (const match of reading.source.matchAll(BARE_NEW)) {
    const end = match.index + match[0].length;
    const at = end - (match[1].length - match[1].lastIndexOf('.') - 1);
    reading.reference(at, end, 'new', match[1], { args: 0 });
  }
}

const INHERITS =
  /\b(?:inherits\s*\(\s*([\w$]+)\s*,\s*|([\w$]+)\.prototype\s*=\s*Object\.create\(\s*)([\w$]+(?:\.[\w$]+)*?)(?:\.prototype)?\s*[,)]/g;

/** `util.inherits(A, B)`, `A.prototype = Object.create(B.prototype)`. */
function inherited(reading: Reading): void {
  const { source } = reading;
  if (!source.includes('inherits') && !source.includes('Object.create(')) return;
  for (const match of source.matchAll(INHERITS)) {
    const parent = match[3];
    const at = match.index + match[0].lastIndexOf(parent) + parent.lastIndexOf('.') + 1;
    reading.reference(at, match.index + match[0].length, 'extends', parent, { of: match[1] ?? match[2] });
  }
}
