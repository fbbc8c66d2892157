/**
 * Caches: files with a seal of this user, and maps of bounded size. The seal detects damage (a power cut, a full disk),
 * files that this user did not write on this machine, and renamed files. Layout: `content | note as JSON | length of
 * the note, u32 LE | HMAC-SHA-256 of the name and all bytes before`.
 */
import { type BigIntStats, fstatSync, lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn, readPlainFile, writeStateFile } from './atomic.js';
import { localKey } from './local-key.js';
import { log } from './log.js';

const SEAL_BYTES = 32;
const LENGTH_BYTES = 4;

/** `name` is the path of the file within the local state. */
export function sealFile(name: string, content: Uint8Array, note: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(note));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  const seal = localKey().hmac(name).update(content).update(text).update(length).digest();
  return Buffer.concat([content, text, length, seal]);
}

/** Views into `file`, and its metadata. Throws if the file is damaged, or sealed under another name or key. */
export function unsealFile(name: string, file: Buffer): { content: Buffer; note: unknown } {
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
