/** Types that conditions of Python tell: `if isinstance(cart, Basket):`, `assert isinstance(cart, Basket)`. */
import type { FactSink, NodeView } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';

const INSTANCE =
  /\bisinstance\(\s*([\p{L}_][\p{L}\p{N}_]*)\s*,\s*(\([\p{L}\p{N}_., \n]{1,150}\)|[\p{L}\p{N}_.| ]{1,150}?)\s*\)/gu;
const LEAVES = /(?:^|\n)[ \t]*(?:return|raise|continue|break)\b[^\n]*(?:\n[ \t]*[)\]}][^\n]*)?\s*$/;
/** Text of a condition, and of a block that is looked through for its end. */
const MAX_CONDITION_LENGTH = 500;
const MAX_BLOCK_LENGTH = 20_000;

export function condition({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const colon = findOutside(source, start, Math.min(end, start + MAX_CONDITION_LENGTH), ':', rules.lexical);
  const text = source.slice(start, colon).replace(/^\w+\s*/, '');
  if (!text.includes('isinstance(') || /\bor\b/.test(text)) return;
  const indent = indentOf(source, start);
  const block = blockEnd(source, colon, indent);
  if (!/\bnot\b/.test(text)) narrow(text, start, block, sink);
  else if (
    /^not\s+isinstance\([^()]*(?:\([^()]*\))?[^()]*\)$/.test(text) &&
    LEAVES.test(source.slice(colon + 1, block))
  )
    narrow(text, block + 1, blockEnd(source, block, indent - 1), sink);
}

export function assertion({ start, text }: NodeView, sink: FactSink): void {
  if (!/^assert\s+isinstance\(/.test(text) || /\b(?:or|not)\b/.test(text)) return;
  narrow(
    text.slice(0, MAX_CONDITION_LENGTH),
    start,
    blockEnd(sink.source, start, indentOf(sink.source, start) - 1),
    sink,
  );
}

function narrow(text: string, start: number, end: number, sink: FactSink): void {
  for (const [, name, types] of text.matchAll(INSTANCE)) {
    // Nothing is known of what the language itself has.
    const known = types.split(/[(),|\s]+/).filter((type) => type !== '' && sink.rules.ignoredTypes?.has(type) !== true);
    if (known.length > 0) sink.narrowed(start, end, name, known.join(' | '));
  }
}

function indentOf(source: string, at: number): number {
  const line = source.slice(source.lastIndexOf('\n', at - 1) + 1, at);
  return line.length - line.trimStart().length;
}

/** Offset of the first line behind `from` that is indented by no more than `indent`. */
function blockEnd(source: string, from: number, indent: number): number {
  const limit = Math.min(source.length, from + MAX_BLOCK_LENGTH);
  for (let at = source.indexOf('\n', from); at !== -1 && at < limit; at = source.indexOf('\n', at + 1)) {
    const line = /[^ \t]/g;
    line.lastIndex = at + 1;
    const first = line.exec(source)?.index ?? source.length;
    if (source[first] !== '\n' && source[first] !== '\r' && source[first] !== '#' && first - at - 1 <= indent)
      return at;
  }
  return limit;
}
