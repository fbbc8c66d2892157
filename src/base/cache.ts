/**
 * Caches: files with a seal of this user, and maps of bounded size. The seal detects damage (a power cut, a full disk),
 * files that this user did not write on this machine, and renamed files. Layout: `content | note as JSON | length of
 * the note, u32 LE | HMAC-SHA-256 of the name and all bytes before`.
 */
import { localKey } from './local-key.js';

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
