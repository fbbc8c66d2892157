/** What a project and its background process tell each other, and what is told about them. */
import type { ErrorCode } from '../base/error-codes.js';
import type { IndexReport } from '../indexer/report.js';
import type { SnapshotOrigin } from '../session/snapshot/snapshot.js';

/**
 * `index`: for a question, so a provider is asked for a few vectors only. `full`: what `git socraticode index` does.
 * `link`: indexed as for a question, then its graph.
 */
export type JobKind = 'index' | 'full' | 'link';

/** `waiting-for-lock`: another process writes this repository's index. */
export type Phase = 'starting' | 'waiting-for-lock' | 'fetching' | 'indexing' | 'vectors' | 'linking';

export interface JobRequest {
  directory: string;
  kind: JobKind;
  /** Resolved by whoever asked, so that both mean the same files whatever happens to HEAD. */
  origin: SnapshotOrigin;
}

export interface PlainError {
  code: ErrorCode;
  message: string;
  hint: string;
}

export type JobMessage =
  | { type: 'phase'; phase: Phase }
  /** `done` of `total` files, chunks or shards, as the phase has it. */
  | { type: 'progress'; done: number; total: number; note: string | null }
  /** The words of the snapshot can be searched; `report` where that was all there was to do. */
  | { type: 'indexed'; report: IndexReport | null }
  | { type: 'done'; report: IndexReport }
  | { type: 'failed'; error: PlainError };

/** A job that runs. */
export interface RunningState {
  kind: JobKind;
  /** What was asked for: `HEAD`, a branch, `all branches`. */
  ref: string;
  commit: string | null;
  phase: Phase;
  done: number;
  /** 0 where it is not known. */
  total: number;
  note: string | null;
  /** The process that holds the writer lock, where that is what the job waits for. */
  holder: number | null;
  /** Milliseconds since 1970. */
  startedAt: number;
}

export interface LastRun {
  kind: JobKind;
  ref: string;
  ok: boolean;
  report?: IndexReport;
  error?: PlainError;
  ms: number;
  endedAt: number;
}

export interface BackgroundState {
  running: RunningState | null;
  /** Refs of jobs that wait, the next first. */
  queued: { kind: JobKind; ref: string }[];
  last: LastRun | null;
}

/** One line about a job that runs, for people and agents: `indexing HEAD: 34% (1,204/3,541 files)`. */
export function describeRun({ ref, phase, done, total, holder }: RunningState): string {
  if (phase === 'waiting-for-lock') {
    const who = holder === null ? 'the writer lock' : `process ${holder}, which is writing the index`;
    return `indexing ${ref}: waiting for ${who}`;
  }
  const verb = phase === 'linking' ? 'linking' : phase === 'vectors' ? 'embedding' : 'indexing';
  if (total === 0) return `${verb} ${ref}`;
  const counts = `${done.toLocaleString('en')}/${total.toLocaleString('en')}`;
  return `${verb} ${ref}: ${Math.floor((done / total) * 100)}% (${counts})`;
}
