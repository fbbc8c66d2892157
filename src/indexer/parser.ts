/**
 * One parser child and the batches of jobs it was given. A batch that hits a limit is taken apart and its files are
 * parsed one by one, so that only the file at fault is reported.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../base/errors.js';
import type { DegradedReason } from '../extract/facts.js';
import type { ParseAnswer, ParseJob } from './parse-protocol.js';

export interface ParserLimits {
  /** Processor time a file may take. */
  timeoutMs: number;
  /** Resident memory of the child. */
  memoryBytes: number;
}

export type ParseOutcome = { record: Uint8Array; degraded: DegradedReason | null } | { failed: DegradedReason };

export interface PendingParse {
  job: ParseJob;
  /** Was in a batch that hit a limit. */
  suspect: boolean;
  resolve: (outcome: ParseOutcome) => void;
  reject: (error: unknown) => void;
}

/** Where a parser gets its work, and where it puts back what it could not finish. */
export interface ParseQueue {
  take: () => PendingParse[];
  /** Also wakes idle parsers if anything waits. */
  putBack: (jobs: PendingParse[]) => void;
}

const CHILD = fileURLToPath(new URL('./parser-child.js', import.meta.url));
/** A machine with ten times the work it can do was seen to take more than 20 s. */
const START_TIMEOUT_MS = 60_000;
const WATCH_MS = 100;
/** Batches in the child's pipe: while it parses one, the next is there already. */
const DEPTH = 2;
/** Native trees are freed late; a fresh child is cheaper than a large one. */
const RECYCLE_RSS_BYTES = 170 << 20;
const PAGE_BYTES = 4096;
/** Linux reports processor time in hundredths of a second on every architecture. */
const MS_PER_TICK = 10;
/** Clock time a file may take, as a multiple of the processor time it may take. */
const WALL_FACTOR = 5;

export class Parser {
  private child: ChildProcess | null = null;
  private ready: Promise<void> = Promise.resolve();
  private readonly batches: PendingParse[][] = [];
  private watchdog: NodeJS.Timeout | null = null;
  /** The batch that the watchdog saw at the head last, and when it first did. */
  private watched: { batch: PendingParse[]; cpu: number; wall: number } | null = null;
  /** The child has grown too large: it gets no more work and is replaced once it is idle. */
  private recycling = false;
  /** We killed the child: any other death, an out-of-memory kill among them, is its current batch's fault. */
  private killed = false;

  constructor(
    private readonly limits: ParserLimits,
    private readonly queue: ParseQueue,
  ) {}

  get started(): boolean {
    return this.child !== null;
  }

  get load(): number {
    return this.batches.length;
  }

  /** Starts the child if needed and keeps it busy. Rejects if it does not start. */
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

  /** Kills the child; its jobs go back to the queue. */
  stop(): void {
    if (this.watchdog !== null) clearInterval(this.watchdog);
    this.watchdog = null;
    const child = this.child;
    this.child = null;
    child?.kill('SIGKILL');
    this.queue.putBack(this.batches.splice(0).flat());
  }

  private start(): void {
    const child = fork(CHILD, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=256', '--max-semi-space-size=4'],
    });
    this.child = child;
    this.killed = false;
    this.recycling = false;
    this.ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
      child.once('message', () => {
        clearTimeout(timer);
        // A late answer of a child that was killed would be taken for that of the next batch.
        child.on('message', (answers: ParseAnswer[]) => {
          if (this.child === child && !this.killed) this.settle(answers);
        });
        resolve();
      });
      child.once('error', reject);
      child.once('exit', () => {
        // A timer left behind keeps the whole program alive.
        clearTimeout(timer);
        reject(new SocraticodeError('RESOURCES', 'the parser process does not start'));
      });
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
   * Kills a child whose current batch takes too long or too much. Time is the child's own processor time, so that a
   * busy machine degrades no file; a child that gets nowhere without using any is killed by the clock.
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
    this.blame(batch, late ? 'parse-timeout' : 'parse-crash');
    this.kill();
  }

  /** A file alone is at fault; of several, each is tried alone. */
  private blame(batch: PendingParse[], reason: DegradedReason): void {
    if (batch.length === 1) batch[0].resolve({ failed: reason });
    else this.queue.putBack(batch.map((pending) => Object.assign(pending, { suspect: true })));
  }

  private exited(child: ChildProcess): void {
    if (this.child !== child) return;
    this.child = null;
    const head = this.batches[0];
    if (!this.killed && head !== undefined) {
      this.batches.shift();
      this.blame(head, 'parse-crash');
    }
    this.queue.putBack(this.batches.splice(0).flat());
  }

  /** Resident bytes of the child; 0 where there is no /proc. */
  private rss(): number {
    return Number(readProc(this.child?.pid, 'statm')?.split(' ')[1] ?? 0) * PAGE_BYTES;
  }

  /** Processor time of the child in milliseconds; the clock where there is no /proc. */
  private cpuMs(): number {
    const stat = readProc(this.child?.pid, 'stat');
    if (stat === null) return performance.now();
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  }
}

function readProc(pid: number | undefined, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return null;
  }
}
