/** Functions and types that are handed on: names that are whole elements of a list. */
import type { Reading } from './relations.js';
import { splitList, type TextRange } from './scan.js';

/** A signature or a list longer than this is a table, not code. */
export const LONGEST_LIST = 4_000;

/** The elements of a list, none if it is too long to be looked at. */
export function elementsOf(from: number, to: number, { source, rules }: Reading, angles = false): TextRange[] {
  return to - from > LONGEST_LIST ? [] : splitList(source, from, to, ',', rules.spelling, angles);
}

/**
 * States a reference of kind `value` for each element that matches: `name` captures a chain and nothing else matters
 * (`key: name`, `&name`).
 */
export function handedOn(from: number, to: number, name: RegExp, reading: Reading): void {
  if (to - from < 2) return;
  for (const { start, end } of elementsOf(from, to, reading)) {
    if (end - start > LONGEST_ELEMENT) continue;
    const text = reading.source.slice(start, end);
    const written = name.exec(text)?.[1];
    if (written === undefined) continue;
    const at = start + text.lastIndexOf(written);
    const found = reading.chainBefore(at + written.length);
    if (found.start === at) reading.reference(found.nameStart, at + written.length, 'value', found.chain);
  }
}

/** Names with their keys are shorter. */
const LONGEST_ELEMENT = 150;
