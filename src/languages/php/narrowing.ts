/** PHP: types that a variable has where a check has told: `if ($x instanceof Cart) …`, `assert($x instanceof Cart)`. */
import type { FactSink, NodeView } from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';

const MAX_CONDITION_LENGTH = 400;
const CHECK = /(!?)\s*\(?\s*\$(\w+)\s+instanceof\s+(\\?[\w\\]+)/g;
/** Statements after which the code that follows is not reached. */
const LEAVES = /^\{?\s*(?:return|throw|continue|break|exit|die)\b/;

/** `if`, `elseif` and `while`, from the keyword on. */
export function condition({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const open = source.indexOf('(', start);
  if (open === -1 || open - start > 10) return;
  const close = sink.closing(open, end);
  const text = source.slice(open, Math.min(close, open + MAX_CONDITION_LENGTH));
  if (!text.includes('instanceof')) return;
  const body = skipSpace(source, close, end, rules.lexical);
  const isEither = /\|\||\bor\b/.test(text);
  for (const [, negated, name, type] of text.matchAll(CHECK)) {
    if (name === 'this') continue;
    if (negated === '') {
      if (isEither) continue;
      const until = source[body] === '{' ? sink.closing(body, end) : end;
      sink.closure(close, until);
      sink.local(close, name, type, '');
    } else if (!/&&|\band\b/.test(text) && LEAVES.test(source.slice(body, body + 40))) sink.local(end, name, type, '');
  }
}

/** `assert($x instanceof Cart);`, from the argument list on. */
export function asserted(start: number, end: number, sink: FactSink): void {
  for (const [, negated, name, type] of sink.source
    .slice(start, Math.min(end, start + MAX_CONDITION_LENGTH))
    .matchAll(CHECK))
    if (negated === '' && name !== 'this') sink.local(end, name, type, '');
}
