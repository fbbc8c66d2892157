/** Atomic file writes (temporary name, fsync, rename), and reads that follow no link and wait for no pipe. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { SocraticodeError, systemFailure } from './errors.js';

export const TEMP_PREFIX = '.tmp-';
/** Protects against a link or a pipe that appears between `lstat` and `open`. Windows has neither flag. */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const DIRECTORY_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_DIRECTORY ?? 0);
let counter = 0;

/**
 * Writes `data` durably and replaces `path` in one step. `mode` keeps the permissions of the replaced file.
 * Throws DISK and leaves no temporary file on failure.
 */
export function writeFileAtomic(path: string, data: Uint8Array | string, mode?: number): void {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  const temporary = join(dirname(path), `${TEMP_PREFIX}${process.pid}-${counter++}-${basename(path)}`);
  try {
    const fd = openSync(temporary, 'wx', mode ?? 0o644);
    try {
      if (mode !== undefined) fchmodSync(fd, mode);
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
    syncDirectory(dirname(path));
  } catch (cause) {
    removeQuietly(temporary);
    throw writeFailure(`cannot write ${path}`, cause);
  }
}

/** Writes where somebody asked for it: what is no file, such as `/dev/null` or a pipe, is written to and stays. Throws DISK. */
export function writeOutput(path: string, data: Uint8Array | string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined || there.isFile()) writeFileAtomic(path, data);
  else
    try {
      writeFileSync(path, data);
    } catch (cause) {
      throw writeFailure(`cannot write ${path}`, cause);
    }
}

/** Writes a file of the local state like `writeFileAtomic`, and replaces a directory in its place. Throws DISK. */
export function writeStateFile(path: string, data: Uint8Array | string): void {
  clearDirectory(path);
  writeFileAtomic(path, data);
}

/** Removes a directory where a file of the local state belongs, which a rename cannot replace; false if there is none. Throws DISK. */
export function clearDirectory(path: string): boolean {
  if (!standingAt(path)?.isDirectory()) return false;
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch (cause) {
    throw writeFailure(`cannot remove ${path}`, cause);
  }
}

/** DISK; RESOURCES if too many files are open. */
function writeFailure(what: string, cause: unknown): SocraticodeError {
  const code = systemFailure(cause)?.code === 'RESOURCES' ? 'RESOURCES' : 'DISK';
  return new SocraticodeError(code, `${what}: ${(cause as Error).message}`, { cause });
}

/** Removes a file and ignores failure: for clean-up, where the first failure counts or a leftover file does no harm. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Ignored, see above.
  }
}

/** `lstat` of a path; undefined if it does not exist, also because a parent is a file. */
export function standingAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** `lstat` of a regular file; null for links, directories and pipes, whose reader would wait for ever. */
export function plainFileAt(path: string): Stats | null {
  const stat = standingAt(path);
  return stat?.isFile() ? stat : null;
}

/**
 * The whole file; null if it is missing, not a regular file, or larger than `maxBytes`. Throws the system's errors. `onOpen` gets the
 * open file before it is read.
 */
export function readPlainFile(path: string, maxBytes: number, onOpen?: (fd: number) => void): Buffer | null {
  if (plainFileAt(path) === null) return null;
  const fd = openSync(path, READ_FLAGS);
  try {
    const stat = fstatSync(fd);
    onOpen?.(fd);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(fd) : null;
  } finally {
    closeSync(fd);
  }
}

/** Trimmed text of a file; '' if it cannot be read. For files of the kernel (/proc), which report no size. */
export function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Target of a symbolic link; '' if there is none that can be read. */
export function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Names in a directory; none if it cannot be read. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** True for a symbolic link: one in an untrusted repository would redirect reads, writes and removals. */
export function isLink(path: string): boolean {
  return standingAt(path)?.isSymbolicLink() ?? false;
}

/** Throws DISK if one of the paths is a symbolic link. */
export function refuseLinks(paths: readonly string[]): void {
  const link = paths.find(isLink);
  if (link === undefined) return;
  throw new SocraticodeError('DISK', `${link} is a symbolic link, which is not followed`, {
    hint: `Remove it, then run again: ${link}`,
  });
}

/**
 * Creates a directory and its parents, open to a group where the directory around them is (`git init --shared`), whatever
 * the umask. Throws DISK, also if the path is a symbolic link.
 */
export function makeDirectory(path: string): void {
  refuseLinks([path]);
  try {
    const first = outermostMissing(path);
    const mode = first === null ? 0 : statSync(dirname(first)).mode;
    if (first === null || (mode & SHARED) !== SHARED || !makeShared(first, path, mode & 0o7777))
      mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw writeFailure(`cannot create ${path}`, cause);
  }
}

const SHARED = 0o2020;

/** True for a folder of a repository that a group shares (`git init --shared`). */
export function isOpenToGroup(directory: string): boolean {
  return (statSync(directory).mode & SHARED) === SHARED;
}

function outermostMissing(path: string): string | null {
  if (standingAt(path) !== undefined) return null;
  return dirname(path) === path ? null : (outermostMissing(dirname(path)) ?? path);
}

/**
 * Creates the directories from `first` to `last` under a temporary name, gives them the mode, and renames the outermost: a
 * process that is killed in between would leave a directory closed to the group for ever. False if another process was faster.
 */
function makeShared(first: string, last: string, mode: number): boolean {
  const temporary = join(dirname(first), `${TEMP_PREFIX}${process.pid}-${counter++}-${basename(first)}`);
  const inner = join(temporary, relative(first, last));
  try {
    mkdirSync(inner, { recursive: true });
    for (let path = inner; path.length >= temporary.length; path = dirname(path)) openToGroup(path, mode);
    renameSync(temporary, first);
    return true;
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (standingAt(first) === undefined) throw error;
    return false;
  }
}

/** By a descriptor: whoever may write around it could put a link in its place, and the mode would be that of its target. */
function openToGroup(directory: string, mode: number): void {
  const fd = openSync(directory, DIRECTORY_FLAGS);
  try {
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

/** Makes a rename survive a power cut, where the file system supports it. */
function syncDirectory(directory: string): void {
  try {
    const fd = openSync(directory, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Directories cannot be opened on every platform.
  }
}
