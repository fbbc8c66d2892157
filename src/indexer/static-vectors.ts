/**
 * Vectors of the built-in model, computed from a lexical shard alone. The shard's postings hold every document's terms
 * with their frequencies, so no text is read or cut again, and each term is looked up in the model once per shard.
 */
import { MAX_FREQUENCY, type StaticModel } from '../embed/builtin/model.js';
import { SubwordPool } from '../embed/builtin/pool.js';
import type { LexicalShard } from '../shard/lexical.js';

/** Settings that decide the vectors in addition to model and shard; part of the vectors profile. */
export const STATIC_VECTORS = {
  /** Change it when the same model gives other vectors. */
  version: 1,
  /**
   * Counts of one occurrence in the name that a chunk defines, and in the names of the definitions around it. These
   * names say what the chunk belongs to, and a method's text rarely repeats its class.
   */
  name: 3,
  enclosing: 4,
} as const;

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

/** Inverts postings by term into sub-words by document. */
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
