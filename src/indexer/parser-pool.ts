/**
 * A pool of parser children with limits: 2 s of processor time a file and 512 MB a child. A child over a limit is killed with SIGKILL,
 * because a native parse cannot be interrupted otherwise. Files that hit a limit are reported and get line chunks.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { textAt } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { groupDigits } from '../base/printable.js';
import { PARSER_OPTIONS, packageVersion } from '../base/runtime.js';
import type { ByteRange, DegradedReason } from '../extract/facts.js';
import { endedWithUs } from '../git/process.js';

// One parser child and its batches of jobs. The files of a batch that hits a limit are parsed again one by one, so that only the file at
// fault is reported.

interface ParserLimits {
  /** Processor time that a file may take, in milliseconds. */
  timeoutMs: number;
  /** Resident memory that the child may take, in bytes. */
  memoryBytes: number;
}

export type ParseOutcome = { record: Uint8Array; degraded: DegradedReason | null } | { failed: DegradedReason };

interface PendingParse {
  job: ParseJob;
  /** True if the job was in a batch that hit a limit. */
  suspect: boolean;
  resolve: (outcome: ParseOutcome) => void;
  reject: (error: unknown) => void;
}

/** Gives a parser work, and takes back unfinished jobs. */
interface ParseQueue {
  take: () => PendingParse[];
  /** Returns jobs to the queue and wakes idle parsers. */
  putBack: (jobs: PendingParse[]) => void;
  /** Counts the time of a batch over a limit, and the files that were given up. */
  lose: (ms: number, files: number) => void;
}

/** Part of a child process that a parser uses. */
export type ParserProcess = Pick<ChildProcess, 'pid' | 'on' | 'once' | 'send' | 'kill'>;

const CHILD = fileURLToPath(new URL('./parser-child.js', import.meta.url));
/** Time limit for starting a child. On a machine with ten times the work it can do, more than 20 s were seen. */
const START_TIMEOUT_MS = 60_000;
const WATCH_MS = 100;
/** Batches in the child's pipe: while the child parses one, the next is already there. */
const DEPTH = 2;
/** Resident memory at which a child is replaced: native trees are freed late, and a fresh child is cheaper than a large one. */
const RECYCLE_RSS_BYTES = 170 << 20;
const PAGE_BYTES = 4096;
/** Linux reports processor time in hundredths of a second on every architecture. */
const MS_PER_TICK = 10;
/** Clock time that a child may sleep over a file, as a multiple of its limit of processor time. */
const SLEEP_FACTOR = 5;
/** Clock time that counts between two looks. More has passed where this program itself was stopped or starved. */
const MAX_LOOK_MS = 2 * WATCH_MS;

export class Parser {
  private child: ParserProcess | null = null;
  private ready: Promise<void> = Promise.resolve();
  private readonly batches: PendingParse[][] = [];
  private watchdog: NodeJS.Timeout | null = null;
  /**
   * Batch that the watchdog last saw at the head, the child's processor time when it first saw it, the clock when it last
   * saw it, and the clock time that the child has slept since.
   */
  private watched: { batch: PendingParse[]; cpu: number; seen: number; sleptMs: number } | null = null;
  /** True if the child has grown too large: it gets no more work and is replaced once it is idle. */
  private recycling = false;
  /** True if this program killed the child. Any other death, such as an out-of-memory kill, is blamed on its current batch. */
  private killed = false;

  constructor(
    private readonly limits: ParserLimits,
    private readonly queue: ParseQueue,
  ) {}

  /** Starts the process of a parser. Tests that make many pools replace it, so that one process serves them all. */
  static fork(): ParserProcess {
    // A parser that hangs does not notice the end of this process.
    const [file, ...words] = [...endedWithUs(), process.execPath];
    return fork(CHILD, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execPath: file,
      execArgv: [...words, ...PARSER_OPTIONS],
      // Node reads all certificates of that file when it starts, a parser speaks with nobody.
      env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined },
    });
  }

  get started(): boolean {
    return this.child !== null;
  }

  get load(): number {
    return this.batches.length;
  }

  /** Starts the child if needed and gives it work. Rejects if the child does not start. */
  async pump(): Promise<void> {
    if (this.child === null) this.start();
    await this.ready;
    while (this.batches.length < DEPTH && !this.recycling && !this.killed) {
      const batch = this.queue.take();
      if (batch.length === 0) return;
      this.batches.push(batch);
      this.watchdog ??= setInterval(() => this.watch(), WATCH_MS);
      this.child?.send(
        batch.map(({ job }) => job),
        () => {},
      );
    }
  }

  /** Kills the child and returns its jobs to the queue. */
  stop(): void {
    if (this.watchdog !== null) clearInterval(this.watchdog);
    this.watchdog = null;
    const child = this.child;
    this.child = null;
    child?.kill('SIGKILL');
    this.queue.putBack(this.batches.splice(0).flat());
  }

  private start(): void {
    const child = Parser.fork();
    this.child = child;
    this.killed = false;
    this.recycling = false;
    this.ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
      child.once('message', () => {
        clearTimeout(timer);
        // Late answers of a killed child would count for the next batch.
        child.on('message', (answers: ParseAnswer[]) => {
          if (this.child === child && !this.killed) this.settle(answers);
        });
        resolve();
      });
      const fail = (error: Error) => {
        // A running timer would keep the whole program alive.
        clearTimeout(timer);
        reject(error);
      };
      // A process that could not be made never exits.
      child.once('error', fail);
      child.once('exit', () => fail(new SocraticodeError('RESOURCES', 'the parser process does not start')));
    });
    this.ready.catch(() => {});
    child.once('exit', () => this.exited(child));
  }

  private settle(answers: ParseAnswer[]): void {
    const batch = this.batches.shift() ?? [];
    for (const [i, pending] of batch.entries()) {
      const answer = answers[i];
      pending.resolve('error' in answer ? { failed: 'parse-crash' } : answer);
    }
    if (this.rss() > RECYCLE_RSS_BYTES) this.recycling = true;
    if (this.recycling && this.batches.length === 0) this.kill();
    else this.pump().catch((error) => this.abort(error));
  }

  private kill(): void {
    this.killed = true;
    this.child?.kill('SIGKILL');
  }

  private abort(error: unknown): void {
    for (const pending of this.batches.splice(0).flat()) pending.reject(error);
  }

  /**
   * Kills a child whose current batch takes too much time or memory. Time is the child's own processor time, so that a
   * busy or suspended machine degrades no file. The clock counts for a child that sleeps: it waits for what never comes.
   */
  private watch(): void {
    const batch = this.batches[0];
    if (batch === undefined || this.killed) return;
    if (batch !== this.watched?.batch) {
      this.watched = { batch, cpu: this.usage().cpuMs, seen: performance.now(), sleptMs: 0 };
      return;
    }
    const { watched } = this;
    const now = performance.now();
    const passed = Math.min(now - watched.seen, MAX_LOOK_MS);
    watched.seen = now;
    const { cpuMs, isAsleep } = this.usage();
    if (isAsleep) watched.sleptMs += passed;
    // Without /proc the clock stands for processor time.
    const cpu = Number.isNaN(cpuMs) ? watched.sleptMs : cpuMs - watched.cpu;
    const late = cpu > this.limits.timeoutMs || watched.sleptMs > this.limits.timeoutMs * SLEEP_FACTOR;
    if (!late && this.rss() <= this.limits.memoryBytes) return;
    this.batches.shift();
    this.queue.lose(Math.max(cpu, watched.sleptMs / SLEEP_FACTOR), batch.length === 1 ? 1 : 0);
    this.blame(batch, late ? 'parse-timeout' : 'parse-crash');
    this.kill();
  }

  /** Reports a single file as failed. Puts each file of a larger batch back to be parsed alone. */
  private blame(batch: PendingParse[], reason: DegradedReason): void {
    if (batch.length === 1) batch[0].resolve({ failed: reason });
    else this.queue.putBack(batch.map((pending) => Object.assign(pending, { suspect: true })));
  }

  private exited(child: ParserProcess): void {
    if (this.child !== child) return;
    this.child = null;
    const head = this.batches[0];
    if (!this.killed && head !== undefined) {
      this.batches.shift();
      this.blame(head, 'parse-crash');
    }
    this.queue.putBack(this.batches.splice(0).flat());
  }

  /** Resident bytes of the child; 0 on systems without /proc. */
  private rss(): number {
    return Number(textAt(`/proc/${this.child?.pid}/statm`).split(' ')[1] ?? 0) * PAGE_BYTES;
  }

  /** Processor time of the child in milliseconds, NaN on systems without /proc; and whether it neither runs, nor could run, nor was stopped. */
  private usage(): { cpuMs: number; isAsleep: boolean } {
    const stat = textAt(`/proc/${this.child?.pid}/stat`);
    if (stat === '') return { cpuMs: Number.NaN, isAsleep: true };
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK, isAsleep: fields[0] === 'S' };
  }
}

export const DEFAULT_LIMITS: ParserLimits = { timeoutMs: 2_000, memoryBytes: 512 << 20 };

/** Names the program and its limits, for what they could not parse. */
export const PARSED_BY = [packageVersion(), ...Object.values(DEFAULT_LIMITS)].join(' ');

/**
 * Time that files over a limit may take in one run, in limits of a file. After that the others get less: a hundred hostile ones would
 * take all day.
 */
const LOST_LIMITS = 30;
/** Share of the limit that remains then. Half is enough for a fresh child that compiles a large grammar first. */
const HURRIED = 1 / 2;

/** Small files travel together: one message per file would cost as much as parsing it. */
const BATCH_JOBS = 16;
const BATCH_BYTES = 64 * 1024;
/**
 * Bytes of waiting text for each child that is started. Starting one and compiling its grammars takes half a second of processor time,
 * which little text does not pay back.
 */
const CHILD_START_BYTES = 128 * 1024;

/** Children that parse in the background: one or two leave the machine to whoever works on it. */
export const GENTLE_CHILDREN = 2;
/** Memory of a child when it is replaced, with room for the current file. All children together take a quarter of the memory at most. */
const CHILD_BYTES = 256 << 20;
const MEMORY_SHARE = 1 / 4;

/**
 * Number of children that this machine has room for. One core is left to the process that reads, builds and writes; two cores are shared.
 */
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
  private readonly current: ParserLimits;
  /** Milliseconds lost to files over a limit, the number of these files, and how many of them had less time. */
  private lost = { ms: 0, files: 0, hurried: 0 };

  /** `outlasts`: an idle child stays, since other runs follow in this process. */
  constructor(
    private readonly limits: ParserLimits = DEFAULT_LIMITS,
    size = defaultChildren(),
    private readonly outlasts = false,
  ) {
    this.current = { ...limits };
    this.resize(size);
  }

  /** Highest number of children at a time. */
  get size(): number {
    return this.parsers.length;
  }

  /** Returns whether somebody waits for a file. */
  get isBusy(): boolean {
    return this.waiting.length > 0 || this.parsers.some(({ load }) => load > 0);
  }

  /** Changes the number of children. Running ones stay. */
  resize(size: number): void {
    const queue = {
      take: () => this.takeBatch(),
      putBack: (jobs: PendingParse[]) => this.putBack(jobs),
      lose: (ms: number, files: number) => this.lose(ms, files),
    };
    while (this.parsers.length < size) this.parsers.push(new Parser(this.current, queue));
    const retained = this.parsers.filter(({ started }, i) => i < size || started);
    this.parsers.splice(0, this.parsers.length, ...retained);
  }

  /** Starts a child, for a caller that knows it will need one. More start with the waiting text. */
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

  /** Ends a run: kills the children, except an idle one if the pool outlasts the run, and rejects all jobs without an answer. */
  rest(): void {
    this.stopped ||= !this.outlasts;
    const retained = this.stopped ? undefined : this.parsers.find(({ started, load }) => started && load === 0);
    for (const parser of this.parsers) if (parser !== retained) parser.stop();
    this.rejectAll(stoppedError());
    this.reportLost();
  }

  /** Kills the children for good and rejects all jobs without an answer. */
  stop(): void {
    this.stopped = true;
    for (const parser of this.parsers) parser.stop();
    this.rejectAll(stoppedError());
  }

  private lose(ms: number, files: number): void {
    const isHurried = this.current.timeoutMs < this.limits.timeoutMs;
    this.lost.ms += ms;
    this.lost.files += files;
    if (isHurried) this.lost.hurried += files;
    if (this.lost.ms > LOST_LIMITS * this.limits.timeoutMs) this.current.timeoutMs = this.limits.timeoutMs * HURRIED;
  }

  /** Reports lost time at the end of a run. The next one has all its time again. */
  private reportLost(): void {
    const { ms, files, hurried } = this.lost;
    if (hurried > 0) {
      const seconds = groupDigits(Math.round(ms / 1_000));
      const limit = (this.current.timeoutMs / 1_000).toString();
      log.warn(
        `${groupDigits(files)} files could not be parsed, which took ${seconds} s: the last ${groupDigits(hurried)} of them had ${limit} s each`,
      );
    }
    this.lost = { ms: 0, files: 0, hurried: 0 };
    this.current.timeoutMs = this.limits.timeoutMs;
  }

  private pump(): void {
    this.pumping = false;
    if (this.stopped) return;
    // No more children than there are jobs, and none for little text.
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

export interface ParseJob {
  oid: string;
  language: string;
  bytes: Uint8Array;
  /** Pattern to find in the tree: the answer holds the result of `searchTree`, as JSON, instead of a record. */
  pattern?: string;
  /** The answer holds the ranges of `commentsIn`, as JSON, instead of a record. */
  comments?: boolean;
  /** Names to find: the answer holds the result of `namePlaces`, as JSON, instead of a record. */
  names?: readonly string[];
}

/** Record encoded as for a note. If `degraded` is not null, it must not be written there. */
export type ParseAnswer = { record: Uint8Array; degraded: DegradedReason | null } | { error: string };

/**
 * Reads the ranges that answer a job with `comments`; null unless they lie in a text of this many bytes, in the order of their starts.
 */
export function readRanges(json: Uint8Array, size: number): ByteRange[] | null {
  const ranges: ByteRange[] = [];
  try {
    let least = 0;
    for (const { start, end } of JSON.parse(Buffer.from(json).toString('utf8')) as Iterable<ByteRange>) {
      const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= least && end >= start;
      if (!isRange || end > size) return null;
      ranges.push({ start, end });
      least = start;
    }
  } catch {
    // No JSON, no list, or a list of values without members.
    return null;
  }
  return ranges;
}
