/**
 * A pool of parser children with limits: 2 s of processor time a file and 512 MB a child. A child over a limit is
 * killed with SIGKILL, because a native parse cannot be interrupted otherwise. Files that hit a limit are reported and
 * get line chunks.
 */
import { availableParallelism } from 'node:os';
import { SocraticodeError } from '../base/errors.js';
import type { ParseJob } from './parse-protocol.js';
import { type ParseOutcome, Parser, type ParserLimits, type PendingParse } from './parser.js';

export type { ParseOutcome } from './parser.js';

export const DEFAULT_LIMITS: ParserLimits = { timeoutMs: 2_000, memoryBytes: 512 << 20 };

/** Small files travel together: one message per file would cost as much as parsing it. */
const BATCH_JOBS = 16;
const BATCH_BYTES = 64 * 1024;

/** Hands jobs to the children in the order of arrival. */
export class ParserPool {
  private readonly waiting: PendingParse[] = [];
  private readonly parsers: Parser[];
  private pumping = false;
  private stopped = false;

  constructor(limits: ParserLimits = DEFAULT_LIMITS, size = Math.min(2, availableParallelism())) {
    const queue = { take: () => this.takeBatch(), putBack: (jobs: PendingParse[]) => this.putBack(jobs) };
    this.parsers = Array.from({ length: size }, () => new Parser(limits, queue));
  }

  /** Starts `count` children, for a caller that knows it will need them. */
  warm(count = this.parsers.length): void {
    for (const parser of this.parsers.slice(0, count)) parser.pump().catch(() => {});
  }

  /** Parses one blob. Rejects only if no parser can be started or the pool is stopped. */
  parse(job: ParseJob): Promise<ParseOutcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, suspect: false, resolve, reject });
      this.wake();
    });
  }

  /** Kills the children and rejects all jobs without an answer. */
  stop(): void {
    this.stopped = true;
    for (const parser of this.parsers) parser.stop();
    this.rejectAll(new SocraticodeError('CANCELLED', 'parsing was stopped'));
  }

  private pump(): void {
    this.pumping = false;
    if (this.stopped) return;
    const byLoad = [...this.parsers].sort((a, b) => a.load - b.load || Number(b.started) - Number(a.started));
    // Start no more children than there are jobs.
    for (const parser of byLoad.slice(0, this.waiting.length)) {
      parser.pump().catch((error) => this.rejectAll(error));
    }
  }

  private takeBatch(): PendingParse[] {
    const share = Math.max(1, Math.ceil(this.waiting.length / this.parsers.length));
    let count = 0;
    let bytes = 0;
    for (const { job, suspect } of this.waiting.slice(0, Math.min(BATCH_JOBS, share))) {
      if (count > 0 && (suspect || bytes + job.bytes.length > BATCH_BYTES)) break;
      count++;
      bytes += job.bytes.length;
      if (suspect) break;
    }
    return this.waiting.splice(0, count);
  }

  private putBack(jobs: PendingParse[]): void {
    this.waiting.unshift(...jobs);
    this.wake();
  }

  /** Starts the children at the end of the current turn, so that jobs which arrive in one turn form one batch. */
  private wake(): void {
    if (this.waiting.length === 0 || this.pumping || this.stopped) return;
    this.pumping = true;
    setImmediate(() => this.pump());
  }

  private rejectAll(error: unknown): void {
    for (const pending of this.waiting.splice(0)) pending.reject(error);
  }
}
