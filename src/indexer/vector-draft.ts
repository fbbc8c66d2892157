/** Vector columns of a snapshot's lexical shards while they are filled. */

import { HASH_BYTES } from '../record/limits.js';
import type { LexicalShard } from '../shard/lexical.js';
import { readVectorShard, type VectorColumns, writeVectorShard } from '../shard/vector-shard.js';
import type { VectorDirectory } from './static-run.js';
import { type HashKey, keyAt } from './vector-units.js';

/** Vector columns of one lexical shard. */
class ShardDraft {
  readonly rows: Int8Array;
  readonly hashes: Uint8Array;
  readonly present: Uint8Array;
  isChanged = false;

  constructor(
    readonly lexical: string,
    readonly count: number,
    readonly dimensions: number,
  ) {
    this.rows = new Int8Array(count * dimensions);
    this.hashes = new Uint8Array(count * HASH_BYTES);
    this.present = new Uint8Array(count);
  }

  vector(row: number): Int8Array {
    return this.rows.subarray(row * this.dimensions, (row + 1) * this.dimensions);
  }

  set(row: number, key: HashKey, vector: Int8Array): void {
    this.rows.set(vector, row * this.dimensions);
    this.hashes.set(Buffer.from(key, 'latin1'), row * HASH_BYTES);
    this.present[row] = 1;
    this.isChanged = true;
  }

  get columns(): VectorColumns {
    const { dimensions, rows, hashes, present } = this;
    return { dimensions, rows, hashes, present: present.includes(0) ? present : null };
  }
}

/**
 * The drafts of all shards, filled with the vectors in their files at first. All have the same number of dimensions. If
 * that is not known yet, call `fix` before the first row is set.
 */
export class VectorDrafts {
  private drafts: ShardDraft[] = [];
  private size: number | null = null;
  /** Position of a vector by the hash of its text; built on the first look-up. */
  private pool: Map<HashKey, { draft: ShardDraft; row: number }> | null = null;

  constructor(
    private readonly place: VectorDirectory,
    private readonly shards: readonly LexicalShard[],
    dimensions: number | null,
  ) {
    const files = shards.map(({ name, meta }) => readVectorShard(place.directory, place.profile, name, meta.documents));
    const size = dimensions ?? files.find((file) => file !== null)?.dimensions ?? null;
    if (size === null) return;
    this.fix(size);
    for (const [i, file] of files.entries()) {
      // Without hashes, the embedded texts are unknown, so such a file is not reused.
      if (file === null || file.dimensions !== size || file.hashes === null) continue;
      const draft = this.drafts[i];
      draft.rows.set(file.rows);
      draft.hashes.set(file.hashes);
      // A row of zeros has no direction: make it again.
      for (let row = 0; row < file.count; row++) draft.present[row] = file.has(row) && file.squares[row] > 0 ? 1 : 0;
    }
  }

  /** Numbers per vector; null while unknown, and then there are no vectors. */
  get dimensions(): number | null {
    return this.size;
  }

  fix(dimensions: number): void {
    if (this.size !== null) return;
    this.size = dimensions;
    this.drafts = this.shards.map(({ name, meta }) => new ShardDraft(name, meta.documents, dimensions));
  }

  has(shard: number, row: number): boolean {
    return this.drafts[shard]?.present[row] === 1;
  }

  set(shard: number, row: number, key: HashKey, vector: Int8Array): void {
    const draft = this.drafts[shard];
    draft.set(row, key, vector);
    this.pool?.set(key, { draft, row });
  }

  /** Returns a vector of the same text, from any chunk; null if there is none. */
  find(key: HashKey): Int8Array | null {
    this.pool ??= this.collect();
    const known = this.pool.get(key);
    return known === undefined ? null : known.draft.vector(known.row);
  }

  private collect(): Map<HashKey, { draft: ShardDraft; row: number }> {
    const pool = new Map<HashKey, { draft: ShardDraft; row: number }>();
    for (const draft of this.drafts) {
      for (let row = 0; row < draft.count; row++)
        if (draft.present[row] === 1) pool.set(keyAt(draft.hashes, row), { draft, row });
    }
    return pool;
  }

  /** Copies the rows [first, first + count) of a shard, which must all have a vector. */
  copy(shard: number, first: number, count: number): { hashes: Uint8Array; rows: Int8Array } {
    const { hashes, rows, dimensions } = this.drafts[shard];
    return {
      hashes: hashes.slice(first * HASH_BYTES, (first + count) * HASH_BYTES),
      rows: rows.slice(first * dimensions, (first + count) * dimensions),
    };
  }

  /** Writes the files of shards that changed and returns the bytes of their columns. Throws DISK. */
  save(): number {
    let bytes = 0;
    for (const draft of this.drafts) {
      if (!draft.isChanged) continue;
      writeVectorShard(this.place.directory, this.place.profile, draft.lexical, draft.columns);
      draft.isChanged = false;
      bytes += draft.rows.length + draft.hashes.length;
    }
    return bytes;
  }
}
