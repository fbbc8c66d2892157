/**
 * Reads declarations out of text: types before names (`List<Item> items`), types after them (`items: List<Item>`),
 * lists of parents.
 */

import type { Blank } from './masks.js';
import type { FactSink, ParameterRules } from './relations.js';
import { findOutside, isNameCode, skipSpace, splitList, type TextRange } from './scan.js';

/** Longest head of a declaration (modifiers, type, name) that is read; a longer one is not worth the time. */
export const MAX_HEAD_LENGTH = 1_000;

/** A grammar is spared group 1 of each match, at its last place in it. `by`: the text that stands there instead. */
export type Mask = readonly [pattern: RegExp, by?: string];

export function maskedRanges(text: string, masks: readonly Mask[]): Blank[] {
  return masks.flatMap(([pattern, by = '']) =>
    [...text.matchAll(pattern)].map((match): Blank => {
      const start = match.index + match[0].lastIndexOf(match[1]);
      return [start, start + match[1].length, by];
    }),
  );
}

interface Declared {
  type: string;
  name: string;
  nameAt: number;
  /** Offset after the name. */
  after: number;
}

/** Offset after modifiers, annotations with arguments (`@A(x)`, `[A(x)]`) and white space. `modifiers` is sticky and matches one word. */
export function skipModifiers(sink: FactSink, from: number, to: number, modifiers: RegExp): number {
  const { source, rules } = sink;
  for (let at = skipSpace(source, from, to, rules.lexical); at < to; ) {
    modifiers.lastIndex = at;
    const match = modifiers.exec(source);
    if (match === null || match[0] === '') return at;
    at += match[0].length;
    if (source[at - 1] === '(' || source[at - 1] === '[') at = sink.closing(at - 1, to);
    else if (match[0][0] === '@') {
      const open = skipSpace(source, at, to, rules.lexical);
      if (source[open] === '(') at = sink.closing(open, to);
    }
    at = skipSpace(source, at, to, rules.lexical);
  }
  return to;
}

/** End of the type that starts at `at`: a name with dots, type arguments, brackets of arrays, `?`, `*`; `at` if there is none. */
export function typeEnd(sink: FactSink, from: number, to: number): number {
  const { source } = sink;
  let at = from;
  if (source[at] === '(') at = sink.closing(at, to);
  while (at < to) {
    const char = source[at];
    if (isNameCode(source.charCodeAt(at), '$') || char === '.' || char === '?' || char === '*') at++;
    else if (char === ':' && source[at + 1] === ':') at += 2;
    else if (char === '<') {
      const close = angleEnd(source, at, to);
      if (close === -1) return from;
      at = close;
    } else if (char === '[' && /^\[[\s,\d]*\]/.test(source.slice(at, at + 20))) at = source.indexOf(']', at) + 1;
    else break;
  }
  return at;
}

/** Offset after the `>` that closes the `<` at `open`, -1 if it closes nothing nearby. */
export function angleEnd(source: string, open: number, to: number): number {
  const limit = Math.min(to, open + MAX_HEAD_LENGTH);
  let depth = 0;
  for (let at = open; at < limit; at++) {
    const char = source[at];
    if (char === '<') depth++;
    else if (char === '>') {
      if (source[at - 1] !== '-' && source[at - 1] !== '=' && --depth === 0) return at + 1;
    } else if (char === ';' || char === '{') return -1;
  }
  return -1;
}

/** `Type name` at `from`, after its modifiers. */
export function typeBeforeName(sink: FactSink, from: number, to: number, modifiers: RegExp): Declared | null {
  const { source, rules } = sink;
  const limit = Math.min(to, from + MAX_HEAD_LENGTH);
  const start = skipModifiers(sink, from, limit, modifiers);
  const end = typeEnd(sink, start, limit);
  let nameAt = skipSpace(source, end, limit, rules.lexical);
  if (end === start || nameAt >= limit) return null;
  while (nameAt < limit && (source[nameAt] === '.' || source[nameAt] === '*' || source[nameAt] === '&')) nameAt++;
  const nameStart = skipSpace(source, nameAt, limit, rules.lexical);
  const name = nameFrom(source, nameStart);
  return name === ''
    ? null
    : { type: source.slice(start, end), name, nameAt: nameStart, after: nameStart + name.length };
}

/** The name that starts at `at`, '' if there is none. */
export function nameFrom(source: string, at: number): string {
  let end = at;
  while (isNameCode(source.charCodeAt(end), '$')) end++;
  return /^\d/.test(source.slice(at, at + 1)) ? '' : source.slice(at, end);
}

/** Access path after the `=` between `from` and `to`; '' without one, or if its value cannot be followed. */
export function valueAfter(sink: FactSink, from: number, to: number): string {
  const { source, rules } = sink;
  const at = skipSpace(source, from, to, rules.lexical);
  if (source[at] !== '=' || source[at + 1] === '=') return '';
  return sink.accessPath(at + 1, to);
}

/** The declarations in a list whose brackets are at `open` and before `close`. */
export function declarationsIn(sink: FactSink, open: number, close: number): TextRange[] {
  return splitList(sink.source, open + 1, close - 1, ',', sink.rules.lexical, true);
}

/**
 * Calls `each` for the further declarators of `Type a = 1, b = 2`, with a name's offset, the name, and the start and end of its value
 * (empty without one). `first` is the offset of the first name.
 */
export function declarators(
  sink: FactSink,
  first: number,
  end: number,
  each: (at: number, name: string, after: number, to: number) => void,
): void {
  const { source, rules } = sink;
  for (let at = first, count = 0; at < end && count < MAX_DECLARATORS; count++) {
    const name = nameFrom(source, at);
    if (name === '') return;
    const after = at + name.length;
    const next = skipSpace(source, after, end, rules.lexical);
    // A comma between type arguments: `new Map<A, B>()`.
    if (next < end && !'=[(,:'.includes(source[next])) return;
    const to = listItemEnd(sink, after, end);
    each(at, name, after, to);
    at = skipSpace(source, to + 1, end, rules.lexical);
  }
}

export const MAX_DECLARATORS = 50;

/** The next comma outside of brackets, within a bounded distance (a longer value is the last one); else `end`. */
export function listItemEnd({ source, rules }: FactSink, from: number, end: number): number {
  const limit = Math.min(end, from + MAX_HEAD_LENGTH);
  const to = findOutside(source, from, limit, ',', rules.lexical);
  return to === limit ? end : to;
}

/**
 * States names and bounds of a list of type parameters, `<T extends X, out U>`, that opens at `open`. Returns the offset behind it.
 * `ofType`: subtypes give arguments for them.
 */
export function typeParameters(
  sink: FactSink,
  open: number,
  to: number,
  { close = angleEnd(sink.source, open, to), ofType = false }: { close?: number; ofType?: boolean } = {},
): number {
  if (close === -1) return open;
  for (const part of splitList(sink.source, open + 1, close - 1, ',', sink.rules.lexical, true)) {
    const name = /^(?:(?:in|out|reified|const|class|typename|@\w+)\s+)*[+\-\s]*(\w+)/.exec(
      sink.source.slice(part.start, part.end),
    );
    if (name === null) continue;
    const bound = /^\s*(?:extends\s|:)\s*([\w.$]+(?:<[^&]*>)?)/.exec(
      sink.source.slice(part.start + name[0].length, part.end),
    );
    sink.typeParameter(name[1], ofType ? part.start : -1, bound?.[1]);
    if (bound !== null && !ofType) sink.bound(part.start, name[1], bound[1]);
  }
  return close;
}

/** The parents in a list such as `B<C>, d.E(1) with F`, each with the offset of its last name. Access paths are without arguments. */
export function parents(
  sink: FactSink,
  from: number,
  to: number,
  separator = ',',
): { accessPath: string; at: number; end: number }[] {
  const { source, rules } = sink;
  const found: { accessPath: string; at: number; end: number }[] = [];
  for (const part of splitList(source, from, to, separator, rules.lexical, true)) {
    const match = PARENT.exec(source.slice(part.start, Math.min(part.end, part.start + MAX_PARENT_LENGTH)));
    if (match === null) continue;
    const accessPath = match[2].replace(/\s+/g, '').replaceAll('::', '.').replace(/^\./, '');
    const end = part.start + match[0].length;
    found.push({ accessPath, at: end - accessPath.length + accessPath.lastIndexOf('.') + 1, end });
  }
  return found;
}

const MAX_PARENT_LENGTH = 300;
const PARENT = /^((?:(?:public|private|protected|virtual|sealed|@\w+)\s+)*)((?:::)?[\w$]+(?:(?:::|\.)[\w$]+)*)/;

/**
 * Escaping values in languages with braces: access paths that are a whole argument, element or value. Most matches are no functions, so
 * only names that the file imports or defines count.
 */
export const HANDED_ON =
  /(?:[(,=?:]|\breturn|[-=]>)\s*((?:this\.)?[A-Za-z_$][\w$]*(?:\.(?!class\b)[\w$]+)*)\s*(?=[,);\]}]|:(?!:))/g;

/** States references to every name in the text of a type: for grammars without a node for such names. */
export function typeReferences(sink: FactSink, from: number, to: number): void {
  const { source } = sink;
  const text = source.slice(from, Math.min(to, from + MAX_HEAD_LENGTH));
  for (const match of text.matchAll(/(?:[A-Za-z_$][\w$]*(?:\.|::))*([A-Za-z_$][\w$]*)/g)) {
    const end = from + match.index + match[0].length;
    sink.reference(end - match[1].length, end, 'type', match[0].replaceAll('::', '.'));
  }
}

/** An annotation, or a word before the type of a parameter. */
const LEADING = /^(?:@[\w.]+(?:\([^()]*\))?|\[[^\][]*\](?=\s*\w)|(\w+)(?=\s))\s*/;
/** Most levels of type arguments that are removed. */
const MAX_NESTED = 6;

/** Types of the parameters in the list that opens at `open`: without type arguments, `=` behind one with a default, `...` behind one of many. */
export function parameterTypes(sink: FactSink, open: number, to: number): string[] {
  const { source, rules } = sink;
  const { parameters } = rules;
  if (parameters === undefined) return [];
  const parts = declarationsIn(sink, open, sink.closing(open, to));
  // A method that extends a type can be called with its first argument before the dot.
  if (parts.length > 0 && /^this\s/.test(source.slice(parts[0].start, parts[0].start + 5)))
    return parts.map((_, i) => (i === 0 ? '=' : ''));
  const types = parts.map(({ start, end }) =>
    parameterType(source.slice(start, Math.min(end, start + MAX_HEAD_LENGTH)), parameters),
  );
  return types.length === 1 && types[0] === 'void' ? [] : types;
}

/** A type that is a name, and the name of a parameter: most are such, in languages that write types before names. */
const TYPE_AND_NAME = /^([\w$.]+) [\w$]+$/;

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*/g;

function parameterType(text: string, rules: ParameterRules): string {
  const { type, words, rest, apart } = rules;
  if (apart !== undefined) {
    const plain = text.replace(COMMENTS, '');
    const standard = plain.search(/=(?!=)/);
    const declared = standard < 0 ? plain : plain.slice(0, standard);
    return `${apart.type(declared)}${rest.test(declared) ? '...' : ''}${standard < 0 ? '' : '='}`;
  }
  const written = type === 'behind' || rules.labels ? undefined : TYPE_AND_NAME.exec(text)?.[1];
  return written === undefined || words.has(written) || rest.test(text) ? typeWritten(text, rules) : written;
}

function typeWritten(text: string, rules: ParameterRules): string {
  const { type, words, rest } = rules;
  const label = rules.labels ? `${/^\s*(\w+)/.exec(text)?.[1].replace(/^_$/, '') ?? ''}:` : '';
  let plain = text.replace(COMMENTS, '').trim();
  for (let word = LEADING.exec(plain); word !== null; word = LEADING.exec(plain)) {
    if (!/^[@[]/.test(word[0]) && !words.has(word[1])) break;
    plain = plain.slice(word[0].length);
  }
  const standard = /\s*=(?![=>])/.exec(plain);
  const declared = standard === null ? plain : plain.slice(0, standard.index);
  const end = standard === null ? '' : '=';
  let written =
    type === 'behind' ? declared.slice(declared.indexOf(':') + 1) : declared.replace(/[\w$]+(?=(?:\s*\[\s*\])*$)/, '');
  written = written.replace(/\s+|\.\.\.|[?!&]+/g, '');
  if (/[-=]>/.test(written)) return `${label}->${end}`;
  for (let depth = 0; depth < MAX_NESTED && written.includes('<'); depth++) written = written.replace(/<[^<>]*>/g, '');
  if (type === 'behind') written = written.replace(/^\[(.*)\]$/, '$1[]').replace(/(\w)\[[^\]].*\]$/, '$1');
  written = written.replace(/,/g, ';');
  return `${label}${rest.test(text) ? `${written.replace(/\[\]$|\*$/, '')}...` : written}${end}`;
}
