/**
 * A pool of parser children with limits: 2 s of processor time a file and 512 MB a child. A child over a limit is
 * killed with SIGKILL, because a native parse cannot be interrupted otherwise. Files that hit a limit are reported and
 * get line chunks.
 */
import { availableParallelism, totalmem } from 'node:os';
import { groupDigits } from '../base/digits.js';
import { SocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import type { ParseJob } from './parse-protocol.js';
import { type ParseOutcome, Parser, type ParserLimits, type PendingParse } from './parser.js';

export type { ParseOutcome } from './parser.js';

export const DEFAULT_LIMITS: ParserLimits = { timeoutMs: 2_000, memoryBytes: 512 << 20 };

/** Time that files over a limit may take in one run before the others get less, in limits of a file: a hundred hostile ones would take all day. */
const LOST_LIMITS = 30;
/** Share of the limit that is left then. Half is still enough for a fresh child that compiles a large grammar first. */
const HURRIED = 1 / 2;

/** Small files travel together: one message per file would cost as much as parsing it. */
const BATCH_JOBS = 16;
const BATCH_BYTES = 64 * 1024;
/**
 * Waiting text for each child that is started. Starting one and compiling its grammars takes half a second of processor time, which
 * little text does not pay back.
 */
const CHILD_START_BYTES = 128 * 1024;

/** Children that parse in the background: one or two leave a machine to whoever works on it. */
export const GENTLE_CHILDREN = 2;
/** Memory of a child when it is replaced, with room for the file at hand. All children take a quarter of the memory at most. */
const CHILD_BYTES = 256 << 20;
const MEMORY_SHARE = 1 / 4;

/** Children that this machine has room for: one core is left to the process that reads, builds and writes; two cores are shared. */
export function childrenFor(cores: number, memoryBytes: number): number {
  const fits = Math.floor((memoryBytes * MEMORY_SHARE) / CHILD_BYTES);
  return Math.max(1, Math.min(cores, Math.max(2, cores - 1), fits));
}

function defaultChildren(): number {
  const bound = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
  return childrenFor(availableParallelism(), Math.min(totalmem(), bound));
}

const stoppedError = () => new SocraticodeError('CANCELLED', 'cancelled');

/** Hands jobs to the children in the order of arrival. */
export class ParserPool {
  private readonly waiting: PendingParse[] = [];
  private readonly parsers: Parser[] = [];
  private pumping = false;
  private stopped = false;
  /** Limits of all children, which change when too much time was lost. */
  private readonly now: ParserLimits;
  /** Milliseconds lost to files over a limit, their number, and how many of them had less time than usual. */
  private lost = { ms: 0, files: 0, hurried: 0 };

  /** `outlasts`: other runs follow in this process, for which an idle child is kept. */
  constructor(
    private readonly limits: ParserLimits = DEFAULT_LIMITS,
    size = defaultChildren(),
    private readonly outlasts = false,
  ) {
    this.now = { ...limits };
    this.resize(size);
  }

  /** Most children at a time. */
  get size(): number {
    return this.parsers.length;
  }

  /** Does anybody wait for a file? */
  get isBusy(): boolean {
    return this.waiting.length > 0 || this.parsers.some(({ load }) => load > 0);
  }

  /** Changes the number of children. Children that run stay. */
  resize(size: number): void {
    const queue = {
      take: () => this.takeBatch(),
      putBack: (jobs: PendingParse[]) => this.putBack(jobs),
      lose: (ms: number, files: number) => this.lose(ms, files),
    };
    while (this.parsers.length < size) this.parsers.push(new Parser(this.now, queue));
    const kept = this.parsers.filter(({ started }, i) => i < size || started);
    this.parsers.splice(0, this.parsers.length, ...kept);
  }

  /** Starts a child, for a caller that knows it will need one; more start with the text that is waiting. */
  warm(): void {
    this.parsers[0]?.pump().catch(() => {});
  }

  /** Parses one blob. Rejects only if no parser can be started or the pool is stopped. */
  parse(job: ParseJob): Promise<ParseOutcome> {
    if (this.stopped) return Promise.reject(stoppedError());
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, suspect: false, resolve, reject });
      this.wake();
    });
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Ends a run: kills the children, but for an idle one where the pool outlasts the run, and rejects all jobs without an answer. */
  rest(): void {
    this.stopped ||= !this.outlasts;
    const kept = this.stopped ? undefined : this.parsers.find(({ started, load }) => started && load === 0);
    for (const parser of this.parsers) if (parser !== kept) parser.stop();
    this.rejectAll(stoppedError());
    this.tellLost();
  }

  /** Kills the children for good and rejects all jobs without an answer. */
  stop(): void {
    this.stopped = true;
    for (const parser of this.parsers) parser.stop();
    this.rejectAll(stoppedError());
  }

  private lose(ms: number, files: number): void {
    const isHurried = this.now.timeoutMs < this.limits.timeoutMs;
    this.lost.ms += ms;
    this.lost.files += files;
    if (isHurried) this.lost.hurried += files;
    if (this.lost.ms > LOST_LIMITS * this.limits.timeoutMs) this.now.timeoutMs = this.limits.timeoutMs * HURRIED;
  }

  /** At the end of a run: the next one has all its time again. */
  private tellLost(): void {
    const { ms, files, hurried } = this.lost;
    if (hurried > 0) {
      const seconds = groupDigits(Math.round(ms / 1_000));
      const limit = (this.now.timeoutMs / 1_000).toString();
      log.warn(
        `${groupDigits(files)} files could not be parsed, which took ${seconds} s: the last ${groupDigits(hurried)} of them had ${limit} s each`,
      );
    }
    this.lost = { ms: 0, files: 0, hurried: 0 };
    this.now.timeoutMs = this.limits.timeoutMs;
  }

  private pump(): void {
    this.pumping = false;
    if (this.stopped) return;
    // Start no more children than there are jobs, and none for little text.
    const bytes = this.waiting.reduce((sum, { job }) => sum + job.bytes.length, 0);
    const worth = Math.max(1, Math.min(this.waiting.length, Math.ceil(bytes / CHILD_START_BYTES)));
    const started = this.parsers.filter((parser) => parser.started).sort((a, b) => a.load - b.load);
    const others = this.parsers.filter((parser) => !parser.started).slice(0, Math.max(0, worth - started.length));
    for (const parser of [...started, ...others]) parser.pump().catch((error) => this.rejectAll(error));
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
