/**
 * Small files below a directory that may have arrived inside an archive: a symbolic link there is never followed, so
 * that nothing outside is read or written, and what is no plain file is left alone.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SocraticodeError } from '../base/errors.js';

/** Not on Windows, where links need a privilege to be made. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** A named pipe would wait for its other end. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

export type FileKind = 'none' | 'file' | 'link' | 'other';

export function kindOf(path: string): FileKind {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'none';
  if (stat.isSymbolicLink()) return 'link';
  return stat.isFile() ? 'file' : 'other';
}

/** The whole file, null if it is none or too big. */
export function readPlain(path: string, maxBytes: number): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(fd) : null;
  } finally {
    closeSync(fd);
  }
}

/** Adds to the end of a file, and makes it if there is none. Throws what the system says, or DISK for what is no file. */
export function appendPlain(path: string, data: string): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW | NO_WAIT, 0o644);
  try {
    if (!fstatSync(fd).isFile()) throw new SocraticodeError('DISK', `not a file: ${path}`);
    writeSync(fd, data);
  } finally {
    closeSync(fd);
  }
}

/** Puts a file in place in one step, with the mode given: a hook that git runs meanwhile is the old or the new one. */
export function replaceFile(path: string, bytes: Buffer, mode: number): void {
  const temporary = join(dirname(path), `.tmp-${process.pid}-${basename(path)}`);
  try {
    const fd = openSync(temporary, 'wx', 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fchmodSync(fd, mode);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new SocraticodeError('DISK', `cannot write ${path}: ${(cause as Error).message}`, { cause });
  }
}
