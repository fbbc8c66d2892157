/**
 * Bytes: growable typed arrays and LEB128 varints, the container format of shard files, vectors as int8, and texts in UTF-8, whatever they
 * are stored in.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { SocraticodeError } from './errors.js';

/** Append-only Uint32Array; capacity doubles. */
export class Uint32List {
  private data: Uint32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.data = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const grown = new Uint32Array(this.data.length * 2);
      grown.set(this.data);
      this.data = grown;
    }
    this.data[this.length++] = value;
  }

  at(index: number): number {
    return this.data[index];
  }

  /** View of the pushed values; valid until the next push. */
  view(): Uint32Array {
    return this.data.subarray(0, this.length);
  }
}

/** Append-only byte buffer with varint support; capacity doubles. */
export class ByteWriter {
  private data: Buffer;
  length = 0;

  constructor(capacity = 4096) {
    this.data = Buffer.allocUnsafe(capacity);
  }

  private reserve(extra: number): void {
    if (this.length + extra <= this.data.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.data.length * 2, this.length + extra));
    this.data.copy(grown, 0, 0, this.length);
    this.data = grown;
  }

  byte(value: number): void {
    this.reserve(1);
    this.data[this.length++] = value;
  }

  /** Unsigned LEB128 of an integer below 2^32. */
  varint(value: number): void {
    this.reserve(5);
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.data[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.data[this.length++] = rest;
  }

  at(index: number): number {
    return this.data[index];
  }

  bytes(source: Uint8Array): void {
    this.reserve(source.length);
    this.data.set(source, this.length);
    this.length += source.length;
  }

  /** View of the written bytes; valid until the next write. */
  view(): Buffer {
    return this.data.subarray(0, this.length);
  }
}

/** Reads the bytes of a ByteWriter. Checks no bounds: the bytes come from files whose checksum was verified. */
export class ByteReader {
  constructor(
    private readonly data: Uint8Array,
    public at = 0,
  ) {}

  byte(): number {
    return this.data[this.at++];
  }

  varint(): number {
    let byte = this.data[this.at++];
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = this.data[this.at++];
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }
}

// Container format of shard files: named, 8-byte aligned sections behind a JSON header. Layout: magic (8 bytes),
// header length (u32 LE), header, sections. Numbers are little-endian typed arrays.

type Numeric = Uint8Array | Uint16Array | Uint32Array;
interface SectionEntry {
  offset: number;
  bytes: number;
}
interface Header {
  meta: unknown;
  sections: Record<string, SectionEntry>;
}

const PREFIX_BYTES = 12;
const align = (n: number): number => (n + 7) & ~7;

/** Lays sections out behind their header. `magic` is 8 ASCII characters and names kind and layout version. */
export function packSections(magic: string, meta: unknown, sections: Record<string, Numeric>): Buffer {
  const entries: Record<string, SectionEntry> = {};
  let at = 0;
  for (const [name, data] of Object.entries(sections)) {
    entries[name] = { offset: at, bytes: data.byteLength };
    at = align(at + data.byteLength);
  }
  const header = Buffer.from(JSON.stringify({ meta, sections: entries } satisfies Header));
  const base = align(PREFIX_BYTES + header.length);
  const file = Buffer.alloc(base + at);
  file.write(magic, 0, 8, 'latin1');
  file.writeUInt32LE(header.length, 8);
  header.copy(file, PREFIX_BYTES);
  for (const [name, data] of Object.entries(sections)) {
    new Uint8Array(file.buffer, file.byteOffset + base + entries[name].offset, data.byteLength).set(
      new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    );
  }
  return file;
}

/** Typed views over a packed file. Throws SHARD_CORRUPT on another magic or sections beyond the end. */
export class Sections<M> {
  readonly meta: M;
  private readonly entries: Record<string, SectionEntry>;
  private readonly base: number;
  private readonly file: Buffer;

  constructor(file: Buffer, magic: string, name: string) {
    if (file.length < PREFIX_BYTES || file.toString('latin1', 0, 8) !== magic) {
      throw new SocraticodeError('SHARD_CORRUPT', `${name} is not a ${magic.trim()} file`);
    }
    const headerLength = file.readUInt32LE(8);
    try {
      const header = JSON.parse(file.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + headerLength)) as Header;
      this.meta = header.meta as M;
      this.entries = header.sections;
    } catch (cause) {
      throw new SocraticodeError('SHARD_CORRUPT', `${name} has an unreadable header`, { cause });
    }
    // Typed arrays need alignment, which a slice of a pooled buffer lacks.
    this.file = file.byteOffset % 8 === 0 ? file : Buffer.from(new Uint8Array(file).buffer);
    this.base = align(PREFIX_BYTES + headerLength);
    for (const { offset, bytes } of Object.values(this.entries)) {
      if (this.base + offset + bytes > file.length) throw new SocraticodeError('SHARD_CORRUPT', `${name} is cut short`);
    }
  }

  u8(name: string): Uint8Array {
    const { offset, bytes } = this.entries[name];
    return new Uint8Array(this.file.buffer, this.file.byteOffset + this.base + offset, bytes);
  }

  u16(name: string): Uint16Array {
    const { offset, bytes } = this.entries[name];
    return new Uint16Array(this.file.buffer, this.file.byteOffset + this.base + offset, bytes / 2);
  }

  u32(name: string): Uint32Array {
    const { offset, bytes } = this.entries[name];
    return new Uint32Array(this.file.buffer, this.file.byteOffset + this.base + offset, bytes / 4);
  }

  bytes(name: string): Buffer {
    const data = this.u8(name);
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  }
}

/** Largest int8 whose negative is an int8 too. */
const MAX_COMPONENT = 127;

/**
 * Writes a vector at `out[at]` as int8, its largest component as ±127; a zero vector stays zero. Only directions are
 * compared, so no scale is kept. Equal numbers give equal bytes on every machine.
 */
export function toInt8(vector: Float32Array | Float64Array, out: Int8Array, at = 0): void {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]));
  const scale = largest > 0 ? MAX_COMPONENT / largest : 0;
  for (let i = 0; i < vector.length; i++) out[at + i] = Math.round(vector[i] * scale);
}

// Texts in UTF-8, as ripgrep reads them: everything behind the readers of blobs and files counts bytes of UTF-8. Lines stay the same.

/** As git does: bytes in which a NUL makes a file binary. */
const PROBE = 8_000;
/** Control characters that texts have: from backspace to carriage return, and escape. */
const isControl = (byte: number): boolean => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b;

/**
 * Returns the same bytes for UTF-8 and for what is no text. UTF-16 needs its mark, which is left out; in other texts, bytes that are not
 * UTF-8 are characters of Windows-1252, which has those of Latin-1. `encoding`: what git says of a file of the work tree; nothing
 * changes where it does not fit.
 */
export function inUtf8(bytes: Buffer, encoding?: string): Buffer {
  const known = wideText(bytes) ?? (encoding === undefined ? null : textIn(bytes, encoding));
  if (known !== null) return known;
  if (isUtf8(bytes) || bytes.subarray(0, PROBE).some(isControl)) return bytes;
  return Buffer.from(mixedText(bytes));
}

/** UTF-16 with a mark in UTF-8; null for other bytes, also for those of an image that happens to begin so. */
function wideText(bytes: Buffer): Buffer | null {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark !== 0xfffe && mark !== 0xfeff) return null;
  const units = bytes.subarray(2, bytes.length - (bytes.length % 2));
  const text = mark === 0xfffe ? units.toString('utf16le') : Buffer.from(units).swap16().toString('utf16le');
  return text.slice(0, PROBE).includes('\0') ? null : Buffer.from(text);
}

/** Null for bytes that are UTF-8 as they are, such as text that an editor has not saved, and for what cannot be decoded. */
function textIn(bytes: Buffer, encoding: string): Buffer | null {
  if (isUtf8(bytes) && !bytes.includes(0)) return null;
  try {
    return Buffer.from(new TextDecoder(encoding.replace(/-BOM$/i, ''), { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

/** Characters of Windows-1252 from 0x80 on, where Latin-1 has control characters; the five that it leaves out stand for themselves. */
const FROM_0X80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node's own decoder takes Latin-1 for it in several versions. */
const singleBytes = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (char) => FROM_0X80[char.charCodeAt(0) - 0x80]);

/** Runs of UTF-8 as they are; between them bytes that are not. */
function mixedText(bytes: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceAt(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString('utf8', from, at));
    const start = at;
    while (at < bytes.length && sequenceAt(bytes, at) === 0) at++;
    parts.push(singleBytes(bytes.subarray(start, at)));
    from = at;
  }
  parts.push(bytes.toString('utf8', from));
  return parts.join('');
}

/** Bytes of the UTF-8 character at an offset; 0 if there is none. */
function sequenceAt(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const sequence = bytes.subarray(at, at + length);
  return first >= 0xc2 && sequence.length === length && isUtf8(sequence) && !isAscii(sequence) ? length : 0;
}
