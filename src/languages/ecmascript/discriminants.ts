/** Properties that tell which part of a union a value is: `{ kind: 'open', … }`, `cart.kind === Kind.Open`. */
import type { FactSink } from '../roles/relations.js';
import { bracketsOf } from './expected.js';

/** `kind: 'open'` and `kind: Kind.Open`, with the key, the text and the name of the constant. */
const TELLING_KEY =
  /[{,]\s*(?:\/\/[^\n]*\s*)?([A-Za-z_$][\w$]*)\s*:\s*(?:(["'])([\w$-]{1,40})\2|[A-Z][\w$]*(?:\.[\w$]+)*?\.([\w$]{1,40}))\s*(?:as\s+const\s*)?(?=[,}])/g;
/** UTF-16 units of a literal that are looked through. A property that tells its kind stands at the beginning. */
const MAX_LITERAL_LENGTH = 600;
/** Properties of one literal that are told: one tells the kind, a second one a kind of that kind. */
const MAX_TOLD = 2;

/** Marks of an access path for the properties of the object literal [start, end) that tell its kind. */
export function toldByLiteral(sink: FactSink, start: number, end: number): string {
  const text = sink.source.slice(start, Math.min(end, start + MAX_LITERAL_LENGTH));
  if (!text.includes(':')) return '';
  let marks = '';
  let count = 0;
  for (const match of text.matchAll(TELLING_KEY)) {
    if (bracketsOf(sink).around(start + match.index + 1)?.open !== start) continue;
    marks += `(${match[1]}=${match[3] ?? match[4]})`;
    if (++count === MAX_TOLD) break;
  }
  return marks;
}
