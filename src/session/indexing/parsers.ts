/** Starts a parser before it is known whether there is anything to parse: it boots while the repository is opened. */
import { ParserPool } from '../../indexer/parser-pool.js';

export type { ParserPool } from '../../indexer/parser-pool.js';

/** The caller stops the pool. */
export function startParsers(): ParserPool {
  const pool = new ParserPool();
  pool.warm(1);
  return pool;
}

/** A process that stays keeps its parser this long after the last file. */
const IDLE_MS = 60_000;

/** A pool that starts when it is first needed, and ends when it has not been for a while. */
export class IdleParsers {
  private pool: ParserPool | null = null;
  private idle: NodeJS.Timeout | null = null;

  warm(): void {
    this.get();
  }

  get(): ParserPool {
    if (this.idle !== null) clearTimeout(this.idle);
    this.idle = null;
    this.pool ??= startParsers();
    return this.pool;
  }

  /** Nothing is being parsed now. */
  rest(): void {
    if (this.pool === null || this.idle !== null) return;
    this.idle = setTimeout(() => this.stop(), IDLE_MS);
    this.idle.unref();
  }

  stop(): void {
    if (this.idle !== null) clearTimeout(this.idle);
    this.idle = null;
    this.pool?.stop();
    this.pool = null;
  }
}
