/**
 * Names that the text of ECMAScript binds: in patterns (`{ a, b: c, ...rest }`), parameters of callbacks, assignments and loops; parents and
 * members that calls give (mixins, delegates); and names that the platform provides.
 */
import { wordSet } from '../language.js';
import { headText } from '../roles/declarations.js';
import type { Call, FactSink } from '../roles/relations.js';
import {
  calledByListedNames,
  provided,
  takenFromRegistries,
  takenFromTables,
  templateRequests,
} from '../roles/remote.js';
import { heldPaths } from '../roles/routes.js';
import { isNameCode, isSpace, skipSpace, splitList, type TextRange } from '../roles/scan.js';
import { BEFORE_KEY, bracketsOf, expectedAt, keyOf, LITERAL_KEY } from './expressions.js';
import { narrowings } from './narrowings.js';
import { resolverMaps, serviceObjects } from './routes.js';

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

/** First names of access paths that never lead into a repository. */
export const GLOBAL_ROOTS = wordSet(`
  console JSON Math Object Reflect Promise Array Map Set WeakMap WeakSet WeakRef Number String Boolean Symbol BigInt Date RegExp
  Intl Atomics Proxy Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError
  ArrayBuffer SharedArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array
  BigInt64Array BigUint64Array Uint8ClampedArray TextEncoder TextDecoder URL URLSearchParams AbortController
  parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI structuredClone queueMicrotask
  setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate requestAnimationFrame cancelAnimationFrame
  process Buffer globalThis document navigator localStorage sessionStorage expect
`);

/** Names of calls whose first argument often is a route, a command, an event or a test. */
export const LITERAL_CALLS = wordSet(`
  get post put patch delete del options head all use route mount command describe it test suite handle on listen register
  basePath setGlobalPrefix
  once addListener prependListener prependOnceListener addEventListener emit emitAsync CustomEvent Event resolve
`);

/** Deepest nesting of patterns. */
const MAX_PATTERN_DEPTH = 4;
const NAME = /[\p{L}_$#][\p{L}\p{N}_$]*/uy;

interface FoundName {
  at: number;
  name: string;
  /** The property that it is taken from, '' for rests and elements of arrays. */
  key: string;
  /** Access path of its value, '' if unknown. */
  value: string;
  /** Depth of nested patterns, 0 for the outermost. */
  depth: number;
}

/** States that an element of an object's pattern reads a property; returns where what it binds stands. Null for other elements. */
function property({ start, end }: TextRange, value: string, sink: FactSink): { key: string; at: number } | null {
  const { source, rules } = sink;
  PROPERTY.lastIndex = start;
  const match = PROPERTY.exec(source);
  if (match === null) return null;
  const [whole, key, colon] = match;
  sink.reference(start, start + key.length, 'read', `${value === '' ? '?' : value}.${key}`);
  return { key, at: colon === ':' ? skipSpace(source, start + whole.length, end, rules.lexical) : start };
}

/** Names that the pattern [from, to), with its brackets, binds. `value` is the access path of the destructured value, '' if unknown. */
export function patternNames(sink: FactSink, from: number, to: number, value: string, depth = 0): FoundName[] {
  const { source, rules } = sink;
  const found: FoundName[] = [];
  if (depth > MAX_PATTERN_DEPTH) return found;
  const isObject = source[from] === '{';
  const element = isObject || value === '' || isGlobal(value) ? '' : `${value}[]`;
  for (const part of splitList(source, from + 1, to - 1, ',', rules.lexical)) {
    const isRest = source.startsWith('...', part.start);
    const from = isRest ? skipSpace(source, part.start + 3, part.end, rules.lexical) : part.start;
    const read = isObject && !isRest ? property(part, value, sink) : { key: '', at: from };
    if (read === null) continue;
    const { key, at } = read;
    const inner = value !== '' && key !== '' ? `${value}.${key}` : isRest ? '' : element;
    if (/[{[]/.test(source[at])) {
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

/** A type that can be found by its name. */
const NAMED_TYPE = /^[\p{L}_$][\p{L}\p{N}_$.]*(?:<[^{}]*>)?$/u;

/**
 * `{ total, items }: Cart` and `{ total }: { total: Money }`. The destructured value has no name that its parts could be followed by, so it
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

/** Methods that call their argument with elements of their receiver, with the numbers of the parameters that are elements. */
const ELEMENTS: ReadonlyMap<string, readonly number[]> = new Map([
  ...methods('forEach map flatMap filter find findIndex findLast findLastIndex some every partition', 0),
  ...methods('sort toSorted', 0, 1),
  ...methods('reduce reduceRight', 1),
]);
/** `promise.then((cart) => …)` calls its argument with the value of `await promise`; a promise counts as that value. */
const AWAITED = 'then';

/** Text from the callee of a call to the parameters of the function that is its first argument. */
const HANDED_OVER =
  /\.\s*(\w+)\s*(?:<[^<>()]*>\s*)?(\()\s*(?:async\b\s*)?(?:function\b\s*\*?\s*(?:[\w$]+\s*)?(?:<[^<>()]*>\s*)?)?$/;
/** UTF-16 units before a callback that are searched for its call. */
const MAX_LEAD_LENGTH = 120;

/** Access paths of the values of the parameters that start at `at` (or the only one), by number; '' if unknown. */
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

/** Is it a call such as `Object.values(carts)`? Its value comes from its arguments, which access paths do not have. */
function isGlobal(accessPath: string): boolean {
  return GLOBAL_ROOTS.has(/^(?:new )?([^.()[\]]*)/.exec(accessPath)?.[1] ?? '');
}

function nothing(): string {
  return '';
}

function methods(names: string, ...elements: number[]): [string, readonly number[]][] {
  return names.split(' ').map((name) => [name, elements]);
}

/** Most UTF-16 units of an expression that is followed. */
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
      // An access path goes on in the next line only with a `.`.
      const next = /\s+(?=\??\.[\w$])/y;
      next.lastIndex = at;
      const match = next.exec(source);
      if (match === null) return endsAfter(source, at, limit) ? at : from;
      at += match[0].length;
    } else return ENDS.includes(source[at]) ? at : from;
  }
  return at;
}

/** Does the expression end here? Behind white space, a new line starts something new, and a cast changes nothing. */
function endsAfter(source: string, at: number, limit: number): boolean {
  const next = /\s*?(?:\n|$|[;,)}\]]|(?:as|satisfies|of)\b|\/\/|\/\*)/y;
  next.lastIndex = at;
  return next.test(source.slice(0, limit));
}

/** Characters that may follow an expression that is an access path as a whole. */
const ENDS = ';,)}]';

/** Most UTF-16 units of the head of a loop up to its `of`. */
const MAX_PATTERN_LENGTH = 300;

/** States the facts that are found by searching the text of a whole file instead of visiting its nodes. Each search is for one form. */
export function wholeText(sink: FactSink): void {
  assignments(sink);
  loops(sink);
  shadows(sink);
  bareNew(sink);
  inherited(sink);
  narrowings(sink);
  resolverMaps(sink);
  serviceObjects(sink);
  heldPaths(sink);
  templateRequests(sink);
  provided(sink);
  takenFromRegistries(sink);
  takenFromTables(sink);
  calledByListedNames(sink);
}

/** `name = …`, `owner.name = …`, `owner.prototype.name = …`. */
interface Assignment {
  /** Offset of the owner, or of the name. */
  at: number;
  /** '' for a name alone. */
  owner: string;
  prototype: boolean;
  name: string;
  /** Offset of the value. */
  from: number;
  /** Is it a statement or an expression of its own, and no part of a declaration, of a default or of a longer path? */
  begins: boolean;
}

/** Assignments of a text, comments and strings included. Searched from the sign back: most names are no targets. */
function* assignmentsIn(source: string): Generator<Assignment> {
  for (let sign = source.indexOf('='); sign !== -1; sign = source.indexOf('=', sign + 1)) {
    const follows = source[sign + 1];
    if (follows === '=' || follows === '>') {
      sign++;
      continue;
    }
    const nameEnd = skipBlanksBack(source, sign, true);
    const nameStart = nameStartBefore(source, nameEnd);
    if (nameStart === nameEnd) continue;
    let owner = nameBeforeDot(source, nameStart);
    if (owner === null && source[nameStart - 1] === '.') continue;
    const type = owner?.name === 'prototype' ? nameBeforeDot(source, owner.at) : null;
    if (type !== null) owner = type;
    const at = owner?.at ?? nameStart;
    let from = sign + 1;
    while (from < source.length && isBlank(source.charCodeAt(from), true)) from++;
    yield {
      ...{ at, from, owner: owner?.name ?? '', prototype: type !== null },
      name: source.slice(nameStart, nameEnd),
      begins: isStart(source, skipBlanksBack(source, at, false)),
    };
  }
}

/** The name before the dot that precedes an offset; null without one. */
function nameBeforeDot(source: string, start: number): { at: number; name: string } | null {
  if (source[start - 1] !== '.') return null;
  const at = nameStartBefore(source, start - 1);
  return at === start - 1 ? null : { at, name: source.slice(at, start - 1) };
}

/** Does a statement, or an expression in brackets or behind an arrow, begin at this offset? */
function isStart(source: string, at: number): boolean {
  const before = source[at - 1];
  return before === undefined || STARTS.has(before) || (before === '>' && source[at - 2] === '=');
}

const STARTS: ReadonlySet<string> = new Set('\n;{}(');

function isBlank(code: number, lines: boolean): boolean {
  return code === 32 || code === 9 || code === 13 || (lines && code === 10);
}

function skipBlanksBack(source: string, end: number, lines: boolean): number {
  let at = end;
  while (at > 0 && isBlank(source.charCodeAt(at - 1), lines)) at--;
  return at;
}

function nameStartBefore(source: string, end: number): number {
  let at = end;
  while (at > 0 && isNameCode(source.charCodeAt(at - 1), '$')) at--;
  return at;
}

/** Facts of assignments: fields of `this`, members of locals, and first values of names that were declared empty. */
function assignments(sink: FactSink): void {
  const declared = declaredEmpty(sink.source);
  for (const assignment of assignmentsIn(sink.source)) {
    const { at, owner, name, from, begins } = assignment;
    if (owner === 'this' && sink.source[at - 1] !== '.') {
      const value = sink.accessPath(from, expressionEnd(sink, from));
      if (value !== '') sink.field(at + 'this.'.length, name, '', value);
    } else if (!begins) continue;
    else if (owner !== '') assignedMember(assignment, sink);
    else laterAssignment(assignment, declared, sink);
  }
}

/** One expression for each word: an expression that begins with a literal is found much faster. */
const DECLARED_EMPTY = [
  /let\s+([A-Za-z_$][\w$]*)\s*(?:=\s*(?:null|undefined)\s*)?(?=[;\n])/g,
  /var\s+([A-Za-z_$][\w$]*)\s*(?:=\s*(?:null|undefined)\s*)?(?=[;\n])/g,
];
const DEFAULTS = /^\s*(?:\|\||\?\?)/;

/** Offsets of names that are declared without a value. */
function declaredEmpty(source: string): Map<string, number> {
  const declared = new Map<string, number>();
  for (const pattern of DECLARED_EMPTY) {
    for (const match of source.matchAll(pattern)) {
      if (!declared.has(match[1])) declared.set(match[1], match.index + match[0].indexOf(match[1], 4));
    }
  }
  return declared;
}

/** `let cart; … cart = await open()`: the first value counts for the name, wherever it is assigned. */
function laterAssignment({ at, name, from }: Assignment, declared: Map<string, number>, sink: FactSink): void {
  const { source } = sink;
  // `cart = cart || new Cart()` gives a parameter its default.
  if (source.startsWith(name, from) && DEFAULTS.test(source.slice(from + name.length, from + 60))) {
    const behind = from + source.slice(from, from + 60 + name.length).search(/(?<=\|\||\?\?)\s*/);
    const start = skipSpace(source, behind, source.length, sink.rules.lexical);
    const value = sink.accessPath(start, expressionEnd(sink, start));
    if (value !== '' && !LOADED.test(value)) sink.assigned(at, name, value);
    return;
  }
  const first = declared.get(name);
  if (first === undefined) return;
  const value = sink.accessPath(from, expressionEnd(sink, from));
  if (value === '' || LOADED.test(value)) return;
  sink.assigned(at, name, value);
  if (first < at && first !== -1) {
    sink.local(first, name, '', value);
    declared.set(name, -1);
  }
}

const NAMES = /^(?:[A-Za-z_$][\w$]*\.){0,4}[A-Za-z_$][\w$]*$/;

/** `req.open = request.open`, `Cart.prototype.open = open`: the member of the local, or of the type, is what it was given. */
function assignedMember({ at, owner, prototype, name, from }: Assignment, sink: FactSink): void {
  if (owner === 'this' || owner === 'exports' || owner === 'module' || GLOBAL_ROOTS.has(owner)) return;
  const value = sink.accessPath(from, expressionEnd(sink, from));
  if (!NAMES.test(value) || LOADED.test(value)) return;
  if (!prototype) sink.local(at, `${owner}.${name}`, '', value);
  if (prototype || /^[A-Z]/.test(owner)) sink.field(at, name, '', value, owner);
}

/** Values that are imports or empty. */
const LOADED = /^(?:(?:require|import)\(|(?:null|undefined|true|false)$)/;

const LOOP = /\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s+/g;

/** `for (const x of xs)`. */
function loops(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(LOOP)) {
    const at = match.index + match[0].length;
    const isPattern = source[at] === '{' || source[at] === '[';
    const nameEnd = isPattern ? sink.closing(at, at + MAX_PATTERN_LENGTH) : nameEndAt(source, at);
    const of = /\s*(of|in)\b\s*/y;
    of.lastIndex = nameEnd;
    const word = of.exec(source);
    if (word === null) continue;
    const from = nameEnd + word[0].length;
    const accessPath = word[1] === 'of' ? sink.accessPath(from, expressionEnd(sink, from)) : '';
    // Loops over maps and `Object.entries` yield pairs, whose key and value cannot be told apart here.
    const value = accessPath === '' || source[at] === '[' ? '' : `${accessPath}[]`;
    if (!isPattern) sink.local(at, source.slice(at, nameEnd), '', value);
    else for (const found of patternNames(sink, at, nameEnd, value)) sink.local(found.at, found.name, '', found.value);
  }
}

function nameEndAt(source: string, at: number): number {
  let end = at;
  while (end < source.length && isNameCode(source.charCodeAt(end), '$')) end++;
  return end;
}

/** The clause, not `promise.catch(handler)`. */
const CAUGHT = /(?<![\w$.])catch\s*\(\s*([\w$]+)(?=\s*[:)])/g;
const SINGLE = /(?<![\w$.:)\]])([A-Za-z_$][\w$]*)\s*$/;
/** Text before a name that is the type of a result, `(): Cart => …`. */
const RESULT_LEAD = /\)\s*:\s*(?:(?:asserts\s+)?[\w$]+\s+is\s+)?$/;
const MAX_NAME_LENGTH = 60;

/** Names that hide others: `catch (e)`, `x => …`. */
function shadows(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(CAUGHT)) {
    sink.local(match.index + match[0].length - match[1].length, match[1], '', '');
  }
  for (let arrow = source.indexOf('=>'); arrow !== -1; arrow = source.indexOf('=>', arrow + 2)) {
    const match = SINGLE.exec(source.slice(Math.max(0, arrow - MAX_NAME_LENGTH), arrow));
    if (match === null) continue;
    const at = arrow - match[0].length;
    if (RESULT_LEAD.test(source.slice(Math.max(0, at - MAX_NAME_LENGTH), at))) continue;
    sink.local(at, match[1], '', handedOver(at, sink)(0));
  }
}

const BARE_NEW = /(?<![\w$.])new\s+([A-Za-z_$][\w$]*(?:\.[\w$]+)*)(?=\s*[;,)\]}])/g;

/** `new Cart` without arguments. */
function bareNew(sink: FactSink): void {
  for (const match of sink.source.matchAll(BARE_NEW)) {
    const end = match.index + match[0].length;
    const at = end - (match[1].length - match[1].lastIndexOf('.') - 1);
    sink.reference(at, end, 'new', match[1], { args: 0 });
  }
}

/** Functions that give the object which is their argument, or one that has its members. */
const MAKERS: ReadonlySet<string> = new Set([
  'Object.create',
  'Object.assign',
  'Object.freeze',
  'Object.seal',
  'Object.setPrototypeOf',
  'Object.defineProperties',
]);

/** States the value of `Object.create(proto)`, `Object.assign({}, cart)` and `cart.total.bind(cart)`: it has the members of another one. */
export function madeFrom({ callee: { accessPath }, name, receiver, start, end, view }: Call, sink: FactSink): void {
  if (name === 'bind' && receiver !== '' && !receiver.startsWith('?')) sink.remember(end, start, receiver);
  if (!MAKERS.has(accessPath)) return;
  const parts = splitList(sink.source, view.start + 1, view.end - 1, ',', sink.rules.lexical);
  for (const part of name === 'setPrototypeOf' ? parts.slice(1) : parts) {
    const value = sink.accessPath(part.start, part.end);
    if (value === '' || value.startsWith('?') || LOADED.test(value)) continue;
    sink.remember(end, start, value);
    return;
  }
}

/** Methods that write delegates, each of which gets the name of a member: `delegate(proto, 'response').method('get')`. */
const DELEGATORS: ReadonlySet<string> = new Set(['method', 'access', 'getter', 'setter', 'fluent']);
const DELEGATING = /[\w$]+\(\s*([\w$]+)\s*,\s*(["'])([\w$]+)\2\s*\)/y;
const ONE_NAME = /^\(\s*(["'])([\w$]+)\1\s*\)$/;

/** States what a delegate runs: `proto.get` is `get` of the response. */
export function delegated({ name, receiver, view, start }: Call, sink: FactSink): void {
  if (!DELEGATORS.has(name) || !/^[\w$]*[Dd]elegate[\w$]*\(\)/.test(receiver)) return;
  const { source } = sink;
  const member = ONE_NAME.exec(headText(source, view.start, view.end, MAX_NAME_LENGTH))?.[2];
  DELEGATING.lastIndex = start;
  const [, owner, , target] = DELEGATING.exec(source) ?? [];
  if (member === undefined || owner === undefined) return;
  sink.reference(view.start + 1, view.end - 1, 'value', `${owner}.${target}.${member}`);
  sink.field(view.start, member, '', `${owner}.${target}.${member}`, owner);
}

/** `mixin(cart, totals)`, `Object.assign(Cart.prototype, totals)`. */
const MIXED =
  /(?<![\w$.])(?:Object\.setPrototypeOf|(?:[\w$]+\.)?mixin|(?:Object\.assign|(?:[\w$]+\.)?(?:merge|extend|assign))(?=\(\s*[\w$]+(?:\.prototype|\s*,\s*[\w$.]*(?:[Pp]roto|[Mm]ixin))))\(\s*([\w$]+)(?:\.prototype)?\s*,\s*([\w$]+(?:\.[\w$]+)*?)(?:\.prototype)?\s*[,)]/g;

const INHERITS =
  /\b(?:inherits\s*\(\s*([\w$]+)\s*,\s*|([\w$]+)\.prototype\s*=\s*Object\.create\(\s*)([\w$]+(?:\.[\w$]+)*?)(?:\.prototype)?\s*[,)]/g;

/** `util.inherits(A, B)`, `A.prototype = Object.create(B.prototype)`, and mixins. */
function inherited(sink: FactSink): void {
  const { source } = sink;
  // Most files have none of the words, which is seen much faster than that nothing matches.
  const mixes = source.includes('roto') || source.includes('ixin');
  for (const match of mixes ? source.matchAll(MIXED) : []) {
    const [whole, of, parent] = match;
    const at = match.index + whole.lastIndexOf(parent) + parent.lastIndexOf('.') + 1;
    sink.reference(at, match.index + whole.length, 'extends', parent, { of });
  }
  if (!source.includes('inherits') && !source.includes('Object.create(')) return;
  for (const match of source.matchAll(INHERITS)) {
    const parent = match[3];
    const at = match.index + match[0].lastIndexOf(parent) + parent.lastIndexOf('.') + 1;
    sink.reference(at, match.index + match[0].length, 'extends', parent, { of: match[1] ?? match[2] });
  }
}
