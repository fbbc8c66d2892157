/** Starts a parser before it is known whether there is anything to parse: it boots while the repository is opened. */
import { ParserPool } from '../indexer/parser-pool.js';

export type { ParserPool } from '../indexer/parser-pool.js';

/** The caller stops the pool. */
export function startParsers(): ParserPool {
  const pool = new ParserPool();
  pool.warm(1);
  return pool;
}
