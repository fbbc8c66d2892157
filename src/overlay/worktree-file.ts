/**
 * Reads one regular file of a work tree, never through a symbolic link. The bytes are those on disk: no filter is run, and nothing is
 * written to the object store.
 */
import {
  type BigIntStats,
  closeSync,
  type Dir,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { sep } from 'node:path';
import { READ_FLAGS } from '../base/atomic.js';

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
