/**
 * Parser children with limits: 2 s a file, then SIGKILL (a native parse cannot be interrupted otherwise), 512 MB a
 * child. Files that hit a limit are reported, not retried, and get line chunks.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../base/errors.js';
import type { DegradedReason } from '../extract/facts.js';
import type { ParseAnswer, ParseJob } from './parse-protocol.js';

export interface ParserLimits {
  timeoutMs: number;
  memoryBytes: number;
}

export const DEFAULT_LIMITS: ParserLimits = { timeoutMs: 2_000, memoryBytes: 512 << 20 };

const CHILD = fileURLToPath(new URL('./parser-child.js', import.meta.url));
const START_TIMEOUT_MS = 20_000;
const MEMORY_POLL_MS = 100;
/** Native trees are freed late; a fresh child is cheaper than a large one. */
const RECYCLE_RSS_BYTES = 170 << 20;
const RECYCLE_CHECK = 32;
/** Small files are parsed in microseconds: jobs in flight per child hide the round trip. */
const DEPTH = 4;
const PAGE_BYTES = 4096;

export type ParseOutcome = { record: Uint8Array; degraded: DegradedReason | null } | { failed: DegradedReason };

interface Pending {
  job: ParseJob;
  resolve: (outcome: ParseOutcome) => void;
  reject: (error: unknown) => void;
}

/** One child process and the jobs it was given, answered in order. */
class Parser {
  private child: ChildProcess | null = null;
  private ready: Promise<void> = Promise.resolve();
  private readonly inFlight: Pending[] = [];
  private watchdog: NodeJS.Timeout | null = null;
  private headSince = 0;
  /** Set when the child has grown too large: it gets no more jobs and is replaced once it is idle. */
  private recycling = false;
  private answered = 0;
  /** Set when we kill the child: any other death, an out-of-memory kill among them, is its current file's fault. */
  private killed = false;

  constructor(
    private readonly limits: ParserLimits,
    private readonly next: () => Pending | undefined,
  ) {}

  get load(): number {
    return this.inFlight.length;
  }

  /** Starts the child if needed and keeps it busy. */
  async pump(): Promise<void> {
    if (this.recycling) return;
    if (this.child === null) this.start();
    await this.ready;
    while (this.inFlight.length < DEPTH && !this.recycling) {
      const pending = this.next();
      if (pending === undefined) break;
      this.send(pending);
    }
  }

  private send(pending: Pending): void {
    if (this.inFlight.length === 0) this.headSince = performance.now();
    this.inFlight.push(pending);
    this.watchdog ??= setInterval(() => this.check(), MEMORY_POLL_MS);
    this.child?.send(pending.job, () => {});
  }

  private start(): void {
    const child = fork(CHILD, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=256', '--max-semi-space-size=4'],
    });
    this.child = child;
    this.ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
      child.once('message', () => {
        clearTimeout(timer);
        // A late answer of a child that was killed would be taken for that of the next file.
        child.on('message', (answer: ParseAnswer) => {
          if (this.child === child && !this.killed) this.settle(answer);
        });
        resolve();
      });
      child.once('error', reject);
      child.once('exit', () => {
        // A timer left behind keeps the whole program alive.
        clearTimeout(timer);
        reject(new SocraticodeError('INTERNAL', 'the parser process does not start'));
      });
    });
    this.ready.catch(() => {});
    child.once('exit', () => this.exited(child));
  }

  private settle(answer: ParseAnswer): void {
    const pending = this.inFlight.shift();
    this.headSince = performance.now();
    if (pending === undefined) return;
    pending.resolve('error' in answer ? { failed: 'parse-crash' } : answer);
    if (++this.answered % RECYCLE_CHECK === 0 && this.rss() > RECYCLE_RSS_BYTES) this.recycling = true;
    if (!this.recycling) void this.pump().catch((error) => this.abort(error));
    else if (this.inFlight.length === 0) this.kill();
  }

  private kill(): void {
    this.killed = true;
    this.child?.kill('SIGKILL');
  }

  private abort(error: unknown): void {
    for (const pending of this.inFlight.splice(0)) pending.reject(error);
  }

  /** Kills a child whose current file takes too long or too much. */
  private check(): void {
    if (this.inFlight.length === 0 || this.killed) return;
    const late = performance.now() - this.headSince > this.limits.timeoutMs;
    if (late || this.rss() > this.limits.memoryBytes) {
      const head = this.inFlight.shift();
      head?.resolve({ failed: late ? 'parse-timeout' : 'parse-crash' });
      this.kill();
    }
  }

  /** Resident bytes of the child; 0 where there is no /proc. */
  private rss(): number {
    try {
      return Number(readFileSync(`/proc/${this.child?.pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES;
    } catch {
      return 0;
    }
  }

  private exited(child: ChildProcess): void {
    if (this.child !== child) return;
    const killedByUs = this.killed;
    this.killed = false;
    this.child = null;
    this.recycling = false;
    // A crash is the fault of the file at the head; those behind it were not looked at yet.
    if (!killedByUs) this.inFlight.shift()?.resolve({ failed: 'parse-crash' });
    const again = this.inFlight.splice(0);
    if (again.length === 0) return void this.pump().catch((error) => this.abort(error));
    this.start();
    this.ready.then(
      () => {
        for (const pending of again) this.send(pending);
      },
      (error) => {
        for (const pending of again) pending.reject(error);
      },
    );
  }

  stop(): void {
    if (this.watchdog !== null) clearInterval(this.watchdog);
    this.watchdog = null;
    const child = this.child;
    this.child = null;
    child?.kill('SIGKILL');
    this.abort(new SocraticodeError('CANCELLED', 'parsing was stopped'));
  }
}

/** Hands jobs to the children in order of arrival. */
export class ParserPool {
  private readonly queue: Pending[] = [];
  private readonly parsers: Parser[];

  constructor(limits: ParserLimits = DEFAULT_LIMITS, size = Math.min(2, availableParallelism())) {
    this.parsers = Array.from({ length: size }, () => new Parser(limits, () => this.queue.shift()));
  }

  /** Parses one blob. Rejects only if no parser can be started or the pool is stopped. */
  parse(job: ParseJob): Promise<ParseOutcome> {
    return new Promise((resolve, reject) => {
      this.queue.push({ job, resolve, reject });
      const idle = this.parsers.reduce((best, parser) => (parser.load < best.load ? parser : best));
      idle.pump().catch((error) => {
        for (const pending of this.queue.splice(0)) pending.reject(error);
      });
    });
  }

  /** Kills the children; jobs without an answer are rejected. */
  stop(): void {
    for (const parser of this.parsers) parser.stop();
    for (const pending of this.queue.splice(0))
      pending.reject(new SocraticodeError('CANCELLED', 'parsing was stopped'));
  }
}
