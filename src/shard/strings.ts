/**
 * Sorted string tables inside shards. Strings are found by binary search on their bytes and decoded only for display.
 */
import type { Sections } from '../base/sections.js';

/** Compares by UTF-8 bytes, the order in which the tables are sorted and searched. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

interface PackedStrings {
  offsets: Uint32Array;
  bytes: Buffer;
}

/** Packs strings in the given order. */
export function packStrings(strings: readonly string[]): PackedStrings {
  const offsets = new Uint32Array(strings.length + 1);
  for (let i = 0; i < strings.length; i++) offsets[i + 1] = offsets[i] + Buffer.byteLength(strings[i]);
  const joined = Buffer.from(strings.join(''));
  if (joined.length === offsets[strings.length]) return { offsets, bytes: joined };
  // Encode each string alone: joining them first could combine two halves of a surrogate pair.
  return { offsets, bytes: Buffer.concat(strings.map((text) => Buffer.from(text))) };
}

/** UTF-16 and UTF-8 order differ only between characters from here on. */
const LATE = /[\ud800-\uffff]/;

/** Compares like `compareUtf8`, many times faster: only strings whose order could differ are encoded. */
export function orderUtf8(a: string, b: string): number {
  if (a === b) return 0;
  return LATE.test(a) && LATE.test(b) ? compareUtf8(a, b) : a < b ? -1 : 1;
}

/** Sorts strings in UTF-8 order. */
export function sortUtf8(strings: Iterable<string>): string[] {
  return [...strings].sort(orderUtf8);
}

/** Reads packed strings. In a file they are the sections `<name>Offsets` and `<name>Bytes`. */
export class StringTable {
  readonly offsets: Uint32Array;
  readonly bytes: Buffer;

  constructor({ offsets, bytes }: PackedStrings) {
    this.offsets = offsets;
    this.bytes = bytes;
  }

  static of(sections: Sections<unknown>, name: string): StringTable {
    return new StringTable({ offsets: sections.u32(`${name}Offsets`), bytes: sections.bytes(`${name}Bytes`) });
  }

  /** Returns the table as sections of a file. */
  sections(name: string): Record<string, Uint8Array | Uint32Array> {
    return { [`${name}Offsets`]: this.offsets, [`${name}Bytes`]: this.bytes };
  }

  get length(): number {
    return this.offsets.length - 1;
  }

  at(index: number): string {
    return this.bytes.toString('utf8', this.offsets[index], this.offsets[index + 1]);
  }

  /**
   * Returns the indexes of the strings in `wanted`, in order. Most strings are ruled out by their length, without
   * decoding.
   */
  findAll(wanted: ReadonlySet<string>): number[] {
    const lengths = new Set(Array.from(wanted, (text) => Buffer.byteLength(text)));
    const found: number[] = [];
    if (wanted.size === 0) return found;
    for (let i = 0; i < this.length; i++) {
      if (lengths.has(this.offsets[i + 1] - this.offsets[i]) && wanted.has(this.at(i))) found.push(i);
    }
    return found;
  }

  /** Quick test that excludes most texts: true if the text occurs in a string, or across the border of two strings. */
  mentions(text: string): boolean {
    return this.bytes.includes(text);
  }

  /** Returns a new table with the strings of the runs [from, to), followed by `more`. */
  select(runs: readonly (readonly [from: number, to: number])[], more: readonly string[]): StringTable {
    const added = packStrings(more);
    const count = runs.reduce((sum, [from, to]) => sum + to - from, 0);
    const offsets = new Uint32Array(count + more.length + 1);
    const parts: Buffer[] = [];
    let next = 1;
    let at = 0;
    const copy = (source: PackedStrings, from: number, to: number) => {
      const start = source.offsets[from];
      for (let i = from; i < to; i++) offsets[next++] = at + source.offsets[i + 1] - start;
      parts.push(source.bytes.subarray(start, source.offsets[to]));
      at += source.offsets[to] - start;
    };
    for (const [from, to] of runs) copy(this, from, to);
    copy(added, 0, more.length);
    return new StringTable({ offsets, bytes: Buffer.concat(parts) });
  }

  /** Index of a string in a sorted table; -1 if it is absent. */
  find(text: string): number {
    const target = Buffer.from(text);
    let low = 0;
    let high = this.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = this.compare(target, middle);
      if (order === 0) return middle;
      if (order < 0) high = middle - 1;
      else low = middle + 1;
    }
    return -1;
  }

  /** Sign of bytes against those of a string. `Buffer.compare` takes ten times as long as the few bytes that most often differ. */
  private compare(target: Buffer, index: number): number {
    const { bytes } = this;
    const from = this.offsets[index];
    const length = this.offsets[index + 1] - from;
    const shared = Math.min(length, target.length);
    for (let i = 0; i < shared; i++) {
      const order = target[i] - bytes[from + i];
      if (order !== 0) return order;
    }
    return target.length - length;
  }
}
