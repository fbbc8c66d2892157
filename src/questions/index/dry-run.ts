/** `index --dry-run`: what `index` would do and cost; writes nothing. `index --pull`: downloads a missing model to Ollama. */
import { existsSync } from 'node:fs';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import type { EmbedderName } from '../../config/settings.js';
import { createProvider, type PullProgress } from '../../embed/endpoint.js';
import { makePlan, type PlannedBlob } from '../../indexer/run.js';
import { planVectors, VectorDrafts, vectorUnits } from '../../indexer/vector-plan.js';
import { optionText } from '../../params/param.js';
import { type VectorStore, vectorStore } from '../../record/store.js';
import { type IndexOptions, runContext } from '../../session/indexing/index-operation.js';
import type { Session } from '../../session/session.js';
import type { SnapshotFiles } from '../../session/snapshot/snapshot.js';
import { isProvider, type VectorSource, vectorSource } from '../../session/vectors/vector-source.js';
import { vectorPath } from '../../shard/lexical-format.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { createLiveSet, type LiveSet } from '../../shard/live-set.js';

export interface DryRun {
  ref: string;
  commit: string | null;
  files: number;
  blobs: number;
  /** Blobs to parse, and their bytes of source. */
  wouldParse: number;
  sourceBytes: number;
  /** Blobs whose record would only be loaded into a local shard. */
  wouldLoad: number;
  skipped: Record<string, number>;
  /** Estimates: growth of notes and local shards in bytes, and seconds on a machine like this. */
  estimatedBytes: number;
  estimatedSeconds: number;
  vectors: DryVectors;
}

interface DryVectors {
  embedder: EmbedderName;
  model: string;
  profile: string;
  /** As configured; null for the provider's default. */
  endpoint: string | null;
  /** Chunks without a vector in any file or record. */
  wouldEmbed: number;
  /** True if some blobs have unknown chunks. */
  isEstimate: boolean;
}

/** Measured on TypeScript, Python and Go repositories: packed records take about 8% of the source, shards 25%. */
const BYTES_PER_SOURCE_BYTE = 0.33;
const SOURCE_BYTES_PER_SECOND = 2_500_000;
/** Source bytes in a chunk, in the same repositories. */
const BYTES_PER_CHUNK = 700;

/** Plans an index run without writing anything. */
export async function dryRun(session: Session, options: Pick<IndexOptions, 'ref'>): Promise<DryRun> {
  const scope = await session.files(options.ref);
  const manifest = session.shards.readManifest();
  const shards = session.shards.openShards(manifest);
  const context = runContext(session, scope);
  const plan = await makePlan(scope.catalog.files, shards, manifest, context);
  await context.store.load();
  const parse = plan.filter((blob) => !context.store.has(blob.oid));
  const infos = await Promise.all(parse.map((blob) => session.objects.info(blob.oid)));
  const sizes = infos.map((info) => info?.size ?? 0).filter((size) => size <= scope.config.maxFileBytes);
  const sourceBytes = sizes.reduce((sum, size) => sum + size, 0);
  const vectors = await dryVectors(session, scope, { shards, plan, maxFileBytes: scope.config.maxFileBytes });
  return {
    ref: scope.ref,
    commit: scope.commit,
    files: scope.catalog.files.length,
    blobs: scope.catalog.blobs,
    wouldParse: sizes.length,
    sourceBytes,
    wouldLoad: plan.length - parse.length,
    skipped: { ...scope.catalog.skipped },
    estimatedBytes: Math.round(sourceBytes * BYTES_PER_SOURCE_BYTE),
    estimatedSeconds: Math.ceil(sourceBytes / SOURCE_BYTES_PER_SECOND),
    vectors,
  };
}

/** Counts chunks of shards exactly. For other blobs estimates by size, unless a record has their vectors. */
async function dryVectors(
  session: Session,
  scope: SnapshotFiles,
  {
    shards,
    plan,
    maxFileBytes,
  }: { shards: readonly LexicalShard[]; plan: readonly PlannedBlob[]; maxFileBytes: number },
): Promise<DryVectors> {
  const source = vectorSource(session, scope.config);
  const { live } = createLiveSet(shards, scope.catalog.files, (_, unit) => unit.size <= maxFileBytes);
  const store = vectorStore(session.repository, session.objects, source.profile);
  if (source.costly) await store.load();
  const unsharded = plan.filter((blob) => !blob.sharded && !(source.costly && store.has(blob.oid)));
  const infos = await Promise.all(unsharded.map((blob) => session.objects.info(blob.oid)));
  const bytes = infos.reduce((sum, info) => sum + ((info?.size ?? 0) <= maxFileBytes ? (info?.size ?? 0) : 0), 0);
  const known = await countMissingTexts(session, source, live, store);
  return {
    ...{ embedder: source.embedder, model: source.model, profile: source.profile },
    endpoint: (source.costly && scope.config.embedder.endpoint) || null,
    wouldEmbed: known + Math.ceil(bytes / BYTES_PER_CHUNK),
    isEstimate: unsharded.length > 0,
  };
}

/** Chunks of shards without a vector; for providers, distinct texts. */
async function countMissingTexts(
  session: Session,
  { profile, dimensions, maxCharacters, costly }: VectorSource,
  live: LiveSet,
  store: VectorStore,
): Promise<number> {
  const place = { directory: session.shards.directory, profile };
  if (!costly) {
    const without = live.shards.map(({ name }) => !existsSync(vectorPath(place.directory, profile, name)));
    return vectorUnits(live).reduce((sum, { shard, count }) => sum + (without[shard] ? count : 0), 0);
  }
  const context = { shards: live.shards, objects: session.objects, store, maxCharacters, onBadRecord: () => {} };
  const plan = await planVectors(vectorUnits(live), new VectorDrafts(place, live.shards, dimensions), context);
  return plan.missing.size;
}

/**
 * True if a model was downloaded. Throws BAD_ARGUMENT for other embedders, and what `pullModel` throws. Other faults of the embedder are
 * left to the index run, which indexes the words all the same.
 */
export async function pullMissingModel(
  session: Session,
  ref: string | undefined,
  onProgress: (progress: PullProgress) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  const { config } = await session.configOfOrigin(await session.origin(ref));
  const { embedder } = config;
  if (!isProvider(embedder) || embedder.name !== 'ollama') {
    const message = `${optionText('pull')} downloads models to Ollama, and embedder.name is ${embedder.name}`;
    throw new SocraticodeError('BAD_ARGUMENT', message, { hint: 'git config socraticode.embedder.name ollama' });
  }
  const provider = await createProvider(embedder, process.env);
  try {
    await provider.prepare(signal);
    return false;
  } catch (error) {
    if (isSocraticodeError(error, 'CANCELLED')) throw error;
    if (!isSocraticodeError(error, 'EMBEDDER_MODEL_MISSING')) return false;
  }
  await provider.pullModel?.(onProgress, signal);
  return true;
}
