/**
 * Text to terms, for documents and queries alike. An identifier gives its camelCase, snake_case and digit parts,
 * lower-cased and lightly stemmed, and, if it has several parts, the whole identifier lower-cased. Runs of CJK
 * characters, which have no spaces, give bigrams.
 */
import { stem } from './stem.js';

/** Longer runs are keys, hashes or encoded data: no query contains them. */
export const MAX_IDENTIFIER = 64;

/** The class of each ASCII code: 0 other, 1 lower, 2 upper, 3 digit, 4 joiner (_ and $). */
export const ASCII_CLASS = new Uint8Array(128);
const CLASS = ASCII_CLASS;
for (let c = 97; c <= 122; c++) CLASS[c] = 1;
for (let c = 65; c <= 90; c++) CLASS[c] = 2;
for (let c = 48; c <= 57; c++) CLASS[c] = 3;
CLASS[95] = 4;
CLASS[36] = 4;

const CJK = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

/** Calls `visit` for every identifier-like run of `text`, with its offset. Runs over `MAX_IDENTIFIER` are left out. */
export function eachIdentifier(text: string, visit: (identifier: string, at: number) => void): void {
  const length = text.length;
  let i = 0;
  while (i < length) {
    let c = text.charCodeAt(i);
    if (c < 128 && CLASS[c] === 0) {
      i++;
      continue;
    }
    const from = i;
    let ascii = true;
    for (; i < length; i++) {
      c = text.charCodeAt(i);
      if (c >= 128) ascii = false;
      else if (CLASS[c] === 0) break;
    }
    if (!ascii) visitUnicode(text.slice(from, i), from, visit);
    else if (i - from <= MAX_IDENTIFIER) visit(text.slice(from, i), from);
  }
}

/** A run with non-ASCII characters may hold punctuation (typographic quotes, arrows) that ends words. */
function visitUnicode(run: string, offset: number, visit: (identifier: string, at: number) => void): void {
  for (const match of run.matchAll(WORD)) if (match[0].length <= MAX_IDENTIFIER) visit(match[0], offset + match.index);
}

/** The parts of one identifier as written: `parseHTTPRequest2` gives parse, HTTP, Request, 2. */
export function identifierParts(identifier: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let before = 0;
  const cut = (at: number) => {
    if (at > from) parts.push(identifier.slice(from, at));
    from = at;
  };
  for (let i = 0; i < identifier.length; i++) {
    const code = identifier.charCodeAt(i);
    const now = code < 128 ? CLASS[code] : 1;
    if (now === 4) {
      cut(i);
      from = i + 1;
    } else if (now !== before && before !== 4 && i > from) {
      if (now === 2 || now === 3 || before === 3) cut(i);
      // The capital before a lower-case letter starts its word: HTTPServer is HTTP + Server, but URLs is one word.
      else if (now === 1 && before === 2 && i - from > 1 && !isPlural(identifier, i)) cut(i - 1);
    }
    before = now;
  }
  cut(identifier.length);
  return parts;
}

/** Is the letter at `i` the s of an acronym's plural? */
function isPlural(identifier: string, i: number): boolean {
  const next = identifier.charCodeAt(i + 1);
  return identifier[i] === 's' && !(next >= 128 || CLASS[next] === 1);
}

/** Single letters (loop variables, type parameters) say nothing about what code does. */
const LETTER = /[a-z]/i;

/** The terms of one identifier, parts first, then the whole if it has several parts. */
export function identifierTerms(identifier: string): string[] {
  if (CJK.test(identifier)) return cjkTerms(identifier);
  const parts = identifierParts(identifier);
  const terms: string[] = [];
  for (const part of parts) if (part.length > 1 || !LETTER.test(part)) terms.push(stem(part.toLowerCase()));
  if (parts.length > 1) terms.push(wholeTerm(identifier));
  return terms;
}

/** How a whole identifier is written as a term: lower-cased, without joiners (`get_user` and `getUser` meet). */
export function wholeTerm(identifier: string): string {
  return identifier.toLowerCase().replace(/[_$]/g, '');
}

/** Term of a definition's name: `reserveStock`, `reserve_stock` and `ReserveStock` meet. */
export function nameKey(name: string): string {
  return wholeTerm(name) || name.toLowerCase();
}

function cjkTerms(text: string): string[] {
  const terms: string[] = [];
  for (const run of text.match(
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+/gu,
  ) ?? []) {
    // Characters, not UTF-16 units: rare ones take two.
    const characters = [...run];
    if (!CJK.test(run)) terms.push(...identifierTerms(run));
    else if (characters.length === 1) terms.push(run);
    else for (let i = 0; i + 1 < characters.length; i++) terms.push(characters[i] + characters[i + 1]);
  }
  return terms;
}

/** All terms of a text in order: the straightforward form, for queries, paths and tests. */
export function textTerms(text: string): string[] {
  const terms: string[] = [];
  eachIdentifier(text, (identifier) => {
    for (const term of identifierTerms(identifier)) terms.push(term);
  });
  return terms;
}
