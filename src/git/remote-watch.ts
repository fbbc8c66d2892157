/** How long a git that talks to another machine is waited for, and how it is ended with all that it started. */
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';

/** From the end of git to the end of waiting for what it may still have said. */
const LAST_WORDS_MS = 1_000;

/** Milliseconds in which git must say something: first, and then again and again. */
export interface Patience {
  first: number;
  next: number;
}

export const EXPLICIT: Patience = { first: 60_000, next: 300_000 };
export const AUTOMATIC: Patience = { first: 10_000, next: 60_000 };

/** Ends a command that stays silent for too long, or whose caller has given up. */
export class Watch {
  reason: 'silent' | 'cancelled' | null = null;
  private timer: NodeJS.Timeout;
  private readonly abort = () => this.end('cancelled');

  constructor(
    private readonly child: ChildProcess,
    private readonly patience: Patience,
    private readonly signal?: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.end('silent'), patience.first);
    signal?.addEventListener('abort', this.abort, { once: true });
  }

  heard(): void {
    clearTimeout(this.timer);
    if (this.reason === null) this.timer = setTimeout(() => this.end('silent'), this.patience.next);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.abort);
  }

  private end(reason: 'silent' | 'cancelled'): void {
    this.reason ??= reason;
    endGroup(this.child);
  }
}

/** Git leaves ssh and its helpers behind when it is killed alone, and those keep our pipes open. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // It has ended already.
    }
  };
  kill('SIGTERM');
  setTimeout(() => kill('SIGKILL'), LAST_WORDS_MS).unref();
}

/** A connection that ssh keeps for later (ControlPersist) holds our pipes long after git has ended. */
export function letGo(child: ChildProcessWithoutNullStreams): void {
  child.once('exit', () => {
    const timer = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, LAST_WORDS_MS);
    child.once('close', () => clearTimeout(timer));
  });
}
