/** Vectors of blobs in notes: checks records and writes new ones in batches. */
import type { NoteEntry } from '../git/notes.js';
import { HASH_BYTES, MAX_DIMENSIONS, MIN_DIMENSIONS } from '../record/limits.js';
import type { VectorStore } from '../record/store.js';
import type { VectorRecord } from '../record/types.js';
import { encodeVectorRecord } from '../record/vector-codec.js';
import type { VectorDrafts } from './vector-draft.js';
import { type HashKey, keyAt, type VectorUnit } from './vector-units.js';

/** A batch is written once it has this many blobs and the last write is a second ago, or after five seconds. */
const BATCH_BLOBS = 64;
const MIN_BATCH_MS = 1_000;
const MAX_BATCH_MS = 5_000;
const BATCH_BYTES = 4 << 20;

/**
 * Copies a record's vectors of a unit into the drafts. Returns null on success, else the reason. The record's hashes
 * must be those of the unit's own texts, so that a record cannot claim vectors for other texts; if one hash differs,
 * nothing is taken.
 */
export function loadUnit(
  record: VectorRecord,
  unit: VectorUnit,
  keys: readonly HashKey[],
  drafts: VectorDrafts,
): string | null {
  const vectors = record.languages[unit.language];
  if (vectors === undefined) return null;
  const { dimensions } = record;
  if (drafts.dimensions !== null && dimensions !== drafts.dimensions)
    return `${dimensions} dimensions instead of ${drafts.dimensions}`;
  const fits =
    vectors.hashes.length === keys.length * HASH_BYTES && keys.every((key, i) => keyAt(vectors.hashes, i) === key);
  if (!fits) return 'its hashes belong to other texts';
  drafts.fix(dimensions);
  for (const [i, key] of keys.entries()) {
    if (drafts.has(unit.shard, unit.first + i)) continue;
    drafts.set(unit.shard, unit.first + i, key, vectors.rows.subarray(i * dimensions, (i + 1) * dimensions));
  }
  return null;
}

/** Collects the records of blobs whose vectors are complete. */
export class RecordQueue {
  bytesAdded = 0;
  private batch: NoteEntry[] = [];
  private batchBytes = 0;
  private last: number;
  private writing: Promise<void> = Promise.resolve();

  /** `now`: milliseconds on a clock of the caller's. */
  constructor(
    private readonly store: Pick<VectorStore, 'write'>,
    private readonly now = () => performance.now(),
  ) {
    this.last = now();
  }

  /**
   * Adds a record. Leaves out records beyond 1 MiB or with dimensions that no record may have; those vectors stay
   * local.
   */
  async add(oid: string, record: VectorRecord): Promise<void> {
    if (record.dimensions < MIN_DIMENSIONS || record.dimensions > MAX_DIMENSIONS) return;
    const note = encodeVectorRecord(oid, record);
    if (note === null) return;
    this.batch.push({ target: oid, note });
    this.batchBytes += note.length;
    await this.tick();
  }

  /** Writes the batch if it is full or old enough. */
  async tick(): Promise<void> {
    const age = this.now() - this.last;
    const isFull = this.batchBytes >= BATCH_BYTES || (this.batch.length >= BATCH_BLOBS && age >= MIN_BATCH_MS);
    if (isFull || age >= MAX_BATCH_MS) await this.flush();
  }

  /** Waits for the batch before, then starts writing this one without waiting for it. */
  private async flush(): Promise<void> {
    const { batch, batchBytes } = this;
    this.batch = [];
    this.batchBytes = 0;
    await this.writing;
    this.last = this.now();
    if (batch.length === 0) return;
    this.writing = this.store.write(batch).then(() => {
      this.bytesAdded += batchBytes;
    });
    this.writing.catch(() => {}); // The next flush or `finish` awaits it; this avoids an "unhandled rejection" until then.
  }

  /** Writes the rest. Throws the errors of writing notes. */
  async finish(): Promise<void> {
    await this.flush();
    await this.writing;
  }
}
