/**
 * Reads one file of a work tree: a regular one, inside the work tree, through no symlink. The bytes are those on disk:
 * no filter is run, nothing is written to the object store.
 */
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs';

/** What the file system says of a file: equal for equal contents, unless it was changed a moment ago. */
export interface FileStamp {
  size: number;
  /** Nanoseconds, as text: they do not fit into a number. */
  mtime: string;
  ctime: string;
  inode: string;
}

export interface WorkFile {
  stamp: FileStamp;
  bytes: Buffer;
}

/** A file that is being written is read again this often. */
const ATTEMPTS = 3;
/** O_NONBLOCK: opening a pipe would wait for its writer. Both flags are missing on Windows. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Absolute path of a name in a work tree whose real path is `root`. Bytes, because names need not be text. */
export function pathOf(root: Buffer, name: Uint8Array): Buffer {
  return Buffer.concat([root, Buffer.from('/'), name]);
}

/** The stamp of a regular file; null for anything else. Says nothing of the directories above it. */
export function stampOf(path: Buffer): FileStamp | null {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() ? stamp(stat) : null;
  } catch {
    // A directory above it is a file now, or may not be read.
    return null;
  }
}

function stamp({ size, mtimeNs, ctimeNs, ino }: BigIntStats): FileStamp {
  return { size: Number(size), mtime: String(mtimeNs), ctime: String(ctimeNs), inode: String(ino) };
}

export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
}

/** Null if it is no regular file of the work tree, larger than `limit` bytes, or does not hold still. */
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
 * Is what was opened the file that stands at this very path? A symlink among the directories above would lead
 * elsewhere; asked after opening, so that one put there meanwhile is seen.
 */
function isAt(path: Buffer, fd: number): boolean {
  const real = realpathSync.native(path, { encoding: 'buffer' });
  if (!isSamePath(real, path)) return false;
  const [opened, standing] = [fstatSync(fd, { bigint: true }), lstatSync(path, { bigint: true })];
  return opened.isFile() && opened.dev === standing.dev && opened.ino === standing.ino;
}

/** Elsewhere than on Linux, file systems fold case and compose letters as they like, and use other slashes. */
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

/** Null if the file has another length by now. */
function readAll(fd: number, size: number): Buffer | null {
  // One byte more than expected tells whether it grew.
  const bytes = Buffer.allocUnsafe(size + 1);
  let at = 0;
  for (let read = 1; read > 0 && at < bytes.length; at += read) read = readSync(fd, bytes, at, bytes.length - at, at);
  return at === size ? bytes.subarray(0, size) : null;
}

/** The oid that git would give these bytes if they were added as they are. */
export function blobOid(bytes: Uint8Array, format: 'sha1' | 'sha256'): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
