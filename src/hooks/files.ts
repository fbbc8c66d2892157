/**
 * Small files below a directory that may have arrived inside an archive: a symbolic link there is never followed, so
 * that nothing outside is read or written, and what is no plain file is left alone.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, writeSync } from 'node:fs';
import { readPlainFile } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';

/** A link is not followed, a named pipe not waited for. Both flags are missing on Windows. */
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

/** The whole file, null if it is none, too big, or cannot be read. */
export function readPlain(path: string, maxBytes: number): Buffer | null {
  try {
    return readPlainFile(path, maxBytes);
  } catch {
    return null;
  }
}

/** Adds to the end of a file, and makes it if there is none. Throws what the system says, or DISK for what is no file. */
export function appendPlain(path: string, data: string): void {
  const fd = openSync(path, APPEND_FLAGS, 0o644);
  try {
    if (!fstatSync(fd).isFile()) throw new SocraticodeError('DISK', `not a file: ${path}`);
    writeSync(fd, data);
  } finally {
    closeSync(fd);
  }
}
