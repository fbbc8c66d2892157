/** Patterns of Rust, and the values of the names in them. */

import type { FactSink, NodeView } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';

/** Longer patterns are not read. */
const MAX_PATTERN_LENGTH = 600;
const MAX_ARMS = 200;

/** `let [mut] name[: Type] = value;` */
export function letDeclaration({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const from = start + (/^let\s+/.exec(source.slice(start, start + 20))?.[0].length ?? 3);
  const equals = findOutside(source, from, end, '=;', rules.lexical, true);
  const colon = findTypeColon(from, equals, sink);
  const type = source.slice(colon + 1, equals).trim();
  const last = source[end - 1] === ';' ? end - 1 : end;
  pattern(from, colon, type, equals < last ? sink.accessPath(equals + 1, last) : '', sink);
}

/** `if let Some(x) = value`, `while let`. */
export function letCondition({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const from = start + 4;
  const equals = findOutside(source, from, end, '=', rules.lexical);
  pattern(from, equals, '', sink.accessPath(equals + 1, end), sink);
}

/** The first single colon: of `a::b` there are two. */
export function findTypeColon(from: number, to: number, { source, rules }: FactSink): number {
  for (let at = from; at < to; ) {
    const colon = findOutside(source, at, to, ':', rules.lexical);
    if (colon >= to || source[colon + 1] !== ':') return colon;
    at = colon + 2;
  }
  return to;
}

/** Names of a pattern: alone, or in `Some(…)` and `Ok(…)`, it is the value; elsewhere in it a part of unknown type. */
export function pattern(from: number, to: number, type: string, value: string, sink: FactSink): void {
  const text = sink.source.slice(from, Math.min(to, from + MAX_PATTERN_LENGTH));
  const whole = /^\s*(?:&\s*)?(?:(?:Some|Ok)\s*\(\s*)?(?:&\s*)?(?:ref\s+)?(?:mut\s+)?([a-z_]\w*)\s*\)?\s*$/.exec(text);
  if (whole !== null) {
    if (whole[1] !== '_') sink.local(from + text.lastIndexOf(whole[1]), whole[1], type, value);
    return;
  }
  for (const match of text.matchAll(/(?<![\w:.])(?!(?:ref|mut|if|box)\b)[a-z_]\w*(?!\w|\s*(?:::|\(|\{|!|:(?!:)))/g)) {
    sink.local(from + match.index, match[0], '', '');
  }
}

/** `match value { Some(x) => …, Err(e) => … }` */
export function matchExpression({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const open = findOutside(source, start + 5, end, '{', rules.lexical);
  const value = sink.accessPath(start + 5, open);
  let at = open + 1;
  for (let count = 0; count < MAX_ARMS && at < end - 1; count++) {
    let arrow = findOutside(source, at, end, '=', rules.lexical);
    while (arrow < end && source[arrow + 1] !== '>') arrow = findOutside(source, arrow + 2, end, '=', rules.lexical);
    if (arrow >= end || source[arrow] !== '=') return;
    const guard = /\sif\s/.exec(source.slice(at, arrow));
    pattern(at, guard === null ? arrow : at + guard.index, '', value, sink);
    const body = arrow + 2 + (/^\s*/.exec(source.slice(arrow + 2, arrow + 200))?.[0].length ?? 0);
    at = source[body] === '{' ? sink.closing(body, end) : findOutside(source, body, end, ',', rules.lexical);
    if (source[at] === ',') at++;
  }
}
