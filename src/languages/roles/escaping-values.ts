/** Functions and types that are passed to other code: names that are whole elements of a list. */
import type { FactSink } from './relations.js';
import { splitList, type TextRange } from './scan.js';

/** A signature or a list longer than this is a table, not code. */
export const MAX_LIST_LENGTH = 4_000;

/** The elements of a list, none if it is too long to be looked at. */
export function elementsOf(from: number, to: number, { source, rules }: FactSink, angles = false): TextRange[] {
  return to - from > MAX_LIST_LENGTH ? [] : splitList(source, from, to, ',', rules.lexical, angles);
}

/**
 * States a reference of kind `value` for each element that matches: `name` captures an access path and nothing else matters
 * (`key: name`, `&name`).
 */
export function handedOn(from: number, to: number, name: RegExp, sink: FactSink): void {
  if (to - from < 2) return;
  for (const { start, end } of elementsOf(from, to, sink)) {
    if (end - start > MAX_ELEMENT_LENGTH) continue;
    const text = sink.source.slice(start, end);
    const written = name.exec(text)?.[1];
    if (written === undefined) continue;
    const at = start + text.lastIndexOf(written);
    const found = sink.accessPathBefore(at + written.length);
    if (found.start === at) sink.reference(found.nameStart, at + written.length, 'value', found.accessPath);
  }
}

/** Names with their keys are shorter. */
const MAX_ELEMENT_LENGTH = 150;
