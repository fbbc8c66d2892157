/** The process that did the last job, for the next one: starting one and loading the program takes longer than indexing a commit. */
import type { JobProcess } from './job-process.js';

/** Time after the last job until the process is ended: a person who commits again, or changes branches, does so before. */
const RESTS_MS = 60_000;

export class Resting {
  private process: JobProcess | null = null;
  private timer: NodeJS.Timeout | null = null;

  take(): JobProcess | null {
    const { process } = this;
    this.forget();
    return process?.isAlive ? process : null;
  }

  keep(process: JobProcess): void {
    this.end();
    this.process = process;
    this.timer = setTimeout(() => this.end(), RESTS_MS);
    this.timer.unref();
  }

  end(): void {
    this.process?.stop();
    this.forget();
  }

  private forget(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = this.process = null;
  }
}
