/** Child process that does jobs, one at a time: it keeps the server's event loop free, and its memory is released with it. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../base/errors.js';
import type { FromProcess, JobMessage, JobRequest, LastMessage, PlainError, ToProcess } from './background-protocol.js';

const WORKER = fileURLToPath(new URL('./background-worker.js', import.meta.url));
/** Time until a process that does not end its job is killed; finished batches are kept in either case. */
const KILL_AFTER_MS = 2_000;

export class JobProcess {
  private readonly child: ChildProcess;
  private tell: (message: JobMessage) => void = () => {};
  private job: Promise<void> | null = null;
  private isFree: () => void = () => {};
  private isGone = false;

  constructor() {
    this.child = fork(WORKER, [], {
      serialization: 'advanced',
      // Standard output belongs to the server's protocol: the child may write to stderr only.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
    this.child.on('message', (message: FromProcess) => {
      if (message.type === 'free') this.isFree();
      else this.tell(message);
    });
    const gone = (how: string) => {
      this.isGone = true;
      this.tell({ type: 'failed', error: unexpected(how) });
      this.isFree();
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
   * Does a job; resolves when the process has ended, or is free for the next job. `onMessage` gets exactly one last message. The
   * job before must have ended.
   */
  run(request: JobRequest, onMessage: (message: JobMessage) => void): Promise<void> {
    let isAnswered = false;
    this.tell = (message) => {
      if (isAnswered) return;
      isAnswered = isLast(message);
      onMessage(message);
    };
    this.job = new Promise((resolve) => {
      this.isFree = resolve;
    });
    this.send(request);
    return this.job;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Can it do another job? */
  get isAlive(): boolean {
    return !this.isGone && this.child.connected;
  }

  /** Has the job given up; resolves when that is done, after which the process may be free or have ended. */
  async cancel(): Promise<void> {
    this.send({ kind: 'cancel' });
    const timer = setTimeout(() => this.child.kill('SIGKILL'), KILL_AFTER_MS);
    await this.job;
    clearTimeout(timer);
  }

  /** Ends the process at once: for one that writes nothing but whole files. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Ends the process. */
  stop(): void {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), KILL_AFTER_MS);
    this.child.once('exit', () => clearTimeout(timer));
  }

  /** A message that cannot be sent any more is answered by the end of the process. */
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
