/**
 * One parser child and its batches of jobs. The files of a batch that hits a limit are parsed again one by one, so that
 * only the file at fault is reported.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { textAt } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { PARSER_OPTIONS } from '../base/tiering.js';
import type { DegradedReason } from '../extract/facts.js';
import { endedWithUs } from '../git/supervise.js';
import type { ParseAnswer, ParseJob } from './parse-protocol.js';

export interface ParserLimits {
  /** Processor time that a file may take, in milliseconds. */
  timeoutMs: number;
  /** Resident memory that the child may take, in bytes. */
  memoryBytes: number;
}

export type ParseOutcome = { record: Uint8Array; degraded: DegradedReason | null } | { failed: DegradedReason };

export interface PendingParse {
  job: ParseJob;
  /** True if the job was in a batch that hit a limit. */
  suspect: boolean;
  resolve: (outcome: ParseOutcome) => void;
  reject: (error: unknown) => void;
}

/** Source of a parser's work, which also takes back unfinished jobs. */
interface ParseQueue {
  take: () => PendingParse[];
  /** Returns jobs to the queue and wakes idle parsers. */
  putBack: (jobs: PendingParse[]) => void;
  /** Counts time that a batch over a limit took, and the files that were given up. */
  lose: (ms: number, files: number) => void;
}

/** The part of a child process that a parser uses. */
export type ParserProcess = Pick<ChildProcess, 'pid' | 'on' | 'once' | 'send' | 'kill'>;

const CHILD = fileURLToPath(new URL('./parser-child.js', import.meta.url));
/** Time limit for starting a child. On a machine with ten times the work it can do, more than 20 s were seen. */
const START_TIMEOUT_MS = 60_000;
const WATCH_MS = 100;
/** Batches in the child's pipe: while the child parses one, the next is already there. */
const DEPTH = 2;
/**
 * Resident memory at which a child is replaced: native trees are freed late, and a fresh child is cheaper than a large
 * one.
 */
const RECYCLE_RSS_BYTES = 170 << 20;
const PAGE_BYTES = 4096;
/** Linux reports processor time in hundredths of a second on every architecture. */
const MS_PER_TICK = 10;
/** Clock time that a file may take, as a multiple of its processor time limit. */
const WALL_FACTOR = 5;

export class Parser {
  private child: ParserProcess | null = null;
  private ready: Promise<void> = Promise.resolve();
  private readonly batches: PendingParse[][] = [];
  private watchdog: NodeJS.Timeout | null = null;
  /**
   * Batch that the watchdog last saw at the head, with the child's processor time and the clock when it first saw it.
   */
  private watched: { batch: PendingParse[]; cpu: number; wall: number } | null = null;
  /** True if the child has grown too large: it gets no more work and is replaced once it is idle. */
  private recycling = false;
  /**
   * True if this program killed the child. Any other death, such as an out-of-memory kill, is blamed on its current
   * batch.
   */
  private killed = false;

  constructor(
    private readonly limits: ParserLimits,
    private readonly queue: ParseQueue,
  ) {}

  /** Starts the process of a parser. Tests that make many pools replace it, so that one process serves them all. */
  static fork(): ParserProcess {
    // A parser that hangs does not hear that we are gone.
    const [file, ...words] = [...endedWithUs(), process.execPath];
    return fork(CHILD, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execPath: file,
      execArgv: [...words, ...PARSER_OPTIONS],
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
        // Ignore late answers of a killed child, which would count for the next batch.
        child.on('message', (answers: ParseAnswer[]) => {
          if (this.child === child && !this.killed) this.settle(answers);
        });
        resolve();
      });
      const fail = (error: Error) => {
        // A timer left running would keep the whole program alive.
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
   * busy machine degrades no file. A child that makes no progress without using processor time is killed by the clock.
   */
  private watch(): void {
    const batch = this.batches[0];
    if (batch === undefined || this.killed) return;
    if (batch !== this.watched?.batch) {
      this.watched = { batch, cpu: this.cpuMs(), wall: performance.now() };
      return;
    }
    const cpu = this.cpuMs() - this.watched.cpu;
    const wall = performance.now() - this.watched.wall;
    const late = cpu > this.limits.timeoutMs || wall > this.limits.timeoutMs * WALL_FACTOR;
    if (!late && this.rss() <= this.limits.memoryBytes) return;
    this.batches.shift();
    this.queue.lose(Math.max(cpu, wall / WALL_FACTOR), batch.length === 1 ? 1 : 0);
    this.blame(batch, late ? 'parse-timeout' : 'parse-crash');
    this.kill();
  }

  /** Reports a single file as failed. For a batch of several, puts each file back to be parsed alone. */
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

  /** Processor time of the child in milliseconds; the clock on systems without /proc. */
  private cpuMs(): number {
    const stat = textAt(`/proc/${this.child?.pid}/stat`);
    if (stat === '') return performance.now();
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  }
}
