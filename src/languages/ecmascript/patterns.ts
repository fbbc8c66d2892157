/**
 * Names that ECMAScript text binds, and what they stand for: patterns (`{ a, b: c, ...rest }`), parameters of callbacks
 * (`carts.map((cart) => …)`) and names that the platform provides.
 */

import type { FactSink } from '../roles/relations.js';
import { isNameCode, isSpace, skipSpace, splitList } from '../roles/scan.js';
import { wordSet } from '../words.js';
import { BEFORE_KEY, bracketsOf, expectedAt, keyOf, LITERAL_KEY } from './expected.js';

export const GLOBAL_TYPES = wordSet(`
  any unknown never void null undefined string number boolean bigint symbol object this const
  Array ReadonlyArray Promise PromiseLike Awaited Record Partial Required Readonly Pick Omit Exclude Extract NonNullable Parameters
  ConstructorParameters ReturnType InstanceType ThisParameterType OmitThisParameter ThisType Uppercase Lowercase Capitalize Uncapitalize
  Map Set WeakMap WeakSet WeakRef ReadonlyMap ReadonlySet Iterable Iterator IterableIterator AsyncIterable AsyncIterator
  AsyncIterableIterator Generator AsyncGenerator Function Object String Number Boolean Symbol BigInt Date RegExp RegExpExecArray
  RegExpMatchArray Error TypeError RangeError SyntaxError ArrayBuffer SharedArrayBuffer ArrayBufferView DataView Uint8Array Int8Array
  Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array BigInt64Array BigUint64Array PropertyDescriptor PropertyKey
  TemplateStringsArray ArrayLike Buffer NodeJS
`);

/** No access path that starts with one of them can be followed into a repository. */
export const GLOBAL_ROOTS = wordSet(`
  console JSON Math Object Reflect Promise Array Map Set WeakMap WeakSet WeakRef Number String Boolean Symbol BigInt Date RegExp
  Intl Atomics Proxy Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError
  ArrayBuffer SharedArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array
  BigInt64Array BigUint64Array Uint8ClampedArray TextEncoder TextDecoder URL URLSearchParams AbortController
  parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI structuredClone queueMicrotask
  setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate requestAnimationFrame cancelAnimationFrame
  process Buffer globalThis document navigator localStorage sessionStorage expect
`);

/** The first argument of a call with such a name often is a route, a command, an event or a test. */
export const LITERAL_CALLS = wordSet(`
  get post put patch delete del options head all use route command describe it test suite handle on listen register
`);

/** Patterns in patterns. */
const MAX_PATTERN_DEPTH = 4;
const NAME = /[\p{L}_$#][\p{L}\p{N}_$]*/uy;

interface FoundName {
  at: number;
  name: string;
  /** The property it is taken from, '' for rests and elements of arrays. */
  key: string;
  value: string;
  /** 0: not in a pattern inside of the pattern. */
  depth: number;
}

/** Names that the pattern [from, to) binds, with brackets; `value` is the access path of what is taken apart, '' if it isn't known. */
export function patternNames(sink: FactSink, from: number, to: number, value: string, depth = 0): FoundName[] {
  const { source, rules } = sink;
  const found: FoundName[] = [];
  if (depth > MAX_PATTERN_DEPTH) return found;
  const isObject = source[from] === '{';
  const element = isObject || value === '' || isGlobal(value) ? '' : `${value}[]`;
  for (const part of splitList(source, from + 1, to - 1, ',', rules.lexical)) {
    let at = part.start;
    let key = '';
    const isRest = source.startsWith('...', at);
    if (isRest) at = skipSpace(source, at + 3, part.end, rules.lexical);
    if (isObject && !isRest) {
      PROPERTY.lastIndex = at;
      const match = PROPERTY.exec(source);
      if (match === null) continue;
      key = match[1];
      sink.reference(at, at + key.length, 'read', `${value === '' ? '?' : value}.${key}`);
      if (match[2] === ':') at = skipSpace(source, at + match[0].length, part.end, rules.lexical);
    }
    const inner = isObject && value !== '' && key !== '' ? `${value}.${key}` : isRest ? '' : element;
    if (source[at] === '{' || source[at] === '[') {
      found.push(...patternNames(sink, at, sink.closing(at, part.end), inner, depth + 1));
      continue;
    }
    const name = nameAt(source, at);
    if (name !== '') found.push({ at, name, key, value: inner, depth });
  }
  return found;
}

const PROPERTY = /(?:["']?)([\p{L}_$][\p{L}\p{N}_$-]*)["']?\s*(:?)/uy;

export function nameAt(source: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(source)?.[0] ?? '';
}

/** A type that can be looked up by its name. */
const NAMED_TYPE = /^[\p{L}_$][\p{L}\p{N}_$.]*(?:<[^{}]*>)?$/u;

/**
 * `{ total, items }: Cart` and `{ total }: { total: Money }`. What is taken apart has no name by which its parts could be followed: it
 * gets one that no source can write.
 */
export function takenApart(from: number, to: number, type: string, value: string, sink: FactSink): void {
  const isNamed = type !== '' && NAMED_TYPE.test(type) && sink.source[from] === '{';
  const whole = isNamed ? `#${from}` : '';
  if (isNamed) sink.local(from, whole, type, '');
  const types = type[0] === '{' ? memberTypes(type, sink) : null;
  for (const found of patternNames(sink, from, to, isNamed ? whole : value)) {
    const written = found.depth === 0 ? types?.get(found.key) : undefined;
    sink.local(found.at, found.name, written ?? '', found.value);
  }
}

/** Types by the names of members: `{ total: Money; items?: Item[] }`. */
function memberTypes(type: string, { rules }: FactSink): Map<string, string> {
  const types = new Map<string, string>();
  const end = type.endsWith('}') ? type.length - 1 : type.length;
  for (const line of splitList(type, 1, end, ';', rules.lexical, true)) {
    for (const { start, end: to } of splitList(type, line.start, line.end, ',', rules.lexical, true)) {
      const member = /^(?:readonly\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*\??\s*:\s*(.+)$/su.exec(type.slice(start, to));
      if (member !== null) types.set(member[1], member[2]);
    }
  }
  return types;
}

/** Methods that call their argument with elements of what they are called on: which of its parameters are elements. */
const ELEMENTS: ReadonlyMap<string, readonly number[]> = new Map([
  ...methods('forEach map flatMap filter find findIndex findLast findLastIndex some every partition', 0),
  ...methods('sort toSorted', 0, 1),
  ...methods('reduce reduceRight', 1),
]);
/** `promise.then((cart) => …)` is called with the value of `await promise`, and a promise counts as that value. */
const AWAITED = 'then';

/** From the callee of a call to the parameters of the function that is its first argument. */
const HANDED_OVER =
  /\.\s*(\w+)\s*(?:<[^<>()]*>\s*)?(\()\s*(?:async\b\s*)?(?:function\b\s*\*?\s*(?:[\w$]+\s*)?(?:<[^<>()]*>\s*)?)?$/;
/** UTF-16 units before a callback in which its call is looked for. */
const MAX_LEAD_LENGTH = 120;

/** Values of the parameters of the function whose parameters (or only one) start at `at`: an access path for each, '' if it isn't known. */
export function handedOver(at: number, sink: FactSink): (index: number) => string {
  const from = Math.max(0, at - MAX_LEAD_LENGTH);
  const lead = sink.source.slice(from, at);
  const match = lead.includes('(') ? HANDED_OVER.exec(lead) : null;
  const elements = match === null ? undefined : ELEMENTS.get(match[1]);
  if (match === null || (elements === undefined && match[1] !== AWAITED)) {
    const place = methodPlace(sink, at, lead) || expectedAt(sink, beforeFunction(sink.source, at));
    return place === '' ? nothing : (index) => `${place}(${index})`;
  }
  const { accessPath } = sink.accessPathBefore(from + match.index + match[0].indexOf('(', match[1].length));
  const receiver = accessPath.endsWith(`.${match[1]}`) ? accessPath.slice(0, -match[1].length - 1) : '';
  if (receiver === '' || receiver.startsWith('?') || isGlobal(receiver)) return nothing;
  return (index) => {
    if (elements === undefined) return index === 0 ? receiver : '';
    return elements.includes(index) ? `${receiver}[]` : '';
  };
}

/** `{ total(`, `, async total(` and `, 'total'(`: a method of an object literal, or of an interface. */
const METHOD_LEAD = new RegExp(String.raw`${BEFORE_KEY}(?:async\s+)?(?:\*\s*)?${LITERAL_KEY}\s*(?:<[^<>()]*>\s*)?$`);

const STATEMENT = /^(?:return|if|for|while|switch|catch|with|function|await|yield|typeof|throw|new|async)$/;

/** The place of the method of an object literal whose parameters start at `at`. */
function methodPlace(sink: FactSink, at: number, lead: string): string {
  const match = METHOD_LEAD.exec(lead);
  if (match === null || STATEMENT.test(keyOf(match))) return '';
  const found = bracketsOf(sink).around(at - lead.length + match.index + 1);
  if (found === null || sink.source[found.open] !== '{') return '';
  const place = expectedAt(sink, found.open);
  return place === '' ? '' : `${place}.${keyOf(match)}`;
}

const FUNCTION_LEAD = /(?:\basync\s*)?(?:\bfunction\b\s*\*?\s*)?(?:<[^<>()]*>\s*)?$/;

/** Start of the function whose parameters start at `at`. */
function beforeFunction(source: string, at: number): number {
  const from = Math.max(0, at - MAX_LEAD_LENGTH);
  return from + (FUNCTION_LEAD.exec(source.slice(from, at))?.index ?? at - from);
}

/** `Object.values(carts)`: what such calls give is in their arguments, which access paths leave out. */
function isGlobal(accessPath: string): boolean {
  return GLOBAL_ROOTS.has(/^(?:new )?([^.()[\]]*)/.exec(accessPath)?.[1] ?? '');
}

function nothing(): string {
  return '';
}

function methods(names: string, ...elements: number[]): [string, readonly number[]][] {
  return names.split(' ').map((name) => [name, elements]);
}

/** An expression that is followed ends within this many UTF-16 units. */
const MAX_EXPRESSION_LENGTH = 2_000;

/** End of the expression that starts at `from` if it is an access path (names, joins, brackets), else `from`. */
export function expressionEnd(sink: FactSink, from: number): number {
  const { source } = sink;
  const limit = Math.min(source.length, from + MAX_EXPRESSION_LENGTH);
  let at = from;
  for (const word of ['await ', 'new ']) if (source.startsWith(word, at)) at += word.length;
  while (at < limit) {
    const code = source.charCodeAt(at);
    if (code === 40 || code === 91) at = sink.closing(at, limit);
    else if (isNameCode(code, '$#') || code === 46 || (code === 63 && source[at + 1] === '.') || code === 33) at++;
    else if (isSpace(code)) {
      // Only an access path that goes on in the next line goes on.
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

/** Characters that may follow an expression that is an access path as a whole. */
const ENDS = ';,)}]';
