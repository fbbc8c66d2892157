/** What has to be embedded so that a snapshot has all its vectors: what neither files nor notes nor equal texts give. */
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
  /** Listed already. */
  store: VectorStore;
  /** UTF-16 code units of a text that the embedder sees. */
  maxCharacters: number;
  /** Called for records that cannot be used, once each. */
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
  /** By text, in order of the snapshot's units. */
  missing: Map<HashKey, MissingChunk[]>;
  /** Chunks whose vector was in a record, and those that another chunk's vector serves. */
  loaded: number;
  reused: number;
  /** Chunks of blobs that cannot be read. */
  unreadable: number;
  /** Blobs whose record cannot be used: it is written anew. */
  bad: Set<string>;
  /** Good records of blobs that were read. */
  records: Map<string, VectorRecord>;
}

/** Blobs read at a time. */
const WINDOW = 32;

/** Fills `drafts` from notes and equal texts, and says what is left. Throws CANCELLED. */
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
  // What a later record brought may be the text of an earlier chunk.
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
  if (!context.store.has(oid) || plan.bad.has(oid)) return null;
  const decoded = plan.records.has(oid) ? null : await context.store.read(oid);
  if (decoded?.ok) plan.records.set(oid, decoded.record);
  else if (decoded !== null) refuse(oid, `${decoded.reason}: ${decoded.detail}`, plan, context);
  return plan.records.get(oid) ?? null;
}

function refuse(oid: string, reason: string, plan: VectorPlan, context: VectorContext): void {
  plan.records.delete(oid);
  if (!plan.bad.has(oid)) context.onBadRecord(oid, reason);
  plan.bad.add(oid);
}

interface Filling {
  drafts: VectorDrafts;
  context: VectorContext;
}

function fillUnit(unit: VectorUnit, { keys, record }: ReadUnit, plan: VectorPlan, filling: Filling): void {
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

/** Gives chunks the vector of an equal text, if there is one. */
function reuse(key: HashKey, chunks: readonly MissingChunk[], plan: VectorPlan, drafts: VectorDrafts): boolean {
  const vector = drafts.find(key);
  if (vector === null) return false;
  for (const { unit, row } of chunks) drafts.set(unit.shard, row, key, vector);
  plan.reused += chunks.length;
  return true;
}
