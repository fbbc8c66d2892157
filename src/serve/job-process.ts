/** Child process that does one job: it keeps the server's event loop free, and its memory is released with it. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../base/errors.js';
import type { JobMessage, JobRequest, PlainError } from './background-protocol.js';

const WORKER = fileURLToPath(new URL('./background-worker.js', import.meta.url));
/** Time until a process that does not react to SIGTERM is killed; finished batches are kept in either case. */
const KILL_AFTER_MS = 2_000;

export class JobProcess {
  private readonly child: ChildProcess;
  /** Resolves when the process has ended, with or without success. */
  readonly ended: Promise<void>;
  private answered = false;

  /** `onMessage` gets exactly one last message, `done`, `part` or `failed`. */
  constructor(request: JobRequest, onMessage: (message: JobMessage) => void) {
    this.child = fork(WORKER, [], {
      serialization: 'advanced',
      // Standard output belongs to the server's protocol: the child may write to stderr only.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
    const tell = (message: JobMessage) => {
      if (this.answered) return;
      this.answered = message.type === 'done' || message.type === 'part' || message.type === 'failed';
      onMessage(message);
    };
    this.child.on('message', tell);
    this.ended = new Promise((resolve) => {
      const gone = (how: string) => {
        tell({ type: 'failed', error: unexpected(how) });
        resolve();
      };
      this.child.once('error', ({ message }) => gone(message));
      // The last message may arrive after the exit event.
      this.child.once('exit', (code, signal) => {
        const end = () => gone(signal ?? `exit code ${code}`);
        if (this.child.connected) this.child.once('disconnect', end);
        else end();
      });
    });
    this.child.send(request, () => {});
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Stops the process; resolves when it has ended. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), KILL_AFTER_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** Lets the server exit while the job runs: the child ends by itself when its channel closes. */
  unref(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}

function unexpected(how: string): PlainError {
  const { code, message, hint } = new SocraticodeError('INTERNAL', `the indexing process ended early (${how})`, {
    hint: 'Ask again; if it happens again, `git socraticode index` shows more.',
  });
  return { code, message, hint };
}
