/**
 * A cache file as bytes: content, a few words about it, and a checksum of both, which tells a file that a power cut or a
 * full disk left damaged. Layout: `content | note as JSON | length of that, u32 LE | SHA-256 of all before`.
 */
import { createHash } from 'node:crypto';

const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;

export function sealFile(content: Uint8Array, note: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(note));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  const file = Buffer.concat([content, text, length]);
  return Buffer.concat([file, sha256(file)]);
}

/** Views into `file`. The note is as it was written, or as whoever knows the format wrote it. Throws if it is not whole. */
export function unsealFile(file: Buffer): { content: Buffer; note: unknown } {
  const end = file.length - DIGEST_BYTES;
  if (end < LENGTH_BYTES || !sha256(file.subarray(0, end)).equals(file.subarray(end))) throw new Error('damaged');
  const start = end - LENGTH_BYTES - file.readUInt32LE(end - LENGTH_BYTES);
  if (start < 0) throw new Error('damaged');
  return { content: file.subarray(0, start), note: JSON.parse(file.toString('utf8', start, end - LENGTH_BYTES)) };
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
