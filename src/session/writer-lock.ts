/** Writer lock of a repository's index: every writer holds it. */
import { join } from 'node:path';
import { makeDirectory } from '../base/atomic.js';
import { acquireLock, type LockOptions } from '../base/lock.js';
import { localStateDirectory } from '../git/repository.js';
import type { Session } from './session.js';

/** Time that a command waits for another writer, in milliseconds. */
const WAIT_MS = 60_000;

/** Runs `work` under the writer lock. Throws LOCKED. */
export async function withWriterLock<T>(
  session: Session,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const state = localStateDirectory(session.repository);
  makeDirectory(state);
  const release = await acquireLock(join(state, 'writer.lock'), { waitMs: WAIT_MS, ...options });
  try {
    return await work();
  } finally {
    release();
  }
}
