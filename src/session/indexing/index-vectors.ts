/** Vector part of indexing. It follows the publication of the lexical index, so that a failing embedder cannot delay it. */
import { existsSync } from 'node:fs';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { createProgress } from '../../base/progress.js';
import type { VectorFault, VectorReport } from '../../indexer/report.js';
import { ensureStaticVectors, type StaticShard, type VectorDirectory } from '../../indexer/static-vectors.js';
import { vectorUnits } from '../../indexer/vector-plan.js';
import {
  buildGraphs,
  runVectors,
  type VectorRunResult,
  wantedGraphs,
  writeStaticRecords,
} from '../../indexer/vector-run.js';
import { type VectorStore, vectorStore } from '../../record/store.js';
import type { KnownVectors, Manifest } from '../../shard/directory.js';
import { hnswPath } from '../../shard/lexical-format.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { createLiveSet, type LiveSet } from '../../shard/live-set.js';
import { VectorIndex } from '../../shard/nearest.js';
import type { Session } from '../session.js';
import type { SnapshotFiles, SnapshotOrigin } from '../snapshot/snapshot.js';
import { createEmbedder, isProvider, type VectorSource, vectorSource } from '../vectors/vector-source.js';
import type { IndexOptions } from './index-operation.js';
import { sharesVectors, snapshotKey, withVectors } from './known-snapshot.js';

/** A search that has to index first embeds at most this many texts; a full index run embeds the rest. */
export const IMPLICIT_CHUNKS = 200;
/** Longest time that such a search waits for a provider, in milliseconds. */
const IMPLICIT_MS = 5_000;

/** A snapshot with a published lexical index. */
export interface Published {
  origin: SnapshotOrigin;
  files: SnapshotFiles;
  shards: LexicalShard[];
  manifest: Manifest;
}

interface IndexedVectors {
  report: VectorReport;
  bytesAdded: number;
  manifest: Manifest;
}

interface Work {
  live: LiveSet;
  source: VectorSource;
  place: VectorDirectory;
  store: VectorStore;
  shares: boolean;
}

type Outcome = VectorRunResult & { reason: VectorFault | null };

/**
 * Finds or computes the vectors of a snapshot. The caller holds the writer lock. The failure of a provider is part of the report. Throws
 * DISK, GIT_FAILED, and CANCELLED from an unfinished HNSW graph.
 */
export async function indexVectors(
  session: Session,
  published: Published,
  options: IndexOptions,
): Promise<IndexedVectors> {
  const { files, shards } = published;
  const { config } = files;
  const source = vectorSource(session, config);
  const { live } = createLiveSet(shards, files.catalog.files, (_, unit) => unit.size <= config.maxFileBytes);
  const place = { directory: session.shards.directory, profile: source.profile };
  const store = vectorStore(session.repository, session.objects, source.profile, source.about);
  const work: Work = { live, source, place, store, shares: sharesVectors(source, config) };
  const embed = source.costly ? embedByProvider : embedByModel;
  const outcome = await store.joiningPacks(() => embed(session, files, work, options));
  const { covered, total, embedded, reused, loaded, bytesAdded, reason, dimensions } = outcome;
  const graphs = dimensions === null ? null : await addGraphs(work, dimensions, files, options);
  const { embedder, model, profile } = source;
  const report: VectorReport = {
    ...{ embedder, model, dimensions, profile, covered, total, embedded, reused, loaded },
    fault: reason,
  };
  return { report, bytesAdded, manifest: await remember(session, published, { ...work, graphs }, report) };
}

async function embedByModel(
  session: Session,
  _files: SnapshotFiles,
  work: Work,
  options: IndexOptions,
): Promise<Outcome> {
  const { live, place, store, source, shares } = work;
  const made = ensureStaticVectors(place, live.shards);
  const vectors = made.map((shard) => shard.vectors);
  const { covered, total } = new VectorIndex(live, vectors);
  const fresh = countFresh(live, made);
  let { bytes } = fresh;
  if (shares) {
    await store.load();
    const context = { shards: live.shards, objects: session.objects, store, signal: options.signal };
    bytes += await writeStaticRecords(vectorUnits(live), vectors, context);
  }
  return {
    ...{ dimensions: source.dimensions, covered, total, embedded: fresh.chunks, reused: covered - fresh.chunks },
    ...{ loaded: 0, bytesAdded: bytes, fault: null, unreadable: 0, reason: null },
  };
}

/** Counts the live chunks whose vector is new, and the bytes of the new files. */
function countFresh(live: LiveSet, made: readonly StaticShard[]): { chunks: number; bytes: number } {
  let [chunks, bytes] = [0, 0];
  for (const [i, { vectors, isNew }] of made.entries()) {
    if (!isNew) continue;
    bytes += vectors.rows.length;
    for (let row = 0; row < vectors.count; row++)
      if (live.fileOf[live.bases[i] + row] >= 0 && vectors.has(row)) chunks++;
  }
  return { chunks, bytes };
}

async function embedByProvider(
  session: Session,
  files: SnapshotFiles,
  work: Work,
  options: IndexOptions,
): Promise<Outcome> {
  const { live, place, source, store, shares } = work;
  const { embedder } = files.config;
  await store.load();
  const bad: string[] = [];
  const deadline = startDeadline(options);
  try {
    const run = await runVectors(vectorUnits(live), {
      ...{ shards: live.shards, objects: session.objects, store, place, shares, signal: deadline.signal },
      ...{ dimensions: source.dimensions, maxCharacters: source.maxCharacters },
      ...{ batchSize: embedder.batch, concurrency: embedder.concurrency },
      limit: options.implicit ? IMPLICIT_CHUNKS : null,
      createEmbedder: () => createEmbedder(files.config, { brisk: options.implicit }),
      onBadRecord: (oid, reason) => bad.push(`${oid.slice(0, 12)} (${reason})`),
      progress: options.progress ?? createProgress('embedding', 'chunks'),
    });
    if (bad.length > 0) log.warn(`${bad.length} unusable vector records were made again, the first: ${bad[0]}`);
    const isLate = deadline.signal?.aborted && !options.signal?.aborted;
    return { ...run, reason: isLate ? TOO_SLOW : faultOf(run) };
  } finally {
    deadline.stop();
  }
}

const TOO_SLOW: VectorFault = {
  code: 'EMBEDDER_UNREACHABLE',
  message: 'the embedder takes longer than a search waits',
  hint: 'git socraticode index',
};

function faultOf({ fault, unreadable }: VectorRunResult): VectorFault | null {
  if (isSocraticodeError(fault)) return { code: fault.code, message: fault.message, hint: fault.hint };
  if (unreadable === 0) return null;
  const { code, message, hint } = new SocraticodeError('UNREADABLE_OBJECT', `${unreadable} chunks cannot be read`);
  return { code, message, hint };
}

/** Combines the caller's signal with the time limit of a search. */
function startDeadline({ implicit, signal }: IndexOptions): { signal?: AbortSignal; stop: () => void } {
  if (implicit !== true) return { signal, stop: () => {} };
  const both = new AbortController();
  const abort = () => both.abort();
  const timer = setTimeout(abort, IMPLICIT_MS);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { signal: both.signal, stop };
}

/** Returns the shards that have an HNSW graph now; null if a search left some of them to a full index run. */
async function addGraphs(
  { live, place }: Work,
  dimensions: number,
  files: SnapshotFiles,
  { implicit, progress, signal }: IndexOptions,
): Promise<string[] | null> {
  const shards = live.shards.map(({ name, meta }) => ({ lexical: name, documents: meta.documents }));
  const wanted = wantedGraphs(shards, dimensions, files.config.vectors.index);
  if (wanted.length > 0 && implicit) return null;
  await buildGraphs(place, wanted, progress ?? createProgress('building the graph', 'shards'), signal);
  const names = wanted.map(({ lexical }) => lexical);
  return names.filter((lexical) => existsSync(hnswPath(place.directory, place.profile, lexical)));
}

/** Records in the manifest that the vectors are complete. The built-in model skips chunks without a known word. */
async function remember(
  session: Session,
  published: Published,
  work: Work & { graphs: string[] | null },
  report: VectorReport,
): Promise<Manifest> {
  const { manifest, origin } = published;
  const { dimensions, covered, total, fault } = report;
  const isDone = fault === null && (covered === total || !isProvider(published.files.config.embedder));
  const { graphs } = work;
  if (dimensions === null || graphs === null || !isDone) return manifest;
  const shards = [...new Set(work.live.files.shard)].map((i) => work.live.shards[i].name);
  const notes = work.shares ? await work.store.readTip() : null;
  const vectors: KnownVectors = { dimensions, total, covered, shards, graphs, notes };
  const next = withVectors(manifest, snapshotKey(origin), work.source.profile, vectors);
  if (next !== manifest) session.shards.publish(next);
  return next;
}
