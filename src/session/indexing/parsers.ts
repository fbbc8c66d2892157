/** Parser pools of commands and of long-lived processes. */
import { ParserPool } from '../../indexer/parser-pool.js';

export type { ParserPool } from '../../indexer/parser-pool.js';

/** Starts one parser in advance: it boots while the repository is opened. The caller stops the pool. */
export function startParsers(): ParserPool {
  const pool = new ParserPool();
  pool.warm(1);
  return pool;
}

/** Time after the last file until a long-lived process stops its parsers. */
const IDLE_MS = 60_000;

/** A pool that starts with its first use and stops after a minute without use. */
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

  /** Called when nothing is left to parse: starts the minute. */
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
