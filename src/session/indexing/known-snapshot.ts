/** Reports on complete snapshots from the manifest, so that a run with nothing to do lists no tree. */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import type { Config } from '../../config/settings.js';
import { type IndexReport, PhaseTimer, type VectorReport } from '../../indexer/report.js';
import { syntaxStore, vectorStore } from '../../record/store.js';
import { type CompleteSnapshot, type KnownVectors, MAX_COMPLETE, type Manifest } from '../../shard/directory.js';
import { hnswPath, isFailedParse, vectorPath } from '../../shard/lexical-format.js';
import { vectorFileSizes } from '../../shard/vector-shard.js';
import type { Session } from '../session.js';
import { countUnits, coverageOf } from '../snapshot/coverage.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { type VectorSource, vectorSource } from '../vectors/vector-source.js';

export function snapshotKey(origin: SnapshotOrigin): string {
  return createHash('sha256').update(origin.key).digest('hex').slice(0, 24);
}

/** Returns null if the manifest does not list the snapshot as complete. */
export async function knownReport(
  session: Session,
  origin: SnapshotOrigin,
  timer: PhaseTimer,
): Promise<IndexReport | null> {
  const manifest = session.shards.readManifest();
  const known = manifest.complete.find(({ key }) => key === snapshotKey(origin));
  if (known === undefined || manifest.unreadable.length > 0 || !session.shards.hasShards(manifest)) return null;
  if (Object.keys(known.degraded).some(isFailedParse) && (await mayTryAgain(manifest))) return null;
  const store = syntaxStore(session.repository, session.objects, session.profile);
  if (manifest.notes === null || manifest.notes !== (await store.readTip())) return null;
  const { config } = await session.configOfOrigin(origin);
  const vectors = await knownVectors(session, config, { manifest, known });
  if (vectors === null) return null;
  const { key, vectors: _, ...counts } = known;
  return { ...origin.resolved, ...counts, new: 0, reused: counts.blobs, bytesAdded: 0, vectors, ms: timer.result() };
}

/** Is there a blob whose failed parse is tried again, in this snapshot or another? */
async function mayTryAgain({ failed }: Manifest): Promise<boolean> {
  if (failed === undefined || failed.once.length > 0) return true;
  return failed.by !== (await import('../../indexer/parser-pool.js')).PARSED_BY;
}

/** Returns null if a vector of the snapshot, a vector file or a note is missing. */
async function knownVectors(
  session: Session,
  config: Config,
  { manifest, known }: { manifest: Manifest; known: CompleteSnapshot },
): Promise<VectorReport | null> {
  const source = vectorSource(session, config);
  const vectors = known.vectors?.[source.profile];
  if (vectors === undefined || !hasVectorFiles(session, { manifest, vectors, source })) return null;
  if (sharesVectors(source, config)) {
    const tip = await vectorStore(session.repository, session.objects, source.profile).readTip();
    if (tip !== vectors.notes) return null;
  }
  const { dimensions, covered, total } = vectors;
  const { embedder, model, profile } = source;
  return {
    ...{ embedder, model, dimensions, profile, covered, total },
    ...{ embedded: 0, reused: covered, loaded: 0, fault: null },
  };
}

/** Returns whether vectors are written to notes. By default only a provider's are: others are faster computed than fetched. */
export function sharesVectors(source: Pick<VectorSource, 'costly'>, { vectors }: Pick<Config, 'vectors'>): boolean {
  return vectors.share === 'always' || (vectors.share === 'auto' && source.costly);
}

/** Returns whether each shard in use has a vector file of the right size, and each HNSW graph its file. Opens no file. */
function hasVectorFiles(
  session: Session,
  { manifest, vectors, source }: { manifest: Manifest; vectors: KnownVectors; source: VectorSource },
): boolean {
  const place = { directory: session.shards.directory, profile: source.profile };
  const sizeOf = (lexical: string) =>
    statSync(vectorPath(place.directory, place.profile, lexical), { throwIfNoEntry: false })?.size;
  const found = manifest.shards.filter(({ file, documents }) =>
    vectorFileSizes(documents, vectors.dimensions).includes(sizeOf(file) ?? -1),
  );
  const names = new Set(found.map(({ file }) => file));
  const hasGraph = (lexical: string) => existsSync(hnswPath(place.directory, place.profile, lexical));
  return vectors.shards.every((name) => names.has(name)) && vectors.graphs.every(hasGraph);
}

/** Returns the manifest with a snapshot's vectors added, or the unchanged object if it has them already. */
export function withVectors(manifest: Manifest, key: string, profile: string, vectors: KnownVectors): Manifest {
  const at = manifest.complete.findIndex((snapshot) => snapshot.key === key);
  if (at < 0) return manifest;
  const snapshot = manifest.complete[at];
  if (JSON.stringify(snapshot.vectors?.[profile]) === JSON.stringify(vectors)) return manifest;
  const complete = [...manifest.complete];
  complete[at] = { ...snapshot, vectors: { ...snapshot.vectors, [profile]: vectors } };
  return { ...manifest, complete: complete.slice(-MAX_COMPLETE) };
}

/** Counts the files of a snapshot that are indexed, and those that could be. Throws BAD_CONFIG. */
export async function readCoverage(
  session: Session,
  origin: SnapshotOrigin,
): Promise<{ covered: number; total: number }> {
  const known = await knownReport(session, origin, new PhaseTimer());
  if (known !== null) return { covered: known.files, total: known.files };
  const manifest = session.shards.readManifest();
  const shards = session.shards.openShards(manifest);
  return coverageOf(countUnits(await session.filesOf(origin), shards, manifest));
}
