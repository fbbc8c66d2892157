/** Files that are either the old or the new version, never half of one: temporary name, fsync, rename. */
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
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SocraticodeError, systemFailure } from './errors.js';

export const TEMP_PREFIX = '.tmp-';
/** Should a link or a pipe have been put there since it was looked at. Both flags are missing on Windows. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
let counter = 0;

/**
 * Writes `data` durably and puts it at `path` in one step; `mode`: permissions that another file had there.
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

/** The same for a file of our own state, to which a directory in its place gives way. Throws DISK. */
export function writeStateFile(path: string, data: Uint8Array | string): void {
  clearDirectory(path);
  writeFileAtomic(path, data);
}

/** Removes a directory that stands where a file of our own state belongs: a rename cannot replace it. Throws DISK. */
export function clearDirectory(path: string): void {
  if (!standingAt(path)?.isDirectory()) return;
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (cause) {
    throw writeFailure(`cannot remove ${path}`, cause);
  }
}

/** DISK, and RESOURCES where too many files are open. */
function writeFailure(what: string, cause: unknown): SocraticodeError {
  const code = systemFailure(cause)?.code === 'RESOURCES' ? 'RESOURCES' : 'DISK';
  return new SocraticodeError(code, `${what}: ${(cause as Error).message}`, { cause });
}

/** For clearing up after a failure, or where what is left harms nobody. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The first failure is the one to report.
  }
}

/** What stands at a path, links not followed; undefined where nothing does, a file in place of a directory above included. */
export function standingAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Null for whatever else can stand there: links, directories, pipes (whose reader would wait for ever). */
export function plainFileAt(path: string): Stats | null {
  const stat = standingAt(path);
  return stat?.isFile() ? stat : null;
}

/** The whole file; null if there is none, if it is no regular one, or larger than `maxBytes`. Throws what reading throws. */
export function readPlainFile(path: string, maxBytes: number): Buffer | null {
  const stat = plainFileAt(path);
  if (stat === null || stat.size > maxBytes) return null;
  const fd = openSync(path, READ_FLAGS);
  try {
    return fstatSync(fd).isFile() ? readFileSync(fd) : null;
  } finally {
    closeSync(fd);
  }
}

/** The text of a file, trimmed; '' if it cannot be read. For files of the kernel, which say no size. */
export function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

/** A symbolic link that came with a repository would have us read, write and delete elsewhere. */
export function isLink(path: string): boolean {
  return standingAt(path)?.isSymbolicLink() ?? false;
}

/** Throws DISK if one of these is a symbolic link. */
export function refuseLinks(paths: readonly string[]): void {
  const link = paths.find(isLink);
  if (link === undefined) return;
  throw new SocraticodeError('DISK', `${link} is a symbolic link, which is not followed`, {
    hint: `Remove it, then run again: ${link}`,
  });
}

/** Creates a directory and what is above it; one that is there must not be a symbolic link. Throws DISK. */
export function makeDirectory(path: string): void {
  refuseLinks([path]);
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw writeFailure(`cannot create ${path}`, cause);
  }
}

/** Makes a rename survive a power cut; not every file system can, so failing is fine. */
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

const STALE_MS = 60_000;

/** Removes what killed writers left behind: temporary files older than a minute. `levels`: of directories below, too. */
export function removeStaleTemporaries(directory: string, levels = 0): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    try {
      if (levels > 0 && entry.isDirectory()) removeStaleTemporaries(path, levels - 1);
      if (!entry.name.startsWith(TEMP_PREFIX)) continue;
      if (Date.now() - statSync(path).mtimeMs > STALE_MS) rmSync(path, { force: true });
    } catch {
      // Another process was faster.
    }
  }
}
