/**
 * Caches: local state of all kinds (`StateFiles`), the files that were found right and need not be hashed again (`CheckedFiles`), what a
 * process remembers (`Memory`), and maps that are bounded or small. A question looks into memory, then into a sealed file, and makes the
 * rest once (`SingleFlight` in `async.ts`). The seal detects damage (a power cut, a full disk), files that this user did not write on this
 * machine, and renamed files. Layout of a sealed file: `content | note as JSON | length of the note, u32 LE | HMAC-SHA-256 of the name and
 * all bytes before`.
 */
import { createHash } from 'node:crypto';
import { type BigIntStats, existsSync, fstatSync, lstatSync, rmSync, utimesSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import {
  isLink,
  makeDirectory,
  namesIn,
  plainFileAt,
  readPlainFile,
  refuseLinks,
  removeQuietly,
  writeStateFile,
} from './atomic.js';
import { SocraticodeError } from './errors.js';
import { localKey } from './local-key.js';
import { log } from './log.js';
import { removeStaleTemporaries } from './processes.js';

const SEAL_BYTES = 32;
const LENGTH_BYTES = 4;

/** `name` is the path of the file within the local state. */
function sealFile(name: string, content: Uint8Array, note: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(note));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  const seal = localKey().hmac(name).update(content).update(text).update(length).digest();
  return Buffer.concat([content, text, length, seal]);
}

/** Views into `file`, and its metadata. Throws if the file is damaged, or sealed under another name or key. */
function unsealFile(name: string, file: Buffer): { content: Buffer; note: unknown } {
  const end = file.length - SEAL_BYTES;
  if (end < LENGTH_BYTES || !isSealed(name, file.subarray(0, end), file.subarray(end)))
    throw new Error('not sealed here');
  const start = end - LENGTH_BYTES - file.readUInt32LE(end - LENGTH_BYTES);
  if (start < 0) throw new Error('damaged');
  return { content: file.subarray(0, start), note: JSON.parse(file.toString('utf8', start, end - LENGTH_BYTES)) };
}

/** Seal of a text, in hex. */
export function sealOf(name: string, text: string): string {
  return localKey().hmac(name).update(text).digest('hex');
}

function isSealed(name: string, bytes: Buffer, seal: Buffer): boolean {
  return localKey().hmac(name).update(bytes).digest().equals(seal);
}

/** A kind of local state: sealed files that spare the next process work. Each may be deleted at any time. */
export interface StateKind {
  /** Beginning of the names of its files. */
  readonly name: string;
  /** Another one for each meaning of the content: a file of another version counts as absent. */
  readonly version: string | number;
  /** Folder within that of the shards. */
  readonly folder?: string;
  /** Files that stay, the last used, each with a key; without a number the kind is one file without a key. */
  readonly files?: number;
  /** Bytes of those files together. The newest stays whatever its size. */
  readonly bytes?: number;
  /** Processes wait for the one that makes a file (`claim`). */
  readonly isClaimed?: true;
}

export interface StateFile {
  content: Buffer;
  /** Metadata, as they were written. */
  note: unknown;
  path: string;
}

const STATE_NAME = /^[a-z]+(?:-[0-9a-f]{24})?\.bin$/;
const KEY = /^[0-9a-f]{24}$/;
const LOCK = /^[0-9a-f]{24}\.lock$/;
const MAX_STATE_BYTES = 1 << 30;
/** Longest wait for another process that makes the same file. */
const MAX_WAIT_MS = 300_000;

/** Hashes everything that a file depends on into its key. */
export function cacheKey(...parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

/** The local state beside the shards of a profile. Symbolic links are never followed, since they may have come with the repository. */
export class StateFiles {
  constructor(
    /** Directory of the shards. */
    readonly directory: string,
    /** Writes nothing, not even the time of the last use. */
    public isReadOnly = false,
  ) {}

  /**
   * Decodes a file and marks it as used; null if it is missing, damaged or of another version, or if `decode` gives null or throws. The
   * content is not checked further: the file was written by this user's program.
   */
  read<T>(kind: StateKind, key: string, decode: (file: StateFile) => T | null, { marks = true } = {}): T | null {
    const path = this.path(kind, key);
    try {
      const bytes = this.levels(kind).some(isLink) ? null : readPlainFile(path, MAX_STATE_BYTES);
      const value = bytes && this.opened(kind, path, bytes, decode);
      if (value !== null && marks) this.touch(kind, key);
      return value;
    } catch (error) {
      log.debug(`${basename(path)} is made anew: ${(error as Error).message}`);
      return null;
    }
  }

  private opened<T>(kind: StateKind, path: string, bytes: Buffer, decode: (file: StateFile) => T | null): T | null {
    const { content, note } = unsealFile(this.sealedName(path), bytes);
    const [version, rest] = note as [unknown, unknown];
    return version === kind.version ? decode({ content, note: rest, path }) : null;
  }

  /** Returns whether there is a file of that name. It may be damaged. */
  has(kind: StateKind, key = ''): boolean {
    return existsSync(this.path(kind, key));
  }

  /** Marks a file as used now. */
  touch(kind: StateKind, key: string): void {
    const path = this.path(kind, key);
    if (key === '' || this.isReadOnly || isLink(path)) return;
    try {
      const now = new Date();
      utimesSync(path, now, now);
    } catch {
      // Missing, another user's, or on a read-only disk: then its age is the time since it was made.
    }
    if (kind.isClaimed) void removeDeadLock(this.lockOf(kind, key));
  }

  /** Never throws. Without the file the next process makes its content again. */
  write(kind: StateKind, key: string, content: Uint8Array, note: unknown = null): void {
    if (this.isReadOnly) return;
    const path = this.path(kind, key);
    try {
      const bytes = sealFile(this.sealedName(path), content, [kind.version, note]);
      if (bytes.length > MAX_STATE_BYTES) throw new Error('too large');
      refuseLinks(this.levels(kind));
      makeDirectory(dirname(path));
      writeStateFile(path, bytes);
      if (kind.files !== undefined) this.prune(kind, kind.files);
    } catch (error) {
      log.debug(`${basename(path)} is not kept: ${(error as Error).message}`);
    }
  }

  /** Returns the values that `writeMap` wrote, by key; none without a usable file. */
  readMap<V>(kind: StateKind): Map<string, V> {
    const parse = ({ content }: StateFile) => new Map(JSON.parse(content.toString('utf8')) as [string, V][]);
    return this.read(kind, '', parse) ?? new Map();
  }

  /** Writes values by key as JSON, the last used last. Those that were used longest ago are dropped beyond `most`. Never throws. */
  writeMap<V>(kind: StateKind, values: Map<string, V>, { used, most }: { used: Iterable<string>; most: number }): void {
    for (const key of used) {
      const value = values.get(key);
      if (value !== undefined) remember(values, key, value, most);
    }
    this.write(kind, '', Buffer.from(JSON.stringify([...values].slice(-most))));
  }

  /** Removes the files of a kind that were used longest ago until its limits hold. */
  private prune(kind: StateKind, most: number): void {
    removeStaleTemporaries(this.folder(kind));
    let bytes = 0;
    for (const [i, file] of this.list(kind).entries()) {
      bytes += file.bytes;
      if (i >= most || (i > 0 && bytes > (kind.bytes ?? MAX_STATE_BYTES))) rmSync(file.path, { force: true });
    }
  }

  /** Returns the keys of a kind, the last used first. */
  keys(kind: StateKind): string[] {
    return this.list(kind).map(({ key }) => key);
  }

  /** Returns the number and total size of the files of some kinds. */
  size(kinds: readonly StateKind[]): { files: number; bytes: number } {
    const files = kinds.flatMap((kind) => this.list(kind));
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Deletes the files of some kinds, which are made again on demand. Returns their number and size. Throws DISK. */
  clear(kinds: readonly StateKind[]): { files: number; bytes: number } {
    if (this.isReadOnly) return { files: 0, bytes: 0 };
    const freed = this.size(kinds);
    try {
      for (const { path } of kinds.flatMap((kind) => this.list(kind))) rmSync(path, { force: true });
    } catch (cause) {
      throw new SocraticodeError('DISK', `cannot delete a cache file: ${(cause as Error).message}`, { cause });
    }
    return freed;
  }

  /**
   * Waits while another process makes the file of that key, and returns the function that lets others make it. Nobody is waited for where
   * no lock can be made, nor for longer than making one may take. Throws the signal's reason.
   */
  async claim(kind: StateKind, key: string, signal?: AbortSignal): Promise<() => void> {
    if (this.isReadOnly || this.levels(kind).some(isLink)) return () => {};
    const folder = this.folder(kind);
    try {
      // Imported on demand: most files are read.
      const { acquireLock } = await import('./lock.js');
      makeDirectory(folder);
      // Nobody makes the file of a killed process again once HEAD has moved, so that its lock would stay.
      for (const name of namesIn(folder).filter((each) => LOCK.test(each))) await removeDeadLock(join(folder, name));
      return await acquireLock(this.lockOf(kind, key), { waitMs: MAX_WAIT_MS, signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      log.debug(`a cache file is made beside others: ${(error as Error).message}`);
      return () => {};
    }
  }

  /** Returns whether a file of the directory, or of a folder in it, is whole and has this user's seal; null for names of other files. */
  isWhole(path: string): boolean | null {
    if (!STATE_NAME.test(basename(path))) return null;
    try {
      const bytes = readPlainFile(path, MAX_STATE_BYTES);
      if (bytes !== null) unsealFile(this.sealedName(path), bytes);
      return bytes !== null;
    } catch {
      return false;
    }
  }

  private list(kind: StateKind): { path: string; key: string; at: number; bytes: number }[] {
    const folder = this.folder(kind);
    if (this.levels(kind).some(isLink)) return [];
    const files = namesIn(folder).flatMap((name) => {
      const key = name.slice(kind.name.length + 1, -'.bin'.length);
      const path = this.path(kind, key);
      const stat = KEY.test(key) && basename(path) === name ? plainFileAt(path) : null;
      return stat === null ? [] : [{ path, key, at: stat.mtimeMs, bytes: stat.size }];
    });
    return files.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
  }

  private folder({ folder = '' }: StateKind): string {
    return join(this.directory, folder);
  }

  /** Directories that an unpacked archive could have replaced by symbolic links. */
  private levels(kind: StateKind): string[] {
    return [dirname(this.directory), this.directory, ...(kind.folder === undefined ? [] : [this.folder(kind)])];
  }

  private path(kind: StateKind, key: string): string {
    return join(this.folder(kind), `${kind.name}${key && `-${key}`}.bin`);
  }

  private lockOf(kind: StateKind, key: string): string {
    return join(this.folder(kind), `${key}.lock`);
  }

  /** Includes the folders, so that a file copied from another profile fails its seal. */
  private sealedName(path: string): string {
    return relative(dirname(this.directory), path);
  }
}

/** A process that was killed after it wrote a file has left its lock, which nobody takes again. */
async function removeDeadLock(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const { lockHolder } = await import('./lock.js');
  if (lockHolder(path) === null) removeQuietly(path);
}

/** Values that a long-lived process remembers for each owner, such as a session: those that were used last. */
export class Memory<T> {
  private readonly owners = new WeakMap<object, Map<string, T>>();

  /** `capacity`: values of an owner. */
  constructor(private readonly capacity: number) {}

  /** Returns a value from memory, or reads and remembers it. */
  find(owner: object, key: string, read: () => T | null = () => null): T | null {
    const value = this.owners.get(owner)?.get(key) ?? read();
    return value === null ? null : this.set(owner, key, value);
  }

  set(owner: object, key: string, value: T): T {
    const values = this.owners.get(owner) ?? new Map<string, T>();
    this.owners.set(owner, values);
    remember(values, key, value, this.capacity);
    return value;
  }
}

/** Returns a function that makes one value for each owner, such as a session. */
export function onePer<O extends object, T>(make: (owner: O) => T): (owner: O) => T {
  const made = new WeakMap<O, T>();
  return (owner) => {
    const value = made.get(owner) ?? make(owner);
    made.set(owner, value);
    return value;
  };
}

const CHECKED_NAME = 'checked.bin';
const MAX_CHECKED_BYTES = 4 << 20;
/** Time in milliseconds from which on a file counts as settled: a write within the same tick of the clock would not show. */
const SETTLED_MS = 2_000;

/**
 * The files of a folder whose content was found to be right, so that the next process need not hash them again. A file is known by all
 * that the file system says of it: what is written or put in its place later has another time of change, which no program can choose.
 * What a disk loses without a write shows only to `fsck`, which asks for no list.
 */
export class CheckedFiles {
  private static readonly folders = new Map<string, CheckedFiles>();
  private known: Map<string, string> | null = null;
  private isSaving = false;

  private constructor(private readonly directory: string) {}

  static of(directory: string): CheckedFiles {
    const known = CheckedFiles.folders.get(directory) ?? new CheckedFiles(directory);
    remember(CheckedFiles.folders, directory, known, MAX_FOLDERS);
    return known;
  }

  /** Describes an open file before it is read, as the file system does. `about`: the value that its content is compared with. */
  static stampOf(fd: number, about = ''): FileStamp {
    const stat = fstatSync(fd, { bigint: true });
    return { text: stampText(stat, about), isSettled: Date.now() - Number(stat.ctimeMs) > SETTLED_MS };
  }

  has(name: string, { text }: Pick<FileStamp, 'text'>): boolean {
    return this.list().get(name) === text;
  }

  hasFile(name: string, about = ''): boolean {
    const stat = lstatSync(join(this.directory, name), { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() === true && this.has(name, { text: stampText(stat, about) });
  }

  /** Call it with the stamp from before the file was read. */
  add(name: string, { text, isSettled }: FileStamp): void {
    if (!isSettled || this.has(name, { text })) return;
    this.list().set(name, text);
    if (this.isSaving) return;
    this.isSaving = true;
    // Once for all files that are opened together.
    queueMicrotask(() => this.save());
  }

  private get sealedName(): string {
    return join(basename(this.directory), CHECKED_NAME);
  }

  private list(): Map<string, string> {
    this.known ??= this.read();
    return this.known;
  }

  private read(): Map<string, string> {
    try {
      const file = readPlainFile(join(this.directory, CHECKED_NAME), MAX_CHECKED_BYTES);
      return new Map(file === null ? [] : (unsealFile(this.sealedName, file).note as [string, string][]));
    } catch {
      return new Map();
    }
  }

  private save(): void {
    this.isSaving = false;
    const present = new Set(namesIn(this.directory));
    const entries = [...this.list()].filter(([name]) => present.has(name));
    try {
      writeStateFile(join(this.directory, CHECKED_NAME), sealFile(this.sealedName, new Uint8Array(), entries));
    } catch (error) {
      log.debug(`files are checked again by the next process: ${(error as Error).message}`);
    }
  }
}

const MAX_FOLDERS = 32;

export interface FileStamp {
  text: string;
  isSettled: boolean;
}

function stampText({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats, about = ''): string {
  return [dev, ino, size, mtimeNs, ctimeNs, about].join(' ');
}

/** Least-recently-used cache in a Map, whose insertion order is age: puts `key` last and drops the oldest entries beyond `capacity`. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, capacity: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= capacity) break;
    map.delete(oldest);
  }
}

/**
 * A map that takes no memory while it is empty. The indexes of a file are mostly empty ones, and 20,000 files would have 50 MB of
 * empty maps.
 */
export class SparseMap<Key, Value> {
  private map: Map<Key, Value> | null = null;

  get(key: Key): Value | undefined {
    return this.map?.get(key);
  }

  has(key: Key): boolean {
    return this.map?.has(key) ?? false;
  }

  set(key: Key, value: Value): void {
    this.map ??= new Map();
    this.map.set(key, value);
  }

  keys(): Iterable<Key> {
    return this.map?.keys() ?? [];
  }

  [Symbol.iterator](): Iterator<[Key, Value]> {
    return (this.map ?? [])[Symbol.iterator]();
  }
}

/**
 * Remembers recent values in two generations: when the newer one is full, the older one is forgotten. A look-up costs one of a
 * Map, and values that are requested again and again stay.
 */
export class Recent<K, V> {
  private newer = new Map<K, V>();
  private older = new Map<K, V>();

  /** `capacity`: values of a generation. */
  constructor(private readonly capacity: number) {}

  get(key: K): V | undefined {
    const value = this.newer.get(key);
    if (value !== undefined) return value;
    const old = this.older.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.newer.size >= this.capacity) {
      this.older = this.newer;
      this.newer = new Map();
    }
    this.newer.set(key, value);
  }
}
