/**
 * Reads and writes small files in a directory that may have been unpacked from an archive. Symbolic links are never
 * followed, so that nothing outside is read or written, and special files are left alone.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, writeSync } from 'node:fs';
import { readPlainFile } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';

/** Flags that refuse symbolic links and do not block on named pipes. Windows has neither of these two flags. */
const APPEND_FLAGS =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

type FileKind = 'none' | 'file' | 'link' | 'other';

export function kindOf(path: string): FileKind {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'none';
  if (stat.isSymbolicLink()) return 'link';
  return stat.isFile() ? 'file' : 'other';
}

/** Reads a whole file; null if it is missing, not a plain file, too big or unreadable. */
export function readPlain(path: string, maxBytes: number): Buffer | null {
  try {
    return readPlainFile(path, maxBytes);
  } catch {
    return null;
  }
}

/**
 * Appends to a file, which is created if missing. Throws the system's error, or DISK if the path is not a plain file.
 */
export function appendPlain(path: string, data: string): void {
  const fd = openSync(path, APPEND_FLAGS, 0o644);
  try {
    if (!fstatSync(fd).isFile()) throw new SocraticodeError('DISK', `not a file: ${path}`);
    writeSync(fd, data);
  } finally {
    closeSync(fd);
  }
}
