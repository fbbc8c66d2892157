/** Values of expressions: an access path, one of several (`ok ? cart : basket`), or an object literal's type. */
import type { FactSink } from '../roles/relations.js';
import { findOutside, skipSpace, splitList } from '../roles/scan.js';

/** Alternatives in alternatives. */
const MAX_DEPTH = 3;
/** UTF-16 units of an expression with alternatives, and of a type that a literal stands for. */
const MAX_EXPRESSION_LENGTH = 1_000;
const MAX_TYPE_LENGTH = 200;
/** Between the access paths of alternatives. */
const OR = ' | ';

/** The access path of the expression [from, to), or those of its alternatives as far as they are known; '' for none. */
export function valuePath(sink: FactSink, from: number, to: number, depth = 0): string {
  const whole = sink.accessPath(from, to);
  if (whole !== '' || depth >= MAX_DEPTH || to - from > MAX_EXPRESSION_LENGTH) return whole;
  const paths = alternativesOf(sink, from, to).map(([start, end]) => valuePath(sink, start, end, depth + 1));
  return [...new Set(paths.filter((path) => path !== ''))].join(OR);
}

/** `b` and `c` of `a ? b : c`, `a` and `b` of `a ?? b` and `a || b`; none of other expressions. */
function alternativesOf({ source, rules }: FactSink, from: number, to: number): [start: number, end: number][] {
  let either = -1;
  for (let at = from; at < to; at++) {
    at = findOutside(source, at, to, '?|;=', rules.lexical);
    if (at >= to || source[at] === ';') break;
    const next = source[at + 1];
    if (source[at] === '=') {
      // A function, or an assignment.
      if (next !== '=' && !'=!<>'.includes(source[at - 1])) return [];
      if (next === '=') at++;
    } else if (source[at] === '|' || next === '?') {
      if (next !== '|' && next !== '?') return [];
      if (either === -1) either = at;
      at++;
    } else if (next !== '.') return branches({ source, rules } as FactSink, at + 1, to);
  }
  return either === -1
    ? []
    : [
        [from, either],
        [either + 2, to],
      ];
}

function branches({ source, rules }: FactSink, from: number, to: number): [start: number, end: number][] {
  let depth = 1;
  for (let at = from; at < to; at++) {
    at = findOutside(source, at, to, '?:', rules.lexical);
    if (at >= to) break;
    if (source[at] === '?' && '.?'.includes(source[at + 1] ?? '')) at++;
    else depth += source[at] === '?' ? 1 : -1;
    if (depth === 0)
      return [
        [from, at],
        [at + 1, to],
      ];
  }
  return [];
}

const MEMBER = /(?:["']?)([A-Za-z_$][\w$]*)["']?\s*(?::|(?=[,}]|$))/y;

/** `{ cart: typeof …, total: typeof … }`: the type of the object literal that opens at `open`, by the members whose values are known. */
export function literalType(sink: FactSink, open: number): string {
  const { source, rules } = sink;
  if (source[open] !== '{') return '';
  const close = sink.closing(open, open + MAX_EXPRESSION_LENGTH * 2);
  const members: string[] = [];
  let length = 4;
  for (const { start, end } of splitList(source, open + 1, close - 1, ',', rules.lexical)) {
    const at = skipSpace(source, start, end, rules.lexical);
    MEMBER.lastIndex = at;
    const match = MEMBER.exec(source);
    if (match === null || match.index + match[0].length > end) continue;
    const from = at + match[0].length;
    const path = match[0].endsWith(':') ? sink.accessPath(from, end) : match[1];
    if (path === '' || path.includes('`')) continue;
    const member = `${match[1]}: typeof \`${path}\``;
    length += member.length + 2;
    if (length > MAX_TYPE_LENGTH) break;
    members.push(member);
  }
  return members.length === 0 ? '' : `{ ${members.join('; ')} }`;
}
