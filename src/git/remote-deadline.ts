/** Ends a git that talks to another machine when it stays silent for too long or its caller gives up. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/** Time for a process that was told to end, and for output of one that has ended. */
const GRACE_MS = 1_000;

/** Milliseconds in which git must say something: at first, and from then on. */
export interface Patience {
  first: number;
  next: number;
}

/** For commands that a person typed. */
export const EXPLICIT: Patience = { first: 60_000, next: 300_000 };
/** For commands that hooks and searches start. */
export const AUTOMATIC: Patience = { first: 10_000, next: 60_000 };

export class RemoteDeadline {
  /** The reason why the process was ended; null if it was not. */
  reason: 'silent' | 'cancelled' | null = null;
  private timer: NodeJS.Timeout;
  private readonly cancel = () => this.end('cancelled');

  constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    patience: Patience,
    private readonly signal?: AbortSignal,
  ) {
    const endAfter = (ms: number) => setTimeout(() => this.end('silent'), ms);
    this.timer = endAfter(patience.first);
    signal?.addEventListener('abort', this.cancel, { once: true });
    child.stderr.on('data', () => {
      clearTimeout(this.timer);
      if (this.reason === null) this.timer = endAfter(patience.next);
    });
    child.once('exit', () => {
      // A connection that ssh keeps for later (ControlPersist) holds the pipes long after git has ended. A process that was
      // busy all that time reads what waits in the pipes first, which comes between a timer and `setImmediate`.
      const close = () => [child.stdout, child.stderr].map((stream) => stream.destroy());
      const timer = setTimeout(() => setImmediate(close), GRACE_MS);
      child.once('close', () => clearTimeout(timer));
    });
  }

  stop(): void {
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.cancel);
  }

  private end(reason: 'silent' | 'cancelled'): void {
    this.reason ??= reason;
    this.signalGroup('SIGTERM');
    setTimeout(() => this.signalGroup('SIGKILL'), GRACE_MS).unref();
  }

  /** Signals git and its ssh and helpers, which would outlive it and keep the pipes open. */
  private signalGroup(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    // It never started.
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // It has ended already.
    }
  }
}
