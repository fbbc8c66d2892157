/** Values of Python that an access path can follow. */
import type { FactSink } from '../roles/relations.js';
import { NAME } from './lexical.js';

/** Names that one value is given to. */
export const MAX_TARGETS_LENGTH = 300;
const CONSTANT = /^(?:None|True|False|\d.*|NotImplemented)$/;

export function field(at: number, name: string, type: string, value: string, sink: FactSink): void {
  if (type !== '' || value !== '') sink.field(at, name, type, value);
}

/** Access path of a value; of `a if b else c` and `a or b` that of the first part which has one. */
export function heldValue(from: number, to: number, sink: FactSink): string {
  const copied = COPIES.exec(sink.source.slice(from, Math.min(to, from + MAX_TARGETS_LENGTH)));
  if (copied !== null) return copied[1];
  const whole = followable(sink.accessPath(from, to));
  if (whole !== '' && whole !== '?') return whole;
  const text = sink.source.slice(from, Math.min(to, from + MAX_TARGETS_LENGTH));
  const word = wordOutside(text, CHOICES);
  if (word === null) return whole;
  const first = followable(sink.accessPath(from, from + word.start));
  if (first !== '' && first !== '?' && !NAME.test(first)) return first;
  const other = word.text === 'if' ? wordOutside(text, /\belse\b/g) : word;
  return other === null ? whole : heldValue(from + other.end, to, sink);
}

/** `list(carts)` has the elements of what it copies. */
const COPIES = /^\s*(?:list|tuple|set|frozenset|sorted|reversed|iter)\(([\p{L}_][\p{L}\p{N}_.]*)\)\s*$/u;
const CHOICES = /\b(?:if|or)\b/g;

/** The first match that stands in no bracket and no string. */
function wordOutside(text: string, words: RegExp): { text: string; start: number; end: number } | null {
  for (const match of text.matchAll(words)) {
    const before = text.slice(0, match.index).replace(/(["'])(?:\\.|(?!\1).)*\1/g, '');
    const depth = [...before].reduce(
      (sum, char) => sum + ('([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0),
      0,
    );
    if (depth === 0 && !/["']/.test(before))
      return { text: match[0], start: match.index, end: match.index + match[0].length };
  }
  return null;
}

export function followable(accessPath: string): string {
  return CONSTANT.test(accessPath) ? '' : accessPath;
}
