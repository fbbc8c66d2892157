/** Patterns of Rust: what names in them stand for. */

import type { NodeView, Reading } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';

/** A pattern longer than this is none that says what its names are. */
const LONGEST_PATTERN = 600;
const MOST_ARMS = 200;

/** `let [mut] name[: Type] = value;` */
export function letDeclaration({ start, end }: NodeView, reading: Reading): void {
  const { source, rules } = reading;
  const from = start + (/^let\s+/.exec(source.slice(start, start + 20))?.[0].length ?? 3);
  const equals = findOutside(source, from, end, '=;', rules.spelling, true);
  const colon = findTypeColon(from, equals, reading);
  const type = source.slice(colon + 1, equals).trim();
  const last = source[end - 1] === ';' ? end - 1 : end;
  pattern(from, colon, type, equals < last ? reading.chain(equals + 1, last) : '', reading);
}

/** `if let Some(x) = value`, `while let`. */
export function letCondition({ start, end }: NodeView, reading: Reading): void {
  const { source, rules } = reading;
  const from = start + 4;
  const equals = findOutside(source, from, end, '=', rules.spelling);
  pattern(from, equals, '', reading.chain(equals + 1, end), reading);
}

/** The first single colon: of `a::b` there are two. */
export function findTypeColon(from: number, to: number, { source, rules }: Reading): number {
  for (let at = from; at < to; ) {
    const colon = findOutside(source, at, to, ':', rules.spelling);
    if (colon >= to || source[colon + 1] !== ':') return colon;
    at = colon + 2;
  }
  return to;
}

/** Names of a pattern: alone, or in `Some(…)` and `Ok(…)`, it is the value; elsewhere in it a part that nobody knows. */
export function pattern(from: number, to: number, type: string, value: string, reading: Reading): void {
  const text = reading.source.slice(from, Math.min(to, from + LONGEST_PATTERN));
  const whole = /^\s*(?:&\s*)?(?:(?:Some|Ok)\s*\(\s*)?(?:&\s*)?(?:ref\s+)?(?:mut\s+)?([a-z_]\w*)\s*\)?\s*$/.exec(text);
  if (whole !== null) {
    if (whole[1] !== '_') reading.local(from + text.lastIndexOf(whole[1]), whole[1], type, value);
    return;
  }
  for (const match of text.matchAll(/(?<![\w:.])(?!(?:ref|mut|if|box)\b)[a-z_]\w*(?!\w|\s*(?:::|\(|\{|!|:(?!:)))/g)) {
    reading.local(from + match.index, match[0], '', '');
  }
}

/** `match value { Some(x) => …, Err(e) => … }` */
export function matchExpression({ start, end }: NodeView, reading: Reading): void {
  const { source, rules } = reading;
  const open = findOutside(source, start + 5, end, '{', rules.spelling);
  const value = reading.chain(start + 5, open);
  let at = open + 1;
  for (let count = 0; count < MOST_ARMS && at < end - 1; count++) {
    let arrow = findOutside(source, at, end, '=', rules.spelling);
    while (arrow < end && source[arrow + 1] !== '>') arrow = findOutside(source, arrow + 2, end, '=', rules.spelling);
    if (arrow >= end || source[arrow] !== '=') return;
    const guard = /\sif\s/.exec(source.slice(at, arrow));
    pattern(at, guard === null ? arrow : at + guard.index, '', value, reading);
    const body = arrow + 2 + (/^\s*/.exec(source.slice(arrow + 2, arrow + 200))?.[0].length ?? 0);
    at = source[body] === '{' ? reading.closing(body, end) : findOutside(source, body, end, ',', rules.spelling);
    if (source[at] === ',') at++;
  }
}
