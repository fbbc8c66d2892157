/** The files of the lock: what one says, making one whole or not at all, clearing up. */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { removeQuietly, standingAt } from './atomic.js';
import { SocraticodeError } from './errors.js';
import { type Holder, ownHolder, parseHolder } from './lock-holder.js';

const MAX_BYTES = 4_096;
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What stands where a lock belongs. */
export interface Found {
  /** Another lock, another id; the same again, the same. */
  id: string;
  holder: Holder | null;
  /** It is there, and may not be read. */
  isSecret: boolean;
}

/** Reads nothing but a regular file: a pipe's reader would wait for ever. Null if nothing stands there. Throws DISK. */
export function look(path: string): Found | null {
  try {
    const stat = standingAt(path);
    if (stat === undefined) return null;
    if (!stat.isFile())
      return { id: digest(`${stat.mode} ${stat.ino} ${stat.mtimeMs}`), holder: null, isSecret: false };
    return readLock(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return null;
    if (code === 'EACCES' || code === 'EPERM') return { id: digest(path), holder: null, isSecret: true };
    throw notMade(path, error);
  }
}

function readLock(path: string): Found {
  const fd = openSync(path, READ_FLAGS);
  try {
    const { ino, size, mtimeMs } = fstatSync(fd);
    const text = size > MAX_BYTES ? '' : readFileSync(fd, 'utf8');
    const holder = parseHolder(text);
    const isOwn = holder !== null && /^[0-9a-f]{32}$/.test(holder.id);
    return { id: isOwn ? holder.id : digest(`${ino} ${size} ${mtimeMs} ${text}`), holder, isSecret: false };
  } finally {
    closeSync(fd);
  }
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Makes a lock of this process; null if there is one. Throws DISK and leaves nothing then. */
export function create(path: string): string | null {
  const id = randomBytes(16).toString('hex');
  const text = JSON.stringify({ ...ownHolder(), id });
  const passing = `${path}.${id}.new`;
  try {
    writeNew(passing, text);
    linkSync(passing, path);
    return id;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return null;
    // Somebody who took the lock meanwhile has cleared up, or the directory is gone.
    if (code === 'ENOENT' && standingAt(dirname(path)) !== undefined) return null;
    if (standingAt(passing) === undefined) throw notMade(path, error);
    return createWithoutLink(path, text) ? id : null;
  } finally {
    // What was thrown before is what is said.
    removeQuietly(passing);
  }
}

/** For file systems that know no links: for an instant it is there and says nothing. */
function createWithoutLink(path: string, text: string): boolean {
  try {
    const ino = writeNew(path, text);
    return standingAt(path)?.ino === ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw notMade(path, error);
  }
}

/** Writes a file that must not be there, whole or not at all; returns its inode. */
function writeNew(path: string, text: string): number {
  const fd = openSync(path, 'wx', 0o644);
  try {
    // Whoever shares this repository must be able to see who holds it, whatever the umask.
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

export function notMade(path: string, cause: unknown): SocraticodeError {
  return new SocraticodeError('DISK', `cannot create ${path}: ${(cause as Error).message}`, { cause });
}

/** False if it still stands there: on a disk that has failed, or takes nothing any more. */
export function release(path: string, id: string): boolean {
  try {
    if (look(path)?.id === id) rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * What those who died while taking or inheriting have left. Whose lock is gone has no heirs; whose passing file goes while
 * it lives tries again.
 */
export function removeLeftovers(path: string): void {
  const prefix = `${basename(path)}.`;
  try {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(prefix) || !/^[0-9a-f]{32}\.(?:new|steal)/.test(name.slice(prefix.length))) continue;
      rmSync(join(dirname(path), name), { recursive: true, force: true });
    }
  } catch {
    // The next one who takes the lock tries again.
  }
}
