/** The process that does one job: its memory goes with it, and the server's own event loop stays free. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../base/errors.js';
import type { JobMessage, JobRequest, PlainError } from './background-protocol.js';

const WORKER = fileURLToPath(new URL('./background-worker.js', import.meta.url));
/** A job that was asked to end keeps its finished batches; one that does not listen is killed after this. */
const KILL_AFTER_MS = 2_000;

export class JobProcess {
  private readonly child: ChildProcess;
  /** Resolves when the process is gone, whatever became of the job. */
  readonly ended: Promise<void>;
  private answered = false;

  /** `onMessage` gets exactly one last message, `done` or `failed`. */
  constructor(request: JobRequest, onMessage: (message: JobMessage) => void) {
    this.child = fork(WORKER, [], {
      serialization: 'advanced',
      // The protocol's streams are not its own: whatever it says goes to stderr.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
    const tell = (message: JobMessage) => {
      if (this.answered) return;
      this.answered = message.type === 'done' || message.type === 'failed';
      onMessage(message);
    };
    this.child.on('message', tell);
    this.ended = new Promise((resolve) => {
      const gone = (how: string) => {
        tell({ type: 'failed', error: unexpected(how) });
        resolve();
      };
      this.child.once('error', ({ message }) => gone(message));
      // Its last words may still be on their way when it is gone.
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

  /** Ends it; resolves when it is gone. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), KILL_AFTER_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** Lets this process end although the job goes on: it ends by itself when nobody listens any more. */
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
