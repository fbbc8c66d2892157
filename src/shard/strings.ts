/** Sorted string tables inside shards: looked up by binary search on bytes, decoded only when shown. */
import type { Sections } from '../base/sections.js';

/** Byte order of UTF-8, which is what the tables are sorted and searched by. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export interface PackedStrings {
  offsets: Uint32Array;
  bytes: Buffer;
}

/** Packs strings in the order given. */
export function packStrings(strings: readonly string[]): PackedStrings {
  const offsets = new Uint32Array(strings.length + 1);
  const parts: Buffer[] = [];
  let at = 0;
  for (let i = 0; i < strings.length; i++) {
    const bytes = Buffer.from(strings[i]);
    parts.push(bytes);
    at += bytes.length;
    offsets[i + 1] = at;
  }
  return { offsets, bytes: Buffer.concat(parts) };
}

/** Reads packed strings; in a file they are the sections `<name>Offsets` and `<name>Bytes`. */
export class StringTable {
  private readonly offsets: Uint32Array;
  private readonly bytes: Buffer;

  constructor({ offsets, bytes }: PackedStrings) {
    this.offsets = offsets;
    this.bytes = bytes;
  }

  static of(sections: Sections<unknown>, name: string): StringTable {
    return new StringTable({ offsets: sections.u32(`${name}Offsets`), bytes: sections.bytes(`${name}Bytes`) });
  }

  /** As sections of a file. */
  sections(name: string): Record<string, Uint8Array | Uint32Array> {
    return { [`${name}Offsets`]: this.offsets, [`${name}Bytes`]: this.bytes };
  }

  get length(): number {
    return this.offsets.length - 1;
  }

  at(index: number): string {
    return this.bytes.toString('utf8', this.offsets[index], this.offsets[index + 1]);
  }

  /** Index of a string in a sorted table, -1 if absent. */
  find(text: string): number {
    const target = Buffer.from(text);
    let low = 0;
    let high = this.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = target.compare(this.bytes, this.offsets[middle], this.offsets[middle + 1]);
      if (order === 0) return middle;
      if (order < 0) high = middle - 1;
      else low = middle + 1;
    }
    return -1;
  }
}
