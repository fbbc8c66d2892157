/**
 * Jobs of the background indexer: their messages, a job with the promises that questions wait for, and the child process that
 * does jobs.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, SocraticodeError } from '../base/errors.js';
import { groupDigits, shortOid } from '../base/printable.js';
import type { IndexReport } from '../indexer/report.js';
import type { SnapshotOrigin } from '../session/snapshot/snapshot.js';
import type { TargetOptions } from '../session/snapshot/target.js';

interface Settled<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
}

function settled<T>(): Settled<T> {
  let [resolve, reject]: [(value: T) => void, (error: unknown) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  // Avoids an unhandled rejection if no question waits.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** Part of a job that questions wait for: nothing, until its snapshot can be searched, or all of it. */
export type Requested = 'nothing' | 'index' | 'all';

export class Job {
  /** Time of the first request, in milliseconds of `performance.now`. */
  readonly requestedAt = performance.now();
  /** Resolves when the snapshot can be searched by words. */
  readonly indexed = settled<void>();
  /** Resolves when the whole job is done. */
  readonly done = settled<IndexReport>();
  process: JobProcess | null = null;
  private startedAt = 0;
  private readonly progress: Pick<RunningState, 'phase' | 'done' | 'total' | 'note'> = {
    ...{ phase: 'starting', done: 0, total: 0, note: null },
  };
  isIndexed = false;
  /** True after its process was told to stop; `resumes`: it was paused for another job and continues later. */
  isEnding = false;
  resumes = false;
  /** True after it was ended for good. */
  isStopped = false;
  /** True after its process has reported the end; the process may still be running. */
  isOver = false;

  constructor(
    readonly kind: JobKind,
    readonly origin: SnapshotOrigin,
    private requested: Requested,
  ) {}

  /** True if the rest of it is done in advance; a job that a question waits for goes first. */
  get isAhead(): boolean {
    return this.requested === 'nothing' || (this.requested === 'index' && this.isIndexed);
  }

  /** Another question waits for it. */
  raise(requested: Requested): void {
    if (this.requested === 'nothing' || requested === 'all') this.requested = requested;
  }

  get key(): string {
    return `${this.kind} ${this.origin.key}`;
  }

  /** True while it waits for another process, which writes the index. */
  get isBlocked(): boolean {
    return this.progress.phase === 'waiting-for-lock';
  }

  /** Stops it for good. */
  stop(): void {
    this.isStopped = true;
    this.resumes = false;
  }

  get isLinking(): boolean {
    return this.progress.phase === 'linking';
  }

  request(directory: string): JobRequest {
    return { directory, kind: this.kind, origin: this.origin };
  }

  started(process: JobProcess): void {
    this.process = process;
    this.startedAt = Date.now();
    this.isEnding = this.resumes = this.isOver = this.isStopped = false;
    Object.assign(this.progress, { phase: 'starting', done: 0, total: 0, note: null });
  }

  /** Handles the messages of its process except the last one. */
  hear(message: JobMessage): void {
    if (message.type === 'phase') Object.assign(this.progress, { phase: message.phase, done: 0, total: 0, note: null });
    else if (message.type === 'progress') {
      const { done, total, note } = message;
      Object.assign(this.progress, { done, total, note });
    } else if (message.type === 'indexed') {
      this.isIndexed = true;
      this.indexed.resolve();
      if (this.kind === 'index' && message.report !== null) this.done.resolve(message.report);
    }
  }

  succeed(report: IndexReport): void {
    this.isIndexed = true;
    this.indexed.resolve();
    this.done.resolve(report);
  }

  fail(plain: PlainError): void {
    const error = asError(plain);
    this.indexed.reject(error);
    this.done.reject(error);
  }

  /** `holder`: process that holds the writer lock. */
  state(holder: number | null): RunningState {
    const { kind, origin, progress, startedAt } = this;
    const { ref, commit } = origin.resolved;
    const other = holder === this.process?.pid ? null : holder;
    return { kind, ref, commit, ...progress, holder: progress.phase === 'waiting-for-lock' ? other : null, startedAt };
  }

  last(end: Pick<LastRun, 'report' | 'error'>): LastRun {
    const { origin, startedAt, isIndexed } = this;
    const endedAt = Date.now();
    const kind = end.error !== undefined && this.kind === 'link' && !isIndexed ? 'index' : this.kind;
    return { kind, ref: origin.resolved.ref, ok: end.error === undefined, ...end, ms: endedAt - startedAt, endedAt };
  }
}

export function asError({ code, message, hint }: PlainError): SocraticodeError {
  return new SocraticodeError(code, message, { hint });
}

/** Error of a stopped job. */
export const STOPPED = {
  ...{ code: 'CANCELLED' as const, message: 'indexing was stopped; what was finished is kept' },
  hint: 'Ask again to go on.',
};

// Messages between a project and its background process, and the state that is reported.

/**
 * `index`: index for a question, which embeds only a few texts by a provider. `full`: index everything. `link`: index as for
 * a question, then link the graph.
 */
export type JobKind = 'index' | 'full' | 'link';

/** `waiting-for-lock`: another process is writing this repository's index. */
export type Phase = 'starting' | 'waiting-for-lock' | 'fetching' | 'indexing' | 'vectors' | 'linking';

export interface JobRequest {
  directory: string;
  /** `part`: links the files that were read so far, beside a job that indexes. */
  kind: JobKind | 'part';
  /** Resolved by the server, so that both processes use the same files even if HEAD moves. */
  origin: SnapshotOrigin;
}

export interface PlainError {
  code: ErrorCode;
  message: string;
  hint: string;
}

/** Messages to a process that does jobs: one job at a time, or the order to give up the present one. */
export type ToProcess = JobRequest | { kind: 'cancel' };

/** Messages from a process that does jobs. */
export type FromProcess = JobMessage | { type: 'free' };

export type JobMessage =
  | { type: 'phase'; phase: Phase }
  /** `done` of `total` files, chunks or shards, depending on the phase. */
  | { type: 'progress'; done: number; total: number; note: string | null }
  /** The snapshot can be searched by words; `report` is set if nothing else remains to be done. */
  | { type: 'indexed'; report: IndexReport | null }
  | LastMessage;

type LastMessage =
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
  /** `index` also for a job that failed before it could link. */
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

/** Default: the work tree. */
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

/** Describes a running job in one line, for people and agents: `indexing HEAD: 34% (1,204/3,541 files)`. */
export function describeRun({ ref: requested, phase, done, total, holder }: RunningState): string {
  const ref = /^[0-9a-f]{40,64}$/.test(requested) ? shortOid(requested) : requested;
  if (phase === 'waiting-for-lock') {
    const who = holder === null ? 'the writer lock' : `process ${holder}, which is writing the index`;
    return `indexing ${ref}: waiting for ${who}`;
  }
  const verb = phase === 'linking' ? 'linking' : phase === 'vectors' ? 'embedding' : 'indexing';
  if (total === 0) return `${verb} ${ref}`;
  const counts = `${groupDigits(done)}/${groupDigits(total)}`;
  return `${verb} ${ref}: ${Math.floor((done / total) * 100)}% (${counts})`;
}

// Child process that does jobs, one at a time: it keeps the server's event loop free, and its memory is released with
// it.

const WORKER = fileURLToPath(new URL('./background-worker.js', import.meta.url));
/** Time until a process that does not end its job is killed; finished batches are kept in either case. */
const KILL_AFTER_MS = 2_000;

export class JobProcess {
  private readonly child: ChildProcess;
  private onMessage: (message: JobMessage) => void = () => {};
  private job: Promise<void> | null = null;
  private onFree: () => void = () => {};
  private isGone = false;

  constructor() {
    this.child = fork(WORKER, [], {
      serialization: 'advanced',
      // Standard output belongs to the server's protocol: the child may write to stderr only.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
    this.child.on('message', (message: FromProcess) => {
      if (message.type === 'free') this.onFree();
      else this.onMessage(message);
    });
    const gone = (how: string) => {
      this.isGone = true;
      this.onMessage({ type: 'failed', error: unexpected(how) });
      this.onFree();
    };
    this.child.once('error', ({ message }) => gone(message));
    // The last message may arrive after the exit event.
    this.child.once('exit', (code, signal) => {
      const end = () => gone(signal ?? `exit code ${code}`);
      if (this.child.connected) this.child.once('disconnect', end);
      else end();
    });
  }

  /**
   * Does a job; resolves when the process has ended, or is free for the next job. `onMessage` gets exactly one last message.
   * The previous job must have ended.
   */
  run(request: JobRequest, onMessage: (message: JobMessage) => void): Promise<void> {
    let isAnswered = false;
    this.onMessage = (message) => {
      if (isAnswered) return;
      isAnswered = isLast(message);
      onMessage(message);
    };
    this.job = new Promise((resolve) => {
      this.onFree = resolve;
    });
    this.send(request);
    return this.job;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** True if it can do another job. */
  get isAlive(): boolean {
    return !this.isGone && this.child.connected;
  }

  /** Gives the job up; resolves when that is done. The process may then be free or have ended. */
  async cancel(): Promise<void> {
    this.send({ kind: 'cancel' });
    const timer = setTimeout(() => this.child.kill('SIGKILL'), KILL_AFTER_MS);
    await this.job;
    clearTimeout(timer);
  }

  /** Ends the process at once, for one that writes whole files alone. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Ends the process. */
  stop(): void {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), KILL_AFTER_MS);
    this.child.once('exit', () => clearTimeout(timer));
  }

  /** A message that cannot be sent is answered by the end of the process. */
  private send(message: ToProcess): void {
    if (this.child.connected) this.child.send(message, () => {});
  }
}

export function isLast(message: JobMessage): message is LastMessage {
  return message.type === 'done' || message.type === 'part' || message.type === 'failed';
}

function unexpected(how: string): PlainError {
  const { code, message, hint } = new SocraticodeError('INTERNAL', `the indexing process ended early (${how})`, {
    hint: 'Ask again; if it happens again, `git socraticode index` shows more.',
  });
  return { code, message, hint };
}
