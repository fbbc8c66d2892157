/**
 * Reads and writes regular files of a work tree, never through a symbolic link. The bytes are those on disk: no filter is run, and
 * nothing is written to the object store.
 */
import {
  type BigIntStats,
  closeSync,
  type Dir,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { READ_FLAGS, standingAt, writeFileAtomic } from '../base/atomic.js';
import { isSocraticodeError, SocraticodeError, systemFailure } from '../base/errors.js';
import { isUnsafePath } from '../git/objects.js';

/** Size, times and inode of a file. Equal stamps mean equal contents, unless the file was changed a moment ago. */
export interface FileStamp {
  size: number;
  /** Nanoseconds as text, because they do not fit into a number. */
  mtime: string;
  ctime: string;
  inode: string;
}

interface WorkFile {
  stamp: FileStamp;
  bytes: Buffer;
}

/** Number of attempts to read a file that changes while it is read. */
const ATTEMPTS = 3;

/** Absolute path of a name in a work tree whose real path is `root`. Both are bytes, because names need not be UTF-8. */
export function pathOf(root: Buffer, name: Uint8Array): Buffer {
  return Buffer.concat([root, Buffer.from('/'), name]);
}

/** Stamp of a regular file; null for anything else. Does not check the directories above it. */
export function stampOf(path: Buffer): FileStamp | null {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() ? stamp(stat) : null;
  } catch {
    // A directory above the file has become a file, or may not be read.
    return null;
  }
}

function stamp({ size, mtimeNs, ctimeNs, ino }: BigIntStats): FileStamp {
  return { size: Number(size), mtime: String(mtimeNs), ctime: String(ctimeNs), inode: String(ino) };
}

export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
}

/** Reads a file. Returns null if it is not a regular file of the work tree, exceeds `limit` bytes, or keeps changing. */
export function readWorkFile(path: Buffer, limit: number): WorkFile | null {
  let fd: number;
  try {
    fd = openSync(path, READ_FLAGS);
  } catch {
    return null;
  }
  try {
    return isAt(path, fd) ? readSteady(fd, limit) : null;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

/**
 * Returns whether the opened file is the one at exactly this path: a symbolic link among the directories above would lead elsewhere. The
 * checks follow the opening, so that they also see a link created in between. Linux reports what was opened; elsewhere a link that comes,
 * goes and comes again between two looks could deceive us.
 */
function isAt(path: Buffer, fd: number): boolean {
  const opened = fstatSync(fd, { bigint: true });
  if (!opened.isFile()) return false;
  const place = placeOf(fd);
  if (place !== null) return place.equals(path);
  if (!isSamePath(realpathSync.native(path, { encoding: 'buffer' }), path)) return false;
  const standing = lstatSync(path, { bigint: true });
  return opened.dev === standing.dev && opened.ino === standing.ino;
}

/** Path of an opened file, from Linux; null on other systems, and without /proc. */
function placeOf(fd: number): Buffer | null {
  if (process.platform !== 'linux') return null;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' });
  } catch {
    return null;
  }
}

/** Compares paths. File systems of macOS and Windows fold case, compose letters differently, or use backslashes. */
function isSamePath(a: Buffer, b: Buffer): boolean {
  if (process.platform === 'linux') return a.equals(b);
  const fold = (path: Buffer) => path.toString('utf8').replaceAll('\\', '/').normalize('NFC').toLowerCase();
  return fold(a) === fold(b);
}

function readSteady(fd: number, limit: number): WorkFile | null {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = stamp(fstatSync(fd, { bigint: true }));
    if (before.size > limit) return null;
    const bytes = readAll(fd, before.size);
    const after = stamp(fstatSync(fd, { bigint: true }));
    if (bytes !== null && isSameStamp(before, after)) return { stamp: after, bytes };
  }
  return null;
}

/** Reads `size` bytes; null if the file's length has changed. */
function readAll(fd: number, size: number): Buffer | null {
  // One byte more shows that the file has grown.
  const bytes = Buffer.allocUnsafe(size + 1);
  let at = 0;
  for (let read = 1; read > 0 && at < bytes.length; at += read) read = readSync(fd, bytes, at, bytes.length - at, at);
  return at === size ? bytes.subarray(0, size) : null;
}

interface Entry {
  name: Buffer;
  kind: 'file' | 'folder' | 'symlink' | 'other';
}

/** At most `limit` entries; null for an unreadable folder. */
export function readFolder(root: string, folder: Buffer, limit: number): Entry[] | null {
  let open: Dir | null = null;
  try {
    // Node's types allow text only; a name that is not UTF-8 needs bytes.
    const path = Buffer.concat([Buffer.from(root + sep), folder]);
    open = opendirSync(path as unknown as string, { encoding: 'buffer' as unknown as BufferEncoding });
    const entries: Entry[] = [];
    for (let next = open.readSync(); next !== null && entries.length < limit; next = open.readSync()) {
      const kind = next.isSymbolicLink() ? 'symlink' : next.isFile() ? 'file' : next.isDirectory() ? 'folder' : 'other';
      entries.push({ name: next.name as unknown as Buffer, kind });
    }
    return entries.sort((a, b) => Buffer.compare(a.name, b.name));
  } catch {
    return null;
  } finally {
    open?.closeSync();
  }
}

// Writing several files, which all are as before if one cannot be written.

export interface Replacement {
  path: string;
  /** Another path, at which nothing stands. */
  to: string;
  /** The text that git has of it; null for a file that is made. */
  before: string | null;
  after: string;
}

const MAX_REPLACED_BYTES = 1 << 28;

interface Prepared {
  from: string;
  target: string;
  old: Buffer | null;
  fresh: Buffer;
  mode: number;
}

/**
 * Writes all files, and returns the function that puts them back. Throws BAD_ARGUMENT before anything is written if one of them is not
 * on disk what git has, apart from the ends of its lines, which it keeps; if something stands at a new path; or if a path leads through
 * a link or into `.git`. A file that somebody changes in the meantime is neither overwritten nor put back, and both functions name it in
 * BAD_ARGUMENT. Throws DISK for a full disk, with all files as before.
 */
export function replaceFiles(root: string, files: readonly Replacement[]): () => void {
  const real = realpathSync.native(root);
  const prepared = files.map((file) => prepareFile(real, file));
  const done: (() => void)[] = [];
  const undo = () => {
    const kept: string[] = [];
    for (const back of done.reverse()) {
      try {
        back();
      } catch (error) {
        kept.push((error as Error).message);
      }
    }
    if (kept.length > 0) throw refused(`not all files are as before: ${kept.join('; ')}`);
  };
  try {
    for (const file of prepared) {
      requireUntouched(file);
      const made = mkdirSync(dirname(file.target), { recursive: true });
      done.push(() => putBack(file, made));
      writeFileAtomic(file.target, file.fresh, file.mode);
      if (file.old !== null && file.target !== file.from) rmSync(file.from);
    }
  } catch (error) {
    undo();
    throw asBefore(error);
  }
  return undo;
}

const refused = (why: string) => new SocraticodeError('BAD_ARGUMENT', why);

/** The failure, in words which say that nothing is half done. */
function asBefore(error: unknown): unknown {
  const failure = isSocraticodeError(error) ? error : systemFailure(error);
  if (failure === null) return error;
  return new SocraticodeError(failure.code, `the files are as before: ${failure.message}`, { cause: error });
}

function prepareFile(root: string, { path, to, before, after }: Replacement): Prepared {
  const [from, target] = [join(root, path), join(root, to)];
  if (before === null || target !== from) requireFree(root, to);
  if (before === null) return { from, target, old: null, fresh: Buffer.from(after), mode: 0o644 };
  const old = readWorkFile(pathOf(Buffer.from(root), Buffer.from(path)), MAX_REPLACED_BYTES)?.bytes;
  if (old === undefined) throw refused(`nothing is written: ${path} is no file that can be read`);
  const fresh = asOnDisk(old, before, after);
  if (fresh === null)
    throw refused(`nothing is written: ${path} is not on disk what git has, by a change or by a filter`);
  return { from, target, old, fresh, mode: statSync(from).mode & 0o777 };
}

/** The new text with the ends of lines that the file has on disk; null if more than these differs from the text that git has. */
function asOnDisk(old: Buffer, before: string, after: string): Buffer | null {
  if (old.equals(Buffer.from(before))) return Buffer.from(after);
  const returned = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'));
  return !before.includes('\r') && old.equals(returned(before)) ? returned(after) : null;
}

/** Throws BAD_ARGUMENT unless a file can be made at the path: nothing is there, and what is above it are folders of the work tree. */
function requireFree(root: string, path: string): void {
  if (isUnsafePath(path) || path.includes('\\')) throw refused(`nothing is written: ${path} is no path of a file`);
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count++) {
    const standing = standingAt(join(root, ...parts.slice(0, count)));
    if (standing === undefined) break;
    if (!standing.isDirectory()) throw refused(`nothing is written: ${path} leads through what is no folder`);
  }
  if (standingAt(join(root, path)) !== undefined) throw refused(`nothing is written: ${path} exists already`);
}

const areSame = (a: Buffer | null, b: Buffer | null): boolean => (a === null || b === null ? a === b : a.equals(b));

/** Throws BAD_ARGUMENT if somebody saved the file, or put another in its place, while those before it were written. */
function requireUntouched({ from, target, old }: Prepared): void {
  const isSame = old === null || areSame(readWorkFile(Buffer.from(from), MAX_REPLACED_BYTES)?.bytes ?? null, old);
  const isFree = (old !== null && from === target) || standingAt(target) === undefined;
  if (!isSame || !isFree) throw refused(`${isSame ? target : from} was changed by somebody else meanwhile`);
}

/** Undoes one file, whether it was written or not, and removes the folders that were made for it, from `made` on. */
function putBack({ from, target, old, fresh, mode }: Prepared, made: string | undefined): void {
  const now = readWorkFile(Buffer.from(target), MAX_REPLACED_BYTES)?.bytes ?? null;
  const isWritten = areSame(now, fresh);
  if (!isWritten && !areSame(now, from === target ? old : null))
    throw refused(`${target} was changed by somebody else and is left as it is`);
  if (isWritten && old !== null) writeFileAtomic(from, old, mode);
  if (isWritten && (old === null || from !== target)) rmSync(target);
  for (let folder = dirname(target); made !== undefined && folder.length >= made.length; folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return; // Somebody else has put something into it.
    }
  }
}
