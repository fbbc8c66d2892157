/**
 * Parser processes that outlive their pools, for tests that ask many questions in this process: each pool would start one of its
 * own, at 0.3 s of processor time. A process that is stopped while it works is killed as always.
 * Tests of the processes themselves do not import this.
 */
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Parser, type ParserProcess } from '../../../src/indexer/parser-pool.js';

const fork = Parser.fork as () => ChildProcess;
const spare: Kept[] = [];

/** One process, which is lent to one parser after the other. */
class Kept {
  readonly child = fork();
  isReady = false;
  lent: Lent | null = null;

  constructor() {
    this.child.on('message', (message) => {
      this.lent?.take(message);
      this.isReady = true;
    });
    this.child.on('exit', (...how) => {
      if (spare.includes(this)) spare.splice(spare.indexOf(this), 1);
      this.lent?.emit('exit', ...how);
    });
    this.child.on('error', (error) => this.lent?.emit('error', error));
  }

  /** A process that waits for a parser, or is used by one that waits for nothing, keeps no test running. */
  hold(isHeld: boolean): void {
    const channel = this.child.channel as unknown as { ref(): void; unref(): void } | null;
    if (isHeld) this.child.ref();
    else this.child.unref();
    if (isHeld) channel?.ref();
    else channel?.unref();
  }
}

/** What a parser takes for its process. */
class Lent extends EventEmitter {
  readonly pid: number | undefined;
  /** Batches without an answer. */
  private owed = 0;

  constructor(private readonly kept: Kept) {
    super();
    this.pid = kept.child.pid;
    kept.lent = this;
    kept.hold(true);
    if (kept.isReady) setImmediate(() => this.emit('message', { ready: true }));
  }

  send(jobs: object, sent: (error: Error | null) => void): boolean {
    this.owed++;
    return this.kept.child.send(jobs, sent);
  }

  take(message: unknown): void {
    if (this.kept.isReady) this.owed--;
    this.emit('message', message);
  }

  kill(signal: NodeJS.Signals): boolean {
    // A parser that is replaced may be stopped before it hears so. Given back twice, the process would serve two parsers at once.
    if (this.kept.lent !== this) return true;
    if (this.owed > 0 || this.kept.child.exitCode !== null) return this.kept.child.kill(signal);
    this.kept.lent = null;
    this.kept.hold(false);
    spare.push(this.kept);
    setImmediate(() => this.emit('exit', null, signal));
    return true;
  }
}

Parser.fork = () => new Lent(spare.pop() ?? new Kept()) as unknown as ParserProcess;
