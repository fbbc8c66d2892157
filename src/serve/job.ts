/** One job of the background indexer, with the promises that questions wait for. */
import { SocraticodeError } from '../base/errors.js';
import type { IndexReport } from '../indexer/report.js';
import type { SnapshotOrigin } from '../session/snapshot/snapshot.js';
import type { JobKind, JobMessage, JobRequest, LastRun, PlainError, RunningState } from './background-protocol.js';
import type { JobProcess } from './job-process.js';

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

/** Questions wait for its snapshot to be searchable, or for all of the job. */
export type Asked = 'nothing' | 'index' | 'all';

export class Job {
  /** Time of the first request, in milliseconds of `performance.now`. */
  readonly askedAt = performance.now();
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
    private asked: Asked,
  ) {}

  /** Is what is left of it in advance? What a question waits for goes first. */
  get isAhead(): boolean {
    return this.asked === 'nothing' || (this.asked === 'index' && this.isIndexed);
  }

  /** Another question waits for it. */
  raise(asked: Asked): void {
    if (this.asked === 'nothing' || asked === 'all') this.asked = asked;
  }

  get key(): string {
    return `${this.kind} ${this.origin.key}`;
  }

  /** It waits for another process, which writes the index. */
  get isBlocked(): boolean {
    return this.progress.phase === 'waiting-for-lock';
  }

  /** It does not go on later. */
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

  /** `holder`: process that holds the writer lock now. */
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

/** Error of a job that somebody stopped. */
export const STOPPED = {
  ...{ code: 'CANCELLED' as const, message: 'indexing was stopped; what was finished is kept' },
  hint: 'Ask again to go on.',
};
