/**
 * Trigrams of blobs: for each blob a small filter of the triples of bytes that it may contain, in lower case. A file whose filter lacks a
 * trigram that every match contains need not be read. Filters only save reading: a text is always matched itself.
 *
 * A filter is a Bloom filter with one hash and 4 bits for each different trigram, about a tenth of the text. One trigram is found in vain
 * in a fifth of the files, the seven of a name with nine letters in one of 100,000. A blob's filter depends on no other blob, so new ones
 * are appended; posting lists take as much room, and have to be merged.
 */
import { packSections, Sections } from '../../base/binary.js';
import { fulfils, type Need, type Pattern } from './required-texts.js';

const MAGIC = 'GSCTRI02';
const BITS_A_TRIGRAM = 4;
const WORD_BITS = 32;
const TRIGRAM_BITS = 24;

/** Lower case of each byte. */
const LOWER = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) LOWER[byte] = byte >= 65 && byte <= 90 ? byte + 32 : byte;

function slotOf(trigram: number, bits: number): number {
  const product = Math.imul(trigram, 0x9e3779b1);
  // The low bits of a product depend only on the low bits of the trigram, its last letter.
  return ((product ^ (product >>> 15)) >>> 0) % bits;
}

interface Meta {
  oidBytes: number;
}

/** Facts of a blob that was read before. */
export interface KnownBlob {
  size: number;
  isBinary: boolean;
  isClean: boolean;
}

interface Fresh extends KnownBlob {
  filter: Uint32Array;
}

/** Tests of a blob that its trigrams speed up. */
export interface BlobTests {
  isBinary: (bytes: Buffer) => boolean;
  /** `mayHold`: returns whether the blob may have all trigrams of a text. */
  isSecret: (bytes: Buffer, mayHold: (text: string) => boolean) => boolean;
}

export class TrigramFilters {
  private entries: Map<string, number> | null = null;
  private readonly fresh = new Map<string, Fresh>();
  private freshWords = 0;
  private seen: Uint32Array | null = null;

  private constructor(
    private readonly oidBytes: number,
    private readonly oids: Buffer,
    /** Start of each blob's filter in `words`, and the end of the last. A binary blob's is empty. */
    private readonly starts: Uint32Array,
    private readonly words: Uint32Array,
    private readonly sizes: Uint32Array,
    /** 1 for a blob without a secret. */
    private readonly clean: Uint8Array,
  ) {}

  static empty(oidBytes: number): TrigramFilters {
    const none = new Uint32Array(0);
    return new TrigramFilters(oidBytes, Buffer.alloc(0), new Uint32Array(1), none, none, Buffer.alloc(0));
  }

  /** Throws SHARD_CORRUPT. */
  static of(file: Buffer, name: string): TrigramFilters {
    const sections = new Sections<Meta>(file, MAGIC, name);
    const [oids, starts, words] = [sections.bytes('oids'), sections.u32('starts'), sections.u32('words')];
    const [sizes, clean] = [sections.u32('sizes'), sections.bytes('clean')];
    return new TrigramFilters(sections.meta.oidBytes, oids, starts, words, sizes, clean);
  }

  /** Blobs that were added since the filters were read. */
  get added(): number {
    return this.fresh.size;
  }

  get bytes(): number {
    return (this.words.length + this.freshWords) * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Returns whether a blob has to be read, cannot match, or is binary. */
  judge(oid: string, trigrams: Trigrams | null): 'read' | 'none' | 'binary' {
    const fresh = this.fresh.get(oid);
    const entry = fresh === undefined ? this.entryOf(oid) : 0;
    if (entry === undefined) return 'read';
    const words = fresh?.filter ?? this.words;
    const start = fresh === undefined ? this.starts[entry] : 0;
    const bits = (fresh === undefined ? this.starts[entry + 1] - start : words.length) * WORD_BITS;
    if (bits === 0) return 'binary';
    if (trigrams === null) return 'read';
    const has = (trigram: number) => {
      const slot = slotOf(trigram, bits);
      return (words[start + (slot >>> 5)] & (1 << (slot & 31))) !== 0;
    };
    return trigrams(has) ? 'read' : 'none';
  }

  /** Null for a blob that was not read before. */
  known(oid: string): KnownBlob | null {
    const fresh = this.fresh.get(oid);
    if (fresh !== undefined) return fresh;
    const entry = this.entryOf(oid);
    if (entry === undefined) return null;
    const isBinary = this.starts[entry] === this.starts[entry + 1];
    return { size: this.sizes[entry], isBinary, isClean: this.clean[entry] === 1 };
  }

  add(oid: string, bytes: Buffer, { isBinary, isSecret }: BlobTests): KnownBlob {
    const size = bytes.length;
    const fresh: Fresh = isBinary(bytes)
      ? { filter: new Uint32Array(0), size, isBinary: true, isClean: false }
      : { ...this.learn(bytes, isSecret), size, isBinary: false };
    this.fresh.set(oid, fresh);
    this.freshWords += fresh.filter.length;
    return fresh;
  }

  encode(): Buffer {
    const count = this.starts.length - 1;
    const fresh = [...this.fresh.values()];
    const oids = Buffer.concat([this.oids, ...[...this.fresh.keys()].map((oid) => Buffer.from(oid, 'hex'))]);
    const starts = new Uint32Array(count + fresh.length + 1);
    const words = new Uint32Array(this.words.length + this.freshWords);
    const sizes = new Uint32Array(count + fresh.length);
    const clean = new Uint8Array(count + fresh.length);
    starts.set(this.starts);
    words.set(this.words);
    sizes.set(this.sizes);
    clean.set(this.clean);
    let at = this.words.length;
    for (const [i, { filter, size, isClean }] of fresh.entries()) {
      words.set(filter, at);
      at += filter.length;
      starts[count + i + 1] = at;
      sizes[count + i] = size;
      clean[count + i] = Number(isClean);
    }
    const meta: Meta = { oidBytes: this.oidBytes };
    return packSections(MAGIC, meta, { oids, starts, words, sizes, clean });
  }

  private entryOf(oid: string): number | undefined {
    this.entries ??= this.readOids();
    return this.entries.get(oid);
  }

  private readOids(): Map<string, number> {
    const width = this.oidBytes;
    const entries = new Map<string, number>();
    for (let entry = 0; entry < this.starts.length - 1; entry++)
      entries.set(this.oids.toString('hex', entry * width, (entry + 1) * width), entry);
    return entries;
  }

  private learn(bytes: Buffer, isSecret: BlobTests['isSecret']): Pick<Fresh, 'filter' | 'isClean'> {
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
    const isSeen = (each: number) => (seen[each >>> 5] & (1 << (each & 31))) !== 0;
    const isClean = !isSecret(bytes, (text) => trigramsIn(text).every(isSeen));
    const filter = new Uint32Array(Math.max(1, Math.ceil((trigrams.length * BITS_A_TRIGRAM) / WORD_BITS)));
    for (const each of trigrams) {
      seen[each >>> 5] = 0;
      const slot = slotOf(each, filter.length * WORD_BITS);
      filter[slot >>> 5] |= 1 << (slot & 31);
    }
    return { filter, isClean };
  }
}

/** Condition on a blob's trigrams. */
export type Trigrams = (has: (trigram: number) => boolean) => boolean;

/** Trigrams that every match contains; null if none are known. */
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

/** Letters that stand for others if case is ignored: `k` for the Kelvin sign, `s` for the long s, and all beyond ASCII. */
const FOLDS = (byte: number): boolean => byte >= 128 || byte === 107 || byte === 115;

function trigramsIn(text: string, ignoreCase = false): number[] {
  const bytes = Buffer.from(text);
  const trigrams: number[] = [];
  for (let at = 0; at + 2 < bytes.length; at++) {
    const [a, b, c] = [LOWER[bytes[at]], LOWER[bytes[at + 1]], LOWER[bytes[at + 2]]];
    if (!ignoreCase || ![a, b, c].some(FOLDS)) trigrams.push((a << 16) | (b << 8) | c);
  }
  return trigrams;
}
