/**
 * Vectors of the built-in model, computed from a lexical shard alone, and the text that a provider embeds for a chunk. The shard's
 * postings have every document's terms with their frequencies, so no text is read or split again, and each term is looked up in the model
 * once per shard.
 */
import { log } from '../base/log.js';
import { builtinModel } from '../embed/builtin/index.js';
import { MAX_FREQUENCY, STATIC_VECTORS, type StaticModel, SubwordPool } from '../embed/builtin/model.js';
import { cutText } from '../embed/models.js';
import type { LexicalShard } from '../shard/lexical-shard.js';
import { readVectorShard, VectorShard, writeVectorShard } from '../shard/vector-shard.js';

interface StaticVectors {
  /** One row per document of the shard. */
  rows: Int8Array;
  /** One byte per row, 0 for a document without a word that the model knows; null if every document has one. */
  present: Uint8Array | null;
}

/** Sub-words and frequencies by document: document i has the entries [start[i], start[i + 1]). */
interface SubwordsByDocument {
  start: Uint32Array;
  row: Uint16Array;
  frequency: Uint8Array;
}

export function embedShard(shard: LexicalShard, model: StaticModel): StaticVectors {
  const { documents } = shard.meta;
  const { dimensions } = model;
  const rows = new Int8Array(documents * dimensions);
  const present = new Uint8Array(documents);
  const { start, row, frequency } = invert(shard, model);
  const pool = new SubwordPool(model);
  let known = 0;
  for (let document = 0; document < documents; document++) {
    for (let i = start[document]; i < start[document + 1]; i++) pool.count(row[i], frequency[i]);
    if (!pool.finish(rows, document * dimensions)) continue;
    present[document] = 1;
    known++;
  }
  return { rows, present: known === documents ? null : present };
}

function invert(shard: LexicalShard, model: StaticModel): SubwordsByDocument {
  const rowsOf = Array.from({ length: shard.terms.length }, (_, term) => model.rowsOf(shard.terms.at(term)));
  const start = new Uint32Array(shard.meta.documents + 1);
  eachPosting(shard, rowsOf, (rows, document) => {
    start[document + 1] += rows.length;
  });
  for (let i = 1; i < start.length; i++) start[i] += start[i - 1];
  const total = start[start.length - 1];
  const forward: SubwordsByDocument = { start, row: new Uint16Array(total), frequency: new Uint8Array(total) };
  const next = start.slice();
  eachPosting(shard, rowsOf, (rows, document, frequency) => {
    for (const row of rows) {
      forward.row[next[document]] = row;
      forward.frequency[next[document]++] = frequency;
    }
  });
  return forward;
}

function eachPosting(
  shard: LexicalShard,
  rowsOf: readonly number[][],
  visit: (rows: readonly number[], document: number, frequency: number) => void,
): void {
  for (const [term, rows] of rowsOf.entries()) {
    if (rows.length === 0) continue;
    shard.eachPosting(term, (document, body, name, enclosing) => {
      const frequency = body + STATIC_VECTORS.name * name + STATIC_VECTORS.enclosing * enclosing;
      visit(rows, document, Math.min(frequency, MAX_FREQUENCY));
    });
  }
}

/**
 * Returns the text of a chunk for an embedder that sees `maxCharacters` UTF-16 code units: after one line with `symbol`, the qualified
 * name of the definition that the chunk is about or lies in (null outside definitions), the chunk's own text. No path goes in, so that a
 * blob has the same vectors wherever it is.
 */
export function embeddedText(symbol: string | null, body: string, maxCharacters: number): string {
  return cutText(symbol === null ? body : `${symbol}\n${body}`, maxCharacters);
}

/** Directory and profile of vector files. */
export interface VectorDirectory {
  directory: string;
  profile: string;
}

export interface StaticShard {
  vectors: VectorShard;
  /** True if the vectors were made now instead of read from a file. */
  isNew: boolean;
}

/** Returns the vectors of each shard. Makes and writes them for shards without a file that can be trusted. Throws DISK. */
export function ensureStaticVectors(place: VectorDirectory, shards: readonly LexicalShard[]): StaticShard[] {
  return shards.map((shard) => {
    const known = readVectorShard(place.directory, place.profile, shard.name, shard.meta.documents);
    if (known !== null) return { vectors: known, isNew: false };
    return { vectors: writeVectorShard(place.directory, place.profile, shard.name, columnsOf(shard)), isNew: true };
  });
}

/** Makes the vectors of a shard that has no file, and writes them if possible; otherwise they stay in memory. */
export function makeStaticVectors(place: VectorDirectory, shard: LexicalShard): VectorShard {
  const columns = columnsOf(shard);
  try {
    return writeVectorShard(place.directory, place.profile, shard.name, columns);
  } catch (error) {
    // A read-only repository can still be searched.
    log.debug((error as Error).message);
    return new VectorShard(columns);
  }
}

/** Makes the vectors of a shard in memory only, for one so small that reading a file would take longer. */
export function computeStaticVectors(shard: LexicalShard): VectorShard {
  return new VectorShard(columnsOf(shard));
}

function columnsOf(shard: LexicalShard) {
  const model = builtinModel();
  return { dimensions: model.dimensions, ...embedShard(shard, model) };
}
