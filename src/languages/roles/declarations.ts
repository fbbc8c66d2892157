/** Reading declarations out of text: types before names (`List<Item> items`), types after them (`items: List<Item>`), lists of parents. */

import type { Reading } from './relations.js';
import { findOutside, isNameCode, skipSpace, splitList, type TextRange } from './scan.js';

/** A declaration's head (modifiers, type, name) that is longer says nothing that is worth the time. */
export const LONGEST_HEAD = 1_000;

export interface Declared {
  type: string;
  name: string;
  nameAt: number;
  /** Offset after the name. */
  after: number;
}

/** Offset after modifiers, annotations with arguments (`@A(x)`, `[A(x)]`) and white space. `modifiers` is sticky and matches one word. */
export function skipModifiers(reading: Reading, from: number, to: number, modifiers: RegExp): number {
  const { source, rules } = reading;
  for (let at = skipSpace(source, from, to, rules.spelling); at < to; ) {
    modifiers.lastIndex = at;
    const match = modifiers.exec(source);
    if (match === null || match[0] === '') return at;
    at += match[0].length;
    if (source[at - 1] === '(' || source[at - 1] === '[') at = reading.closing(at - 1, to);
    else if (match[0][0] === '@') {
      const open = skipSpace(source, at, to, rules.spelling);
      if (source[open] === '(') at = reading.closing(open, to);
    }
    at = skipSpace(source, at, to, rules.spelling);
  }
  return to;
}

/** End of the type that starts at `at`: a name with dots, type arguments, brackets of arrays, `?`, `*`; `at` if there is none. */
export function typeEnd(reading: Reading, from: number, to: number): number {
  const { source } = reading;
  let at = from;
  if (source[at] === '(') at = reading.closing(at, to);
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
  const limit = Math.min(to, open + LONGEST_HEAD);
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
export function typeBeforeName(reading: Reading, from: number, to: number, modifiers: RegExp): Declared | null {
  const { source, rules } = reading;
  const limit = Math.min(to, from + LONGEST_HEAD);
  const start = skipModifiers(reading, from, limit, modifiers);
  const end = typeEnd(reading, start, limit);
  let nameAt = skipSpace(source, end, limit, rules.spelling);
  if (end === start || nameAt >= limit) return null;
  while (nameAt < limit && (source[nameAt] === '.' || source[nameAt] === '*' || source[nameAt] === '&')) nameAt++;
  const nameStart = skipSpace(source, nameAt, limit, rules.spelling);
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

/** Access path after the `=` between `from` and `to`; '' without one, and for a value that cannot be followed. */
export function valueAfter(reading: Reading, from: number, to: number): string {
  const { source, rules } = reading;
  const at = skipSpace(source, from, to, rules.spelling);
  if (source[at] !== '=' || source[at + 1] === '=') return '';
  return reading.chain(at + 1, to);
}

/** Parts of the list of declarations between brackets at `open` and before `close`. */
export function declarationsIn(reading: Reading, open: number, close: number): TextRange[] {
  return splitList(reading.source, open + 1, close - 1, ',', reading.rules.spelling, true);
}

/**
 * The further declarators of `Type a = 1, b = 2`: `each` is called with the name's offset, the name, and where its value (or nothing)
 * begins and ends. `first` is where the first name stands.
 */
export function declarators(
  reading: Reading,
  first: number,
  end: number,
  each: (at: number, name: string, after: number, to: number) => void,
): void {
  const { source, rules } = reading;
  for (let at = first, count = 0; at < end && count < MOST_DECLARATORS; count++) {
    const name = nameFrom(source, at);
    if (name === '') return;
    const after = at + name.length;
    const next = skipSpace(source, after, end, rules.spelling);
    // A comma between type arguments: `new Map<A, B>()`.
    if (next < end && !'=[(,:'.includes(source[next])) return;
    const to = listItemEnd(reading, after, end);
    each(at, name, after, to);
    at = skipSpace(source, to + 1, end, rules.spelling);
  }
}

export const MOST_DECLARATORS = 50;

/** The next comma outside of brackets, looked for nearby: a value that goes on for longer is the last one; else `end`. */
export function listItemEnd({ source, rules }: Reading, from: number, end: number): number {
  const limit = Math.min(end, from + LONGEST_HEAD);
  const to = findOutside(source, from, limit, ',', rules.spelling);
  return to === limit ? end : to;
}

/** States the names in a list of type parameters, `<T extends X, out U>`, whose bracket opens at `open`; gives the offset after it. */
export function typeParameters(
  reading: Reading,
  open: number,
  to: number,
  close = angleEnd(reading.source, open, to),
): number {
  if (close === -1) return open;
  for (const part of splitList(reading.source, open + 1, close - 1, ',', reading.rules.spelling, true)) {
    const name = /^(?:(?:in|out|reified|const|class|typename|@\w+)\s+)*[+\-\s]*(\w+)/.exec(
      reading.source.slice(part.start, part.end),
    );
    if (name !== null) reading.typeParameter(name[1]);
  }
  return close;
}

/**
 * The names of parents in a list such as `B<C>, d.E(1) with F`: each with the offset of its last name. Type arguments and constructor
 * arguments are left out of the chain.
 */
export function parents(
  reading: Reading,
  from: number,
  to: number,
  separator = ',',
): { chain: string; at: number; end: number }[] {
  const { source, rules } = reading;
  const found: { chain: string; at: number; end: number }[] = [];
  for (const part of splitList(source, from, to, separator, rules.spelling, true)) {
    const match = PARENT.exec(source.slice(part.start, Math.min(part.end, part.start + LONGEST_PARENT)));
    if (match === null) continue;
    const chain = match[2].replace(/\s+/g, '').replaceAll('::', '.').replace(/^\./, '');
    const end = part.start + match[0].length;
    found.push({ chain, at: end - chain.length + chain.lastIndexOf('.') + 1, end });
  }
  return found;
}

const LONGEST_PARENT = 300;
const PARENT = /^((?:(?:public|private|protected|virtual|sealed|@\w+)\s+)*)((?:::)?[\w$]+(?:(?:::|\.)[\w$]+)*)/;

/**
 * Escaping values in languages with braces: access paths that are a whole argument, element or value. Most matches are no
 * functions; only names that the file imports or defines count.
 */
export const HANDED_ON =
  /(?:[(,=?:]|\breturn|[-=]>)\s*((?:this\.)?[A-Za-z_$][\w$]*(?:\.(?!class\b)[\w$]+)*)\s*(?=[,);\]}]|:(?!:))/g;

/** References to every name in the text of a type: for grammars that have no node of their own for it. */
export function typeReferences(reading: Reading, from: number, to: number): void {
  const { source } = reading;
  const text = source.slice(from, Math.min(to, from + LONGEST_HEAD));
  for (const match of text.matchAll(/(?:[A-Za-z_$][\w$]*(?:\.|::))*([A-Za-z_$][\w$]*)/g)) {
    const end = from + match.index + match[0].length;
    reading.reference(end - match[1].length, end, 'type', match[0].replaceAll('::', '.'));
  }
}
