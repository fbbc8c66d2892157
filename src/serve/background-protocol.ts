/** Messages between a project and its background process, and the state that is reported about them. */
import { groupDigits } from '../base/digits.js';
import type { ErrorCode } from '../base/error-codes.js';
import type { SocraticodeError } from '../base/errors.js';
import type { IndexReport } from '../indexer/report.js';
import type { SnapshotOrigin } from '../session/snapshot/snapshot.js';
import type { TargetOptions } from '../session/snapshot/target.js';

/**
 * `index`: index for a question, which embeds only a few texts by a provider. `full`: index everything. `link`: index as for
 * a question, then link the graph.
 */
export type JobKind = 'index' | 'full' | 'link';

/** `waiting-for-lock`: another process is writing this repository's index. */
export type Phase = 'starting' | 'waiting-for-lock' | 'fetching' | 'indexing' | 'vectors' | 'linking';

export interface JobRequest {
  directory: string;
  /** `part`: link the files that are read so far, beside a job that indexes. */
  kind: JobKind | 'part';
  /** Resolved by the server, so that both processes mean the same files even if HEAD moves. */
  origin: SnapshotOrigin;
}

export interface PlainError {
  code: ErrorCode;
  message: string;
  hint: string;
}

/** Messages to a process that does jobs: one job at a time, or the word that the present one is to be given up. */
export type ToProcess = JobRequest | { kind: 'cancel' };

/** Messages of a process that does jobs. */
export type FromProcess = JobMessage | { type: 'free' };

export type JobMessage =
  | { type: 'phase'; phase: Phase }
  /** `done` of `total` files, chunks or shards, depending on the phase. */
  | { type: 'progress'; done: number; total: number; note: string | null }
  /** The snapshot can be searched by words; `report` is set if nothing else remains to be done. */
  | { type: 'indexed'; report: IndexReport | null }
  | LastMessage;

export type LastMessage =
  | { type: 'done'; report: IndexReport }
  /** Last message of `part`: number of files in its graph, 0 where none was written. */
  | { type: 'part'; files: number }
  | { type: 'failed'; error: PlainError };

/** State of a running job. */
export interface RunningState {
  kind: JobKind;
  /** Requested ref: `HEAD`, a branch, `all branches`. */
  ref: string;
  commit: string | null;
  phase: Phase;
  done: number;
  /** 0 if unknown. */
  total: number;
  note: string | null;
  /** Process that holds the writer lock, if the job is waiting for it. */
  holder: number | null;
  /** Milliseconds since 1970. */
  startedAt: number;
}

export interface LastRun {
  /** `index` also where a job that would have linked failed before that. */
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
  /** Queued jobs, the next first. */
  queued: { kind: JobKind; ref: string }[];
  last: LastRun | null;
}

/** Without any of the three, the work tree. */
export type JobTarget = Pick<TargetOptions, 'ref' | 'in' | 'allRefs'>;

export interface WaitOptions {
  /** Time to wait in milliseconds; default: until the job ends. The job goes on afterwards. */
  waitMs?: number;
  signal?: AbortSignal;
  /** Called at each progress message of the job, as long as the caller waits. */
  onProgress?: (state: BackgroundState) => void;
}

export type JobOutcome =
  | { status: 'done'; report: IndexReport }
  | { status: 'running'; state: BackgroundState }
  | { status: 'failed'; error: SocraticodeError };

/** Digits of a commit that are shown. */
const SHORT_OID = 9;

/** Describes a running job in one line, for people and agents: `indexing HEAD: 34% (1,204/3,541 files)`. */
export function describeRun({ ref: asked, phase, done, total, holder }: RunningState): string {
  const ref = /^[0-9a-f]{40,64}$/.test(asked) ? asked.slice(0, SHORT_OID) : asked;
  if (phase === 'waiting-for-lock') {
    const who = holder === null ? 'the writer lock' : `process ${holder}, which is writing the index`;
    return `indexing ${ref}: waiting for ${who}`;
  }
  const verb = phase === 'linking' ? 'linking' : phase === 'vectors' ? 'embedding' : 'indexing';
  if (total === 0) return `${verb} ${ref}`;
  const counts = `${groupDigits(done)}/${groupDigits(total)}`;
  return `${verb} ${ref}: ${Math.floor((done / total) * 100)}% (${counts})`;
}
