/** One job of the background, and those who wait for it. */
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
  // Nobody need wait for it.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

export class Job {
  /** Asked for as long as this, in milliseconds of `performance.now`. */
  readonly askedAt = performance.now();
  /** When the words of the snapshot can be searched. */
  readonly indexed = settled<void>();
  /** When everything is done. */
  readonly done = settled<IndexReport>();
  process: JobProcess | null = null;
  private startedAt = 0;
  private readonly progress: Pick<RunningState, 'phase' | 'done' | 'total' | 'note'> = {
    ...{ phase: 'starting', done: 0, total: 0, note: null },
  };
  isIndexed = false;
  /** Its process was told to end; `resumes`: it made way and is taken up again. */
  isEnding = false;
  resumes = false;
  /** Its process has said its last word, and may still be there. */
  isOver = false;

  constructor(
    readonly kind: JobKind,
    readonly origin: SnapshotOrigin,
    /** Nobody has asked for it yet: whatever is asked for goes first. */
    public isAhead: boolean,
  ) {}

  get key(): string {
    return `${this.kind} ${this.origin.key}`;
  }

  request(directory: string): JobRequest {
    return { directory, kind: this.kind, origin: this.origin };
  }

  started(process: JobProcess): void {
    this.process = process;
    this.startedAt = Date.now();
    this.isEnding = this.resumes = this.isOver = false;
    Object.assign(this.progress, { phase: 'starting', done: 0, total: 0, note: null });
  }

  /** Takes in what its process says, up to but not including the end. */
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

  /** `holder`: whoever holds the writer lock now. */
  state(holder: number | null): RunningState {
    const { kind, origin, progress, startedAt } = this;
    const { ref, commit } = origin.resolved;
    const other = holder === this.process?.pid ? null : holder;
    return { kind, ref, commit, ...progress, holder: progress.phase === 'waiting-for-lock' ? other : null, startedAt };
  }

  last(end: Pick<LastRun, 'report' | 'error'>): LastRun {
    const { kind, origin, startedAt } = this;
    const endedAt = Date.now();
    return { kind, ref: origin.resolved.ref, ok: end.error === undefined, ...end, ms: endedAt - startedAt, endedAt };
  }
}

export function asError({ code, message, hint }: PlainError): SocraticodeError {
  return new SocraticodeError(code, message, { hint });
}
