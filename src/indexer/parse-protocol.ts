/** Messages between the indexer and its parser children: a batch of jobs out, a batch of answers back. */
import type { ByteRange, DegradedReason } from '../extract/facts.js';

export interface ParseJob {
  oid: string;
  language: string;
  bytes: Uint8Array;
  /** Pattern to find in the tree: the answer holds what `searchTree` returns, as JSON, instead of a record. */
  pattern?: string;
  /** The answer holds the ranges of `commentsIn`, as JSON, instead of a record. */
  comments?: boolean;
}

/** Record encoded as for a note. If `degraded` is not null, it must not be written there. */
export type ParseAnswer = { record: Uint8Array; degraded: DegradedReason | null } | { error: string };

/** Ranges of an answer to a job of `comments`; null unless they lie in a text of this many bytes, in the order of their starts. */
export function readRanges(json: Uint8Array, size: number): ByteRange[] | null {
  const ranges: ByteRange[] = [];
  try {
    let least = 0;
    for (const { start, end } of JSON.parse(Buffer.from(json).toString('utf8')) as Iterable<ByteRange>) {
      const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= least && end >= start;
      if (!isRange || end > size) return null;
      ranges.push({ start, end });
      least = start;
    }
  } catch {
    // No JSON, no list, or a list of what has no members.
    return null;
  }
  return ranges;
}
