/**
 * Plans the embedding of a snapshot: finds the chunks that get no vector from files, notes or equal texts, and fills the vector columns
 * of its lexical shards.
 */
import { SocraticodeError } from '../base/errors.js';
import { addTo } from '../base/lists.js';
import type { NoteEntry } from '../git/notes.js';
import type { ObjectReader } from '../git/objects.js';
import { HASH_BYTES, MAX_DIMENSIONS, MIN_DIMENSIONS, type VectorRecord } from '../record/format.js';
import type { VectorStore } from '../record/store.js';
import { encodeVectorRecord, textHash } from '../record/vector-codec.js';
import type { LexicalShard } from '../shard/lexical-shard.js';
import type { LiveSet } from '../shard/live-set.js';
import { readVectorShard, type VectorColumns, writeVectorShard } from '../shard/vector-shard.js';
import { embeddedText, type VectorDirectory } from './static-vectors.js';

export interface VectorContext {
  shards: readonly LexicalShard[];
  objects: ObjectReader;
  /** Store of vector records, already listed. */
  store: VectorStore;
  /** UTF-16 code units that the embedder sees of one text. */
  maxCharacters: number;
  /** Called once for each record that cannot be used. */
  onBadRecord: (oid: string, reason: string) => void;
  signal?: AbortSignal;
}

export interface MissingChunk {
  unit: VectorUnit;
  /** Row in the unit's shard. */
  row: number;
}

export interface VectorPlan {
  /** Missing chunks by the hash of their text, in the order of the snapshot's units. */
  missing: Map<HashKey, MissingChunk[]>;
  /** Number of chunks whose vector came from a record. `reused`: number of those that share another chunk's vector. */
  loaded: number;
  reused: number;
  /** Number of chunks of blobs that cannot be read. */
  unreadable: number;
  /** Ids of blobs whose record cannot be used, so that it is written again. */
  bad: Set<string>;
  /** Usable records, by the id of their blob. */
  records: Map<string, VectorRecord>;
}

/** Number of blobs read at a time. */
const WINDOW = 32;

/** Fills `drafts` from notes and equal texts, and returns what is still missing. Throws CANCELLED. */
export async function planVectors(
  units: readonly VectorUnit[],
  drafts: VectorDrafts,
  context: VectorContext,
): Promise<VectorPlan> {
  const plan: VectorPlan = {
    missing: new Map(),
    loaded: 0,
    reused: 0,
    unreadable: 0,
    bad: new Set(),
    records: new Map(),
  };
  const wanting = units.filter((unit) => countMissing(unit, drafts) > 0);
  for (let at = 0; at < wanting.length; at += WINDOW) {
    if (context.signal?.aborted) throw new SocraticodeError('CANCELLED', 'cancelled');
    const window = wanting.slice(at, at + WINDOW);
    const read = await Promise.all(window.map((unit) => readUnit(unit, plan, context)));
    for (const [i, unit] of window.entries()) fillUnit(unit, read[i], plan, { drafts, context });
  }
  // A record read later may have the text of an earlier chunk.
  for (const [key, chunks] of plan.missing) if (reuse(key, chunks, plan, drafts)) plan.missing.delete(key);
  return plan;
}

export function countMissing({ shard, first, count }: VectorUnit, drafts: VectorDrafts): number {
  let missing = 0;
  for (let row = first; row < first + count; row++) if (!drafts.has(shard, row)) missing++;
  return missing;
}

interface ReadUnit {
  keys: HashKey[] | null;
  record: VectorRecord | null;
}

async function readUnit(unit: VectorUnit, plan: VectorPlan, context: VectorContext): Promise<ReadUnit> {
  const { shards, objects, maxCharacters } = context;
  const [texts, record] = await Promise.all([
    readTexts(unit, shards[unit.shard], objects, maxCharacters),
    unit.isLocal ? null : readRecord(unit.oid, plan, context),
  ]);
  return { keys: texts?.map(hashKey) ?? null, record };
}

async function readRecord(oid: string, plan: VectorPlan, context: VectorContext): Promise<VectorRecord | null> {
  if (plan.bad.has(oid)) return null;
  const known = plan.records.get(oid);
  if (known !== undefined) return known;
  const decoded = await context.store.read(oid);
  if (decoded === null) return null;
  if (decoded.ok) plan.records.set(oid, decoded.record);
  else refuse(oid, `${decoded.reason}: ${decoded.detail}`, plan, context);
  return decoded.ok ? decoded.record : null;
}

function refuse(oid: string, reason: string, plan: VectorPlan, context: VectorContext): void {
  plan.records.delete(oid);
  if (!plan.bad.has(oid)) context.onBadRecord(oid, reason);
  plan.bad.add(oid);
}

interface FillContext {
  drafts: VectorDrafts;
  context: VectorContext;
}

function fillUnit(unit: VectorUnit, { keys, record }: ReadUnit, plan: VectorPlan, filling: FillContext): void {
  const { drafts, context } = filling;
  const before = countMissing(unit, drafts);
  if (keys === null) {
    plan.unreadable += before;
    return;
  }
  if (record !== null && !plan.bad.has(unit.oid)) {
    const fault = loadUnit(record, unit, keys, drafts);
    if (fault !== null) refuse(unit.oid, fault, plan, context);
    plan.loaded += before - countMissing(unit, drafts);
  }
  for (const [i, key] of keys.entries()) {
    const chunk = { unit, row: unit.first + i };
    if (drafts.has(unit.shard, chunk.row) || reuse(key, [chunk], plan, drafts)) continue;
    addTo(plan.missing, key, chunk);
  }
}

/** Gives the chunks the vector of an equal text. Returns false if there is none. */
function reuse(key: HashKey, chunks: readonly MissingChunk[], plan: VectorPlan, drafts: VectorDrafts): boolean {
  const vector = drafts.find(key);
  if (vector === null) return false;
  for (const { unit, row } of chunks) drafts.set(unit.shard, row, key, vector);
  plan.reused += chunks.length;
  return true;
}

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
 * The drafts of all shards, filled with the vectors in their files at first. All have the same number of dimensions. If that is not known
 * yet, call `fix` before the first row is set.
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
      // A row of zeros has no direction, so it is made again.
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

/** One blob in one language: rows [first, first + count) of the shard with index `shard`. */
export interface VectorUnit {
  oid: string;
  language: string;
  shard: number;
  first: number;
  count: number;
  /** True if the blob was cut by lines because it could not be parsed. Its chunks stay on this machine, and so do their vectors. */
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

/** A batch is written once it has this many blobs and the last write is a second ago, or after five seconds. */
const BATCH_BLOBS = 64;
const MIN_BATCH_MS = 1_000;
const MAX_BATCH_MS = 5_000;
const BATCH_BYTES = 4 << 20;

/**
 * Copies a record's vectors of a unit into the drafts. Returns null on success, else the reason. The record's hashes must be those of the
 * unit's own texts, so that a record cannot claim vectors for other texts; if one hash differs, nothing is taken.
 */
function loadUnit(
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

/** Writes records of blobs with complete vectors to notes, in batches. */
export class RecordQueue {
  bytesAdded = 0;
  private batch: NoteEntry[] = [];
  private batchBytes = 0;
  private last: number;
  private writing: Promise<void> = Promise.resolve();

  /** `now`: milliseconds on the caller's clock. */
  constructor(
    private readonly store: Pick<VectorStore, 'write'>,
    private readonly now = () => performance.now(),
  ) {
    this.last = now();
  }

  /** Adds a record. Leaves out records beyond 1 MiB or with dimensions that no record may have; those vectors stay local. */
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
    this.writing.catch(() => {}); // The next flush or `finish` awaits it; until then a rejection must not count as unhandled.
  }

  /** Writes the rest. Throws the errors of writing notes. */
  async finish(): Promise<void> {
    await this.flush();
    await this.writing;
  }
}
