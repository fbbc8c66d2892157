/**
 * Container format of shard files: named, 8-byte aligned sections behind a JSON header. Layout:
 * magic (8 bytes), header length (u32 LE), header, sections. Numbers are little-endian typed arrays.
 */
import { SocraticodeError } from './errors.js';

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
