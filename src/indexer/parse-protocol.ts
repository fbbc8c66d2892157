/** Messages between the indexer and its parser children: a batch of jobs out, a batch of answers back. */
import type { DegradedReason } from '../extract/facts.js';

export interface ParseJob {
  oid: string;
  language: string;
  bytes: Uint8Array;
}

/** A record encoded as it goes into a note; `degraded` says that it must not. */
export type ParseAnswer = { record: Uint8Array; degraded: DegradedReason | null } | { error: string };
