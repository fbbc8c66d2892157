/** Plans the embedding of a snapshot: finds the chunks whose vector neither files nor notes nor equal texts give. */
import { SocraticodeError } from '../base/errors.js';
import type { ObjectReader } from '../git/objects.js';
import type { VectorStore } from '../record/store.js';
import type { VectorRecord } from '../record/types.js';
import type { LexicalShard } from '../shard/lexical.js';
import type { VectorDrafts } from './vector-draft.js';
import { loadUnit } from './vector-records.js';
import { type HashKey, hashKey, readTexts, type VectorUnit } from './vector-units.js';

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

/** A chunk without a vector. */
export interface MissingChunk {
  unit: VectorUnit;
  /** Row in the unit's shard. */
  row: number;
}

export interface VectorPlan {
  /** Missing chunks by the hash of their text, in the order of the snapshot's units. */
  missing: Map<HashKey, MissingChunk[]>;
  /** Number of chunks whose vector came from a record; `reused` counts those that share another chunk's vector. */
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
    ...{ missing: new Map(), loaded: 0, reused: 0, unreadable: 0, bad: new Set(), records: new Map() },
  };
  const wanting = units.filter((unit) => countMissing(unit, drafts) > 0);
  for (let at = 0; at < wanting.length; at += WINDOW) {
    if (context.signal?.aborted) throw new SocraticodeError('CANCELLED', 'cancelled');
    const window = wanting.slice(at, at + WINDOW);
    const read = await Promise.all(window.map((unit) => readUnit(unit, plan, context)));
    for (const [i, unit] of window.entries()) fillUnit(unit, read[i], plan, { drafts, context });
  }
  // A record read later may hold the text of an earlier chunk.
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
    const same = plan.missing.get(key);
    if (same === undefined) plan.missing.set(key, [chunk]);
    else same.push(chunk);
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
