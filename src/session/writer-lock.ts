/** Writer lock of a repository's index. Every writer holds it, even for records that a question derived on its way. */
import { join } from 'node:path';
import { makeDirectory } from '../base/atomic.js';
import { isSocraticodeError } from '../base/errors.js';
import { acquireLock, type LockOptions } from '../base/lock.js';
import { log } from '../base/log.js';
import { undivided } from '../base/runtime.js';
import type { NoteEntry } from '../git/notes.js';
import { localStateDirectory } from '../git/repository.js';
import type { SyntaxStore } from '../record/store.js';
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
  return undivided(async () => {
    try {
      return await work();
    } finally {
      release();
    }
  });
}

/** Short, since another writer writes the same records. */
const LOCK_WAIT_MS = 2_000;

/** Writes the records as one commit. Never fails an answer: the next question derives records again that could not be written. */
export async function writeRecords(session: Session, store: SyntaxStore, notes: readonly NoteEntry[]): Promise<void> {
  if (notes.length === 0) return;
  try {
    await withWriterLock(session, () => store.write(notes), { waitMs: LOCK_WAIT_MS });
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    log.debug(`records were not kept: ${error.message}`);
  }
}
