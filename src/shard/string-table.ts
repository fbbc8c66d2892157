/** Sorted string tables inside shards. Strings are found by binary search on their bytes and decoded only for display. */
import type { Sections } from '../base/binary.js';

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
  // Each string is encoded alone: joining them first could combine two halves of a surrogate pair.
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

/** Look-ups after which hashing a table pays. A search makes a thousand, so only long-lived processes get so far. */
const FINDS_BEFORE_HASH = 4_096;

/** Reads packed strings. In a file they are the sections `<name>Offsets` and `<name>Bytes`. */
export class StringTable {
  readonly offsets: Uint32Array;
  readonly bytes: Buffer;
  private finds = 0;
  private hash: StringHash | null = null;

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

  /** Returns the indexes of the strings in `wanted`, in order. Most strings are ruled out by their length, without decoding. */
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

  /** Index of a string in a sorted table without repetitions; -1 if it is absent. */
  find(text: string): number {
    if (this.finds < FINDS_BEFORE_HASH && ++this.finds === FINDS_BEFORE_HASH) this.hash = hashStrings(this);
    return this.hash?.find(text) ?? this.search(text);
  }

  private search(text: string): number {
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

  /** Sign of bytes compared with a string's. `Buffer.compare` takes ten times as long for the few bytes that mostly differ. */
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

/** Longest run of slots that are looked at. With half of the slots free, thirty in a row happen by intent alone. */
const MAX_RUN = 64;

/**
 * Finds strings by hash, in a third of the time of a binary search among 60,000. Null if too many strings have adjacent slots, as names
 * can that somebody made for it.
 */
export function hashStrings({ offsets, bytes }: PackedStrings): StringHash | null {
  const count = offsets.length - 1;
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
  for (let index = 0; index < count; index++) {
    let hash = FNV_OFFSET;
    for (let at = offsets[index]; at < offsets[index + 1]; at++) hash = mixed(hash, bytes[at]);
    const first = slotOf(hash, slots.length);
    let run = 0;
    while (run < MAX_RUN && slots[(first + run) & (slots.length - 1)] !== 0) run++;
    if (run === MAX_RUN) return null;
    slots[(first + run) & (slots.length - 1)] = index + 1;
  }
  return new StringHash({ offsets, bytes }, slots);
}

export class StringHash {
  /** `slots`: 1 more than the index of a string, 0 for a free slot. */
  constructor(
    private readonly packed: PackedStrings,
    private readonly slots: Int32Array,
  ) {}

  /** Index of an ASCII text; -1 if it is absent. Null for another text, whose bytes are not its UTF-16 units. */
  find(text: string): number | null {
    const { slots } = this;
    let hash = FNV_OFFSET;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > LAST_ASCII) return null;
      hash = mixed(hash, unit);
    }
    const first = slotOf(hash, slots.length);
    for (let run = 0; run < MAX_RUN; run++) {
      const index = slots[(first + run) & (slots.length - 1)] - 1;
      if (index < 0 || this.is(index, text)) return index;
    }
    return -1;
  }

  private is(index: number, text: string): boolean {
    const { offsets, bytes } = this.packed;
    const start = offsets[index];
    if (offsets[index + 1] - start !== text.length) return false;
    for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }
}

const LAST_ASCII = 0x7f;
/** FNV-1a (Fowler, Noll and Vo) of 32 bits. */
const FNV_OFFSET = 0x811c9dc5;
const mixed = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);
/** The upper half is folded in, since few last bytes reach the lower bits well. */
const slotOf = (hash: number, slots: number): number => (hash ^ (hash >>> 16)) & (slots - 1);
