/** Files on disk of the lock (`lock`): read, created whole or not at all, released, cleaned up. */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fstatSync, linkSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readPlainFile, removeQuietly, standingAt } from './atomic.js';
import { SocraticodeError } from './errors.js';
import { type Holder, ownHolder, parseHolder } from './lock-holder.js';

const MAX_BYTES = 4_096;

/** Anything at the path of a lock. */
export interface LockFile {
  /** Random for each lock that is taken; a digest of what can be seen of anything else. */
  id: string;
  holder: Holder | null;
  /** False if permissions hide the holder. */
  isReadable: boolean;
}

/** Reads the lock; null if no lock exists. Throws DISK. */
export function readLock(path: string): LockFile | null {
  try {
    const stat = standingAt(path);
    if (stat === undefined) return null;
    const text = readPlainFile(path, MAX_BYTES)?.toString('utf8') ?? '';
    const holder = parseHolder(text);
    const id = holder?.id || digest(`${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${text}`);
    return { id, holder, isReadable: true };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return null;
    if (code === 'EACCES' || code === 'EPERM') return { id: digest(path), holder: null, isReadable: false };
    throw cannotCreate(path, error);
  }
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Creates a lock of this process and returns its id; null if there is a lock. Throws DISK and leaves nothing then. */
export function createLock(path: string): string | null {
  const id = randomBytes(16).toString('hex');
  const text = JSON.stringify({ ...ownHolder(), id });
  const temporary = `${path}.${id}.new`;
  try {
    writeNew(temporary, text);
    linkSync(temporary, path);
    return id;
  } catch (error) {
    if (isLost(path, error)) return null;
    if (standingAt(temporary) === undefined) throw cannotCreate(path, error);
    return createWithoutLink(path, text) ? id : null;
  } finally {
    removeQuietly(temporary);
  }
}

/** True if another process has the lock, or has taken it meanwhile and removed our temporary file (`removeLeftovers`). */
function isLost(path: string, error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EEXIST' || (code === 'ENOENT' && standingAt(dirname(path)) !== undefined);
}

/** For file systems without hard links: for an instant the lock exists without a holder. */
function createWithoutLink(path: string, text: string): boolean {
  try {
    return writeNew(path, text) === standingAt(path)?.ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cannotCreate(path, error);
  }
}

/** Writes a file that must not exist, whole or not at all; returns its inode. */
function writeNew(path: string, text: string): number {
  const fd = openSync(path, 'wx', 0o644);
  try {
    // Other users of a shared repository must be able to see the holder, whatever the umask.
    fchmodSync(fd, 0o644);
    writeSync(fd, text);
    return fstatSync(fd).ino;
  } catch (error) {
    removeQuietly(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

export function cannotCreate(path: string, cause: unknown): SocraticodeError {
  return new SocraticodeError('DISK', `cannot create ${path}: ${(cause as Error).message}`, { cause });
}

/** Removes the lock if it still has this id; false if the disk refuses that. */
export function releaseLock(path: string, id: string): boolean {
  try {
    if (readLock(path)?.id === id) rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the temporary files and guards of processes that were killed while they took the lock. Called by its holder:
 * the locks that those guards belong to are gone, and a living process whose temporary file is removed retries.
 */
export function removeLeftovers(path: string): void {
  const prefix = `${basename(path)}.`;
  try {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(prefix) || !/^[0-9a-f]{32}\.(?:new|steal)/.test(name.slice(prefix.length))) continue;
      rmSync(join(dirname(path), name), { recursive: true, force: true });
    }
  } catch {
    // The next holder tries again.
  }
}
