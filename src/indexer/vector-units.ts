/** The units of a snapshot as rows of lexical shards, with the texts of their chunks. */
import type { ObjectReader } from '../git/objects.js';
import { HASH_BYTES } from '../record/limits.js';
import { textHash } from '../record/vector-codec.js';
import type { LexicalShard } from '../shard/lexical.js';
import type { LiveSet } from '../shard/live.js';
import { embeddedText } from './embedded-text.js';

/** One blob in one language: rows [first, first + count) of the shard with index `shard`. */
export interface VectorUnit {
  oid: string;
  language: string;
  shard: number;
  first: number;
  count: number;
  /**
   * True if the blob was cut by lines because it could not be parsed. Its chunks stay on this machine, and so do their
   * vectors.
   */
  isLocal: boolean;
}

export function vectorUnits({ shards, files }: Pick<LiveSet, 'shards' | 'files'>): VectorUnit[] {
  return Array.from({ length: files.length }, (_, file) => {
    const [shard, unit] = [files.shard[file], files.unit[file]];
    const { unitFirst, unitDocuments } = shards[shard];
    const isLocal = shards[shard].unitState(unit) !== null;
    const [first, count] = [unitFirst[unit], unitDocuments[unit]];
    return { oid: files.oid(file), language: files.language(file), shard, first, count, isLocal };
  });
}

/** Reads the text of each chunk as it is embedded; null if the blob cannot be read. */
export async function readTexts(
  unit: VectorUnit,
  shard: LexicalShard,
  objects: ObjectReader,
  maxCharacters: number,
): Promise<string[] | null> {
  const object = await objects.read(unit.oid);
  if (object === null) return null;
  const { start, end } = shard.columns;
  return Array.from({ length: unit.count }, (_, i) => {
    const row = unit.first + i;
    if (shard.documentKind(row) === 'output') return '';
    const body = object.content.toString('utf8', start[row], end[row]);
    return embeddedText(shard.documentSymbol(row), body, maxCharacters);
  });
}

/** Hash of an embedded text as a key of maps: one character for each byte. */
export type HashKey = string;

export function hashKey(text: string): HashKey {
  return Buffer.from(textHash(text)).toString('latin1');
}

export function keyAt(hashes: Uint8Array, index: number): HashKey {
  return Buffer.from(hashes.buffer, hashes.byteOffset + index * HASH_BYTES, HASH_BYTES).toString('latin1');
}
