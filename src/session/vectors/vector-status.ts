/** Vector part of a status report. */

import { statSync } from 'node:fs';
import { groupDigits } from '../../base/digits.js';
import { isSocraticodeError } from '../../base/errors.js';
import { VectorDrafts } from '../../indexer/vector-draft.js';
import { countMissing } from '../../indexer/vector-plan.js';
import { vectorUnits } from '../../indexer/vector-units.js';
import type { StatusReport } from '../../questions/status/output.js';
import { vectorStore } from '../../record/store.js';
import type { LexicalShard } from '../../shard/lexical.js';
import { createLiveSet, type LiveSet } from '../../shard/live.js';
import { VectorIndex } from '../../shard/nearest.js';
import type { IndexChoice } from '../../shard/nearest-open.js';
import { describeEngine } from '../../shard/vector-engine.js';
import { hnswPath, vectorPath } from '../../shard/vector-files.js';
import { readVectorShard } from '../../shard/vector-shard.js';
import { sharesVectors } from '../indexing/known-snapshot.js';
import { describeNotes, readNotes } from '../notes-state.js';
import type { Session } from '../session.js';
import type { SnapshotFiles } from '../snapshot/snapshot.js';
import { createEmbedder, type VectorSource, vectorSource } from './vector-source.js';

type VectorStatus = StatusReport['vectors'];

/** Asks a provider whether it is ready, only if vectors are missing; sends no source text. */
export async function readVectorStatus(
  session: Session,
  scope: SnapshotFiles,
  shards: readonly LexicalShard[],
): Promise<VectorStatus> {
  const { config } = scope;
  const source = vectorSource(session, config);
  const bytes = bytesOf(session, source, shards);
  const counts = coveredOf(session, { scope, source, shards, bytes });
  const store = vectorStore(session.repository, session.objects, source.profile);
  const notes = sharesVectors(source, config) ? describeNotes(await readNotes(session, store)) : null;
  const { engine, reason } = describeEngine();
  const isMissing = source.costly && counts.covered < counts.total;
  return {
    ...{ embedder: source.embedder, model: source.model, profile: source.profile },
    ...{ dimensions: counts.dimensions, covered: counts.covered, total: counts.total },
    ...{ bytes, notes },
    endpoint: (source.costly && config.embedder.endpoint) || null,
    ...{ engine, engineReason: reason, indexReason: await indexReason(config.vectors.index, shards) },
    fault: isMissing ? await findFault(scope) : null,
  };
}

/** Says it where graphs are asked for and no file of the index is large enough for one. */
async function indexReason(choice: IndexChoice, shards: readonly LexicalShard[]): Promise<string | null> {
  if (choice !== 'hnsw') return null;
  const { HNSW_MIN_ROWS } = await import('../../shard/nearest-open.js');
  if (shards.some(({ meta }) => meta.documents >= HNSW_MIN_ROWS)) return null;
  return `vectors.index=hnsw has no effect: a file of the index has a graph from ${groupDigits(HNSW_MIN_ROWS)} chunks on`;
}

interface Covered {
  dimensions: number | null;
  covered: number;
  total: number;
}

/** Counts by catalog; `key` names the shards and sizes counted, whose files never change. */
const COUNTED = new WeakMap<SnapshotFiles['catalog'], Covered & { key: string }>();

interface Counting {
  scope: SnapshotFiles;
  source: VectorSource;
  shards: readonly LexicalShard[];
  bytes: number;
}

function coveredOf(session: Session, { scope, source, shards, bytes }: Counting): Covered {
  const key = JSON.stringify([source.profile, bytes, shards.map(({ name }) => name)]);
  const known = COUNTED.get(scope.catalog);
  // A provider's vectors are also in drafts, whose size does not show how many they hold.
  if (known?.key === key && !source.costly) return known;
  const { maxFileBytes } = scope.config;
  const { live } = createLiveSet(shards, scope.catalog.files, (_, unit) => unit.size <= maxFileBytes);
  const counted = countCovered(session, source, live);
  COUNTED.set(scope.catalog, { ...counted, key });
  return counted;
}

function countCovered(session: Session, { profile, dimensions, costly }: VectorSource, live: LiveSet) {
  const { directory } = session.shards;
  if (!costly) {
    const vectors = live.shards.map(({ name, meta }) => readVectorShard(directory, profile, name, meta.documents));
    const { covered, total } = new VectorIndex(live, vectors);
    return { dimensions, covered, total };
  }
  const drafts = new VectorDrafts({ directory, profile }, live.shards, dimensions);
  const missing = vectorUnits(live).reduce((sum, unit) => sum + countMissing(unit, drafts), 0);
  return { dimensions: drafts.dimensions, covered: live.count - missing, total: live.count };
}

function bytesOf(session: Session, { profile }: VectorSource, shards: readonly LexicalShard[]): number {
  const { directory } = session.shards;
  const paths = shards.flatMap(({ name }) => [
    vectorPath(directory, profile, name),
    hnswPath(directory, profile, name),
  ]);
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

async function findFault(scope: SnapshotFiles): Promise<VectorStatus['fault']> {
  try {
    const embedder = await createEmbedder(scope.config, { brisk: true });
    await embedder.prepare();
    return null;
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    return { code: error.code, message: error.message, hint: error.hint };
  }
}
