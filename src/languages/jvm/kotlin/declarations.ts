/** Kotlin: what stands in the text of declarations. */

import { angleEnd, declarationsIn, LONGEST_HEAD, nameFrom, parents, typeParameters } from '../../roles/declarations.js';
import type { DefinitionView, Reading, Spelling } from '../../roles/relations.js';
import { skipSpace } from '../../roles/scan.js';

export const SPELLING: Spelling = {
  joins: ['?.', '::', '.'],
  nameExtra: '`',
  postfix: '!',
  cast: /\s\?:\s+[\w.<>?,\s*(){}"]+$/,
  typeArguments: '<>',
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  spread: /^\*/,
};

/** Makers of collections, which say by their type arguments what is in them. */
const COLLECTION =
  /^(?:mutable)?(?:List|Set)Of$|^(?:listOf|setOf|arrayListOf|emptyList|emptySet|arrayOf|listOfNotNull|mutableStateListOf|sequenceOf)/;

/** A type after a colon, from `from`: up to `=`, a block or the end of the part. */
function typeAfter(reading: Reading, from: number, to: number): { type: string; end: number } {
  const { source } = reading;
  const match = /^\s*(?:suspend\s+)?((?:[\w.`?\s]|<)+)/.exec(source.slice(from, Math.min(to, from + LONGEST_HEAD)));
  if (match === null) return { type: '', end: from };
  const open = match[0].indexOf('<');
  if (open === -1) {
    const type = /^\s*[\w.`]+\??/.exec(match[0])?.[0] ?? '';
    return { type: type.trim(), end: from + type.length };
  }
  const close = angleEnd(source, from + open, to);
  const end = close === -1 ? from + open : close + (source[close] === '?' ? 1 : 0);
  return { type: source.slice(from, end).trim(), end };
}

/** `name: Type = value` of a parameter or property, from the name on. */
export function typed(reading: Reading, at: number, to: number): { name: string; type: string; value: string } {
  const { source } = reading;
  const name = nameFrom(source, at);
  let next = skipSpace(source, at + name.length, to, SPELLING);
  let type = '';
  if (source[next] === ':') {
    const found = typeAfter(reading, next + 1, to);
    type = found.type;
    next = skipSpace(source, found.end, to, SPELLING);
  }
  if (source.startsWith('by', next)) {
    const lazy = /^by\s+lazy\s*(?:\([\w.]*\)\s*)?\{/.exec(source.slice(next, next + 80));
    return { name, type, value: lazy === null ? '' : reading.chain(next + lazy[0].length, to - 1) };
  }
  if (source[next] !== '=' || source[next + 1] === '=') return { name, type, value: '' };
  const made = /^=\s*(\w+)\s*<([\w.]+)>\s*\(/.exec(source.slice(next, Math.min(to, next + 200)));
  if (type === '' && made !== null && COLLECTION.test(made[1])) type = `List<${made[2]}>`;
  return { name, type, value: reading.chain(next + 1, to) };
}

export function definition(view: DefinitionView, reading: Reading): void {
  const { kind, name, nameStart } = view;
  if (kind === 'class' || kind === 'interface' || kind === 'enum' || kind === 'object') typeDefinition(view, reading);
  else if (kind === 'enum-member') reading.field(nameStart, name, '', 'this');
  else if (kind === 'function' || kind === 'method' || kind === 'constructor') functionDefinition(view, reading);
  else if (kind === 'type') {
    const type = /^(?:<[^=]*>)?\s*=\s*([\w.]+(?:<[^\n]*>)?)/.exec(
      reading.source.slice(view.nameEnd, Math.min(view.end, view.nameEnd + LONGEST_HEAD)),
    );
    if (type !== null) reading.alias(nameStart, name, type[1]);
  }
}

function functionDefinition(
  { kind, start, nameStart, nameEnd, signatureEnd, end }: DefinitionView,
  reading: Reading,
): void {
  const { source } = reading;
  const head = source.slice(Math.max(start, nameStart - 300), nameStart);
  const fun = /\bfun\s+(?=[^\n]*$|[^{]*$)/.exec(head);
  if (fun !== null) {
    let from = nameStart - head.length + fun.index + fun[0].length;
    if (source[from] === '<') from = skipSpace(source, typeParameters(reading, from, nameStart), nameStart, SPELLING);
    const receiver = /^(?:@\w+\s+)*\(?([\w.`]+(?:<.*>)?)\??\)?\.\s*$/s.exec(source.slice(from, nameStart));
    // Receiver type of an extension function.
    if (receiver !== null) reading.local(nameEnd, 'this', receiver[1], '');
  }
  const limit = Math.min(end, nameStart + 4 * LONGEST_HEAD);
  const open = kind === 'constructor' ? source.indexOf('(', start) : skipSpace(source, nameEnd, limit, SPELLING);
  if (source[open] !== '(') return;
  const close = reading.closing(open, limit);
  addParameters(reading, open, close, 'local');
  const colon = skipSpace(source, close, end, SPELLING);
  if (kind === 'constructor') return;
  if (source[colon] === ':') {
    const { type } = typeAfter(reading, colon + 1, Math.max(signatureEnd, colon + 1));
    if (type !== '' && type !== 'Unit') reading.result(nameStart, type, '');
  } else if (source[colon] === '=') reading.result(nameStart, '', reading.chain(colon + 1, end));
}

/** `private val x: T = v`: parameters with `val` or `var` are fields. */
function addParameters(reading: Reading, open: number, close: number, place: 'local' | 'field'): void {
  const { source } = reading;
  for (const part of declarationsIn(reading, open, close)) {
    const head =
      /^(?:@[\w.:]+(?:\([^()]*\))?\s+)*(?:(?:private|protected|public|internal|override|open|vararg|crossinline|noinline|final)\s+)*(val\s+|var\s+)?/.exec(
        source.slice(part.start, Math.min(part.end, part.start + LONGEST_HEAD)),
      );
    const at = part.start + (head?.[0].length ?? 0);
    const { name, type, value } = typed(reading, at, part.end);
    if (name === '') continue;
    if (place === 'field' || head?.[1] !== undefined) reading.field(at, name, type, value);
    else reading.local(at, name, type, value);
  }
}

/** `class A<T>(val x: X) : B<T>(x), C by x, D`. */
function typeDefinition({ kind, nameStart, nameEnd, end }: DefinitionView, reading: Reading): void {
  const { source } = reading;
  const limit = Math.min(end, nameEnd + 4 * LONGEST_HEAD);
  const isUnnamed = source.startsWith('companion', nameStart);
  let at = isUnnamed ? nameStart + source.slice(nameStart, end).indexOf('object') + 6 : nameEnd;
  if (source[at] === '<') at = typeParameters(reading, at, limit);
  const primary = /^\s*(?:@\w+(?:\([^()]*\))?\s*|private\s+|internal\s+|protected\s+)*(?:constructor\s*)?\(/.exec(
    source.slice(at, Math.min(limit, at + 200)),
  );
  if (primary !== null && kind !== 'object') {
    const open = at + primary[0].length - 1;
    at = reading.closing(open, limit);
    addParameters(reading, open, at, 'field');
  }
  at = skipSpace(source, at, limit, SPELLING);
  if (source[at] !== ':') return;
  const to = headerEnd(reading, at + 1, limit);
  for (const { chain, at: from, end: after } of parents(reading, at + 1, to)) {
    const bracket = source[after] === '<' ? angleEnd(source, after, to) : after;
    // `: Base(x)` constructs the parent; without arguments it is an interface.
    const isMade = source[skipSpace(source, bracket === -1 ? after : bracket, to, SPELLING)] === '(';
    if (isMade) reading.declared(from);
    reading.reference(isMade ? after : from, after, isMade || kind === 'interface' ? 'extends' : 'implements', chain);
  }
}

/** End of the list of parents: at the body, at `where`, or with its last line. */
function headerEnd(reading: Reading, from: number, limit: number): number {
  const { source } = reading;
  for (let at = from; at < limit; at++) {
    if (source[at] === '(') at = reading.closing(at, limit) - 1;
    else if (source[at] === '{' || source.startsWith('where ', at)) return at;
    else if (
      source[at] === '\n' &&
      /[\w>)?]\s*$/.test(source.slice(Math.max(from, at - 20), at)) &&
      !/^\s*[,{:]|^\s*(?:by|where)\b/.test(source.slice(at, at + 200))
    )
      return at;
  }
  return limit;
}
