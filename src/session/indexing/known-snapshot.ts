/**
 * Complete snapshots that the manifest lists. They give reports, so that a run with nothing to do lists no tree, and are bases from which
 * a new snapshot is a step away (`stepBases`). Also their entries, and whether their vectors are there.
 */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import type { Config } from '../../config/settings.js';
import { fewChanges, type TreeChange } from '../../git/diff.js';
import { type IndexReport, PhaseTimer, type VectorReport } from '../../indexer/report.js';
import { syntaxStore, vectorStore } from '../../record/store.js';
import {
  type CompleteSnapshot,
  type KnownVectors,
  MAX_COMPLETE,
  type Manifest,
  type ShardEntry,
  type SnapshotAbout,
} from '../../shard/directory.js';
import { hnswPath, isFailedParse, vectorPath } from '../../shard/lexical-format.js';
import { areVectorsRight, vectorFileSizes } from '../../shard/vector-shard.js';
import type { Session } from '../session.js';
import { countUnits, coverageOf, MOST_BARE, type UnitCounts } from '../snapshot/coverage.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { type VectorSource, vectorSource } from '../vectors/vector-source.js';

/** Key of a snapshot in the manifest: a digest, since the key of an origin holds all of its settings. */
export function snapshotKey(origin: SnapshotOrigin): string {
  return digestOf(origin.key);
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 24);
}

/** Snapshots that the manifest lists as complete and that have the settings of this one, the latest first; with their origins' keys. */
export function stepBases(
  { complete }: Manifest,
  { key, trees, attributes }: SnapshotOrigin,
): { complete: CompleteSnapshot; key: string }[] {
  if (trees !== undefined || attributes !== undefined) return [];
  // The key of such an origin is JSON of its tree and of its settings (`Session.origin`).
  const [, ...settings] = JSON.parse(key) as unknown[];
  const keyed = complete.map((each) => ({ complete: each, key: JSON.stringify([each.tree, ...settings]) }));
  return keyed
    .filter(({ complete: { tree, key: id }, key: text }) => tree !== undefined && id === digestOf(text))
    .reverse();
}

/** Most paths in which a snapshot may differ from an indexed one that it is reached from. */
const MAX_CHANGES = 200;

/** Returns whether a snapshot is not indexed and differs from the latest indexed one by a few files. */
export async function mayStep(session: Session, origin: SnapshotOrigin): Promise<boolean> {
  const manifest = session.shards.readManifest();
  const [latest] = stepBases(manifest, origin);
  if (latest === undefined || manifest.complete.some(({ key }) => key === snapshotKey(origin))) return false;
  return (await stepChanges(session, latest.complete.tree as string, origin.resolved.tree)) !== null;
}

/** Null if too much differs, or files that decide about others. */
export async function stepChanges({ repository }: Session, from: string, to: string): Promise<TreeChange[] | null> {
  const changes = await fewChanges(repository.git, from, to, MAX_CHANGES);
  return changes?.some(({ path }) => /(?:^|\/)\.gitattributes$/.test(path)) ? null : changes;
}

/**
 * Returns the entry of a complete snapshot of which nothing was damaged or lost since, with the tip of the notes that have its records;
 * null if more must be looked at.
 */
export async function intactSnapshot(
  session: Session,
  origin: SnapshotOrigin,
  source: VectorSource,
): Promise<{ known: CompleteSnapshot; vectors: KnownVectors; about: SnapshotAbout; manifest: Manifest } | null> {
  const { shards: directory } = session;
  const manifest = directory.readManifest();
  const known = manifest.complete.find(({ key }) => key === snapshotKey(origin));
  const vectors = known?.vectors?.[source.profile];
  if (
    known?.about === undefined ||
    known.about.bare.length > MOST_BARE ||
    vectors === undefined ||
    source.costly ||
    manifest.notes === null
  )
    return null;
  if (manifest.unreadable.length > 0 || (manifest.unrecorded ?? []).length > 0) return null;
  if (!(await syntaxStore(session.repository, session.objects, session.profile).holdsAllOf(manifest.notes)))
    return null;
  // Vectors of shards that the snapshot does not use may be damaged.
  const isRight = ({ file, documents }: ShardEntry) =>
    areVectorsRight(directory.directory, source.profile, file, documents) || !vectors.shards.includes(file);
  if (!directory.areRight(manifest) || !manifest.shards.every(isRight)) return null;
  return vectors.shards.every((name) => manifest.shards.some(({ file }) => file === name))
    ? { known, vectors, about: known.about, manifest }
    : null;
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
  // A tip that moved is looked at by a run, which brings the manifest up to date.
  if (manifest.notes === null || manifest.notes !== (await store.readTip())) return null;
  const { config } = await session.configOfOrigin(origin);
  const vectors = await knownVectors(session, config, { manifest, known });
  if (vectors === null) return null;
  const { key, tree, about, vectors: _, ...counts } = known;
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

/** Entry of a complete snapshot in the manifest. */
export function entryOf(
  origin: SnapshotOrigin,
  { counts, blobs, vectors }: { counts: UnitCounts; blobs: number; vectors?: CompleteSnapshot['vectors'] },
): CompleteSnapshot {
  const { files, skipped, degraded, parseErrors, chunks, about } = counts;
  const isPlain = origin.trees === undefined && origin.attributes === undefined;
  return {
    key: snapshotKey(origin),
    ...(isPlain && { tree: origin.resolved.tree }),
    ...{ files, blobs, chunks, skipped, degraded },
    ...(parseErrors > 0 && { parseErrors }),
    about,
    ...(vectors && { vectors }),
  };
}

/** Returns whether vectors are written to notes. By default only a provider's are: others are faster computed than fetched. */
export function sharesVectors(source: Pick<VectorSource, 'costly'>, { vectors }: Pick<Config, 'vectors'>): boolean {
  return vectors.share === 'always' || (vectors.share === 'auto' && source.costly);
}

/** Returns whether each shard in use has a vector file of the right size, and each HNSW graph its file. Opens no file. */
export function hasVectorFiles(
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
