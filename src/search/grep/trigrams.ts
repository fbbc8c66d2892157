/**
 * Trigrams of blobs: for each blob a small filter that tells which triples of bytes it may hold, in lower case. A file whose filter
 * lacks a trigram that every match contains need not be read. Filters only ever save reading: a text is always matched itself.
 *
 * A filter is a Bloom filter with one hash and 4 bits for each different trigram, about a tenth of the text. One trigram is
 * found in vain in a fifth of the files, the seven of a name with nine letters in one of 100,000. A filter of a blob depends on no
 * other blob, so that new blobs are appended; posting lists take as much room, and have to be merged.
 */
import { packSections, Sections } from '../../base/sections.js';
import { fulfils, type Need } from './needs.js';
import type { Pattern } from './pattern.js';

const MAGIC = 'GSCTRI01';
const BITS_A_TRIGRAM = 4;
const WORD_BITS = 32;
const TRIGRAM_BITS = 24;

/** Lower case of each byte. */
const LOWER = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) LOWER[byte] = byte >= 65 && byte <= 90 ? byte + 32 : byte;

function slotOf(trigram: number, bits: number): number {
  const product = Math.imul(trigram, 0x9e3779b1);
  // The low bits of a product depend on the low bits of the trigram alone, its last letter.
  return ((product ^ (product >>> 15)) >>> 0) % bits;
}

interface Meta {
  oidBytes: number;
}

export class TrigramFilters {
  private entries: Map<string, number> | null = null;
  private readonly fresh = new Map<string, Uint32Array>();
  private freshWords = 0;
  private seen: Uint32Array | null = null;

  private constructor(
    private readonly oidBytes: number,
    private readonly oids: Buffer,
    /** Start of each blob's filter in `words`, and the end of the last. A binary blob's is empty. */
    private readonly starts: Uint32Array,
    private readonly words: Uint32Array,
  ) {}

  static empty(oidBytes: number): TrigramFilters {
    return new TrigramFilters(oidBytes, Buffer.alloc(0), new Uint32Array(1), new Uint32Array(0));
  }

  /** Throws SHARD_CORRUPT. */
  static of(file: Buffer, name: string): TrigramFilters {
    const sections = new Sections<Meta>(file, MAGIC, name);
    const [oids, starts, words] = [sections.bytes('oids'), sections.u32('starts'), sections.u32('words')];
    return new TrigramFilters(sections.meta.oidBytes, oids, starts, words);
  }

  /** Blobs that were added since the filters were read. */
  get added(): number {
    return this.fresh.size;
  }

  get bytes(): number {
    return (this.words.length + this.freshWords) * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Tells whether a blob has to be read: it may match, it cannot match, or it is binary. */
  judge(oid: string, trigrams: Trigrams | null): 'read' | 'none' | 'binary' {
    const filter = this.filterOf(oid);
    if (filter === null) return 'read';
    if (filter.length === 0) return 'binary';
    return trigrams === null || trigrams((trigram) => has(filter, trigram)) ? 'read' : 'none';
  }

  isKnown(oid: string): boolean {
    return this.filterOf(oid) !== null;
  }

  add(oid: string, bytes: Buffer, isBinary: boolean): void {
    const filter = isBinary ? new Uint32Array(0) : this.filterFor(bytes);
    this.fresh.set(oid, filter);
    this.freshWords += filter.length;
  }

  encode(): Buffer {
    const count = this.starts.length - 1;
    const oids = Buffer.concat([this.oids, ...[...this.fresh.keys()].map((oid) => Buffer.from(oid, 'hex'))]);
    const starts = new Uint32Array(count + this.fresh.size + 1);
    const words = new Uint32Array(this.words.length + this.freshWords);
    starts.set(this.starts);
    words.set(this.words);
    let at = this.words.length;
    for (const [i, filter] of [...this.fresh.values()].entries()) {
      words.set(filter, at);
      at += filter.length;
      starts[count + i + 1] = at;
    }
    return packSections(MAGIC, { oidBytes: this.oidBytes } satisfies Meta, { oids, starts, words });
  }

  private filterOf(oid: string): Uint32Array | null {
    const fresh = this.fresh.get(oid);
    if (fresh !== undefined) return fresh;
    this.entries ??= this.readOids();
    const entry = this.entries.get(oid);
    return entry === undefined ? null : this.words.subarray(this.starts[entry], this.starts[entry + 1]);
  }

  private readOids(): Map<string, number> {
    const all = this.oids.toString('hex');
    const width = this.oidBytes * 2;
    const entries = new Map<string, number>();
    for (let entry = 0; entry < this.starts.length - 1; entry++)
      entries.set(all.slice(entry * width, (entry + 1) * width), entry);
    return entries;
  }

  private filterFor(bytes: Buffer): Uint32Array {
    this.seen ??= new Uint32Array(1 << (TRIGRAM_BITS - 5));
    const { seen } = this;
    const trigrams: number[] = [];
    let trigram = 0;
    for (let at = 0; at < bytes.length; at++) {
      trigram = ((trigram << 8) | LOWER[bytes[at]]) & 0xffffff;
      const bit = 1 << (trigram & 31);
      if (at < 2 || (seen[trigram >>> 5] & bit) !== 0) continue;
      seen[trigram >>> 5] |= bit;
      trigrams.push(trigram);
    }
    const filter = new Uint32Array(Math.max(1, Math.ceil((trigrams.length * BITS_A_TRIGRAM) / WORD_BITS)));
    for (const each of trigrams) {
      seen[each >>> 5] = 0;
      const slot = slotOf(each, filter.length * WORD_BITS);
      filter[slot >>> 5] |= 1 << (slot & 31);
    }
    return filter;
  }
}

function has(filter: Uint32Array, trigram: number): boolean {
  const slot = slotOf(trigram, filter.length * WORD_BITS);
  return (filter[slot >>> 5] & (1 << (slot & 31))) !== 0;
}

/** Condition on a blob's trigrams. */
export type Trigrams = (has: (trigram: number) => boolean) => boolean;

/** The trigrams that every match contains; null if none are known. */
export function trigramsOf({ need, ignoreCase }: Pick<Pattern, 'need' | 'ignoreCase'>): Trigrams | null {
  const known = new Map<string, number[]>();
  const collect = (part: Need): void => {
    if (part === null) return;
    if ('text' in part) known.set(part.text, trigramsIn(part.text, ignoreCase));
    else for (const each of 'all' in part ? part.all : part.any) collect(each);
  };
  collect(need);
  if (![...known.values()].some((trigrams) => trigrams.length > 0)) return null;
  return (hasTrigram) => fulfils(need, (text) => (known.get(text) ?? []).every(hasTrigram));
}

/** Letters that stand for others where case is ignored: `k` for the Kelvin sign, `s` for the long s, and all beyond ASCII. */
const FOLDS = (byte: number): boolean => byte >= 128 || byte === 107 || byte === 115;

function trigramsIn(text: string, ignoreCase: boolean): number[] {
  const bytes = Buffer.from(text);
  const trigrams: number[] = [];
  for (let at = 0; at + 2 < bytes.length; at++) {
    const [a, b, c] = [LOWER[bytes[at]], LOWER[bytes[at + 1]], LOWER[bytes[at + 2]]];
    if (!ignoreCase || ![a, b, c].some(FOLDS)) trigrams.push((a << 16) | (b << 8) | c);
  }
  return trigrams;
}
