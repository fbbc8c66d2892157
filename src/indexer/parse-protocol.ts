/** Messages between the indexer and its parser children: a batch of jobs out, a batch of answers back. */
import type { DegradedReason } from '../extract/facts.js';

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
