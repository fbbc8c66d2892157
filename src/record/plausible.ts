/**
 * A record can be valid and lie. What it says about its blob as a whole is checked where the blob's size is known, for next
 * to nothing: chunks reach from its first byte to its last, and nothing is there more often than the blob has bytes. So
 * nobody can hide code by a record, or make a small file cost what a large one does. What it calls things is its own.
 */
import type { BlobFacts } from '../extract/facts.js';
import type { SyntaxRecord } from './types.js';

/** A blob of nothing but a byte order mark has no chunk. */
const MARK_BYTES = 3;

/** What cannot be true of a blob of `size` bytes, in words for a log line; null if all of it can. */
export function contradiction(record: SyntaxRecord, size: number): string | null {
  if ('skip' in record) return null;
  for (const facts of Object.values(record.facts)) {
    const wrong = contradictionOf(facts, size);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** The same for the facts of one language. */
export function contradictionOf({ lines, chunks, symbols, relations }: BlobFacts, size: number): string | null {
  const end = chunks.at(-1)?.end ?? 0;
  if (end !== size && !(end === 0 && size <= MARK_BYTES)) return `chunks of ${end} bytes in a blob of ${size}`;
  const { imports, exports, references, bindings } = relations;
  const most = Math.max(lines, symbols.length, imports.length, exports.length, references.length, bindings.length);
  return most > size ? `${most} lines, symbols or relations in a blob of ${size} bytes` : null;
}
