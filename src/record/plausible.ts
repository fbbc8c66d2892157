/**
 * Checks records for claims that cannot be true of their blob. A record can be valid in form and still lie. Given the
 * blob's size, two cheap checks apply: chunks must reach from the first byte to the last, and no kind of fact may be
 * more numerous than the blob has bytes.
 * So no record can hide code, or make a small file as expensive as a large one. Names in a record are not checked.
 */
import type { BlobFacts } from '../extract/facts.js';
import type { SyntaxRecord } from './types.js';

/** Size of a byte order mark; a blob with nothing else has no chunk. */
const MARK_BYTES = 3;

/** Describes a claim that cannot be true of a blob of `size` bytes, in words for a log line; null if there is none. */
export function contradiction(record: SyntaxRecord, size: number): string | null {
  if ('skip' in record) return null;
  for (const facts of Object.values(record.facts)) {
    const wrong = contradictionOf(facts, size);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** Does what `contradiction` does, for the facts of one language. */
export function contradictionOf({ lines, chunks, symbols, relations }: BlobFacts, size: number): string | null {
  const end = chunks.at(-1)?.end ?? 0;
  if (end !== size && !(end === 0 && size <= MARK_BYTES)) return `chunks of ${end} bytes in a blob of ${size}`;
  const { imports, exports, references, bindings } = relations;
  const most = Math.max(lines, symbols.length, imports.length, exports.length, references.length, bindings.length);
  return most > size ? `${most} lines, symbols or relations in a blob of ${size} bytes` : null;
}
