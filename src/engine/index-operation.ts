/** `index`: bring the snapshot of a ref into the notes and the shards, under the writer lock. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeDirectory } from '../base/atomic.js';
import { acquireLock } from '../base/lock.js';
import { log } from '../base/log.js';
import { createProgress, type Progress } from '../base/progress.js';
import { removeStaleImportDebris } from '../git/notes.js';
import { ParserPool } from '../indexer/parser-pool.js';
import { type IndexReport, PhaseTimer } from '../indexer/report.js';
import { makePlan, runIndex } from '../indexer/run.js';
import { syntaxStore } from '../record/store.js';
import type { LexicalShard } from '../shard/lexical.js';
import type { Manifest } from '../shard/manifest.js';
import { countUnits, type UnitCounts } from './coverage.js';
import type { Scope, ScopeOrigin, Session } from './session.js';

export interface IndexOptions {
  ref?: string;
  /** How long to wait for another writer, in milliseconds. */
  waitMs?: number;
  progress?: Progress;
  signal?: AbortSignal;
  /** Parsers that are starting already; stopped by whoever started them. */
  parsers?: ParserPool;
}

const DEFAULT_WAIT_MS = 60_000;

export interface IndexResult {
  report: IndexReport;
  shards: LexicalShard[];
  manifest: Manifest;
}

/** Indexes a ref. Throws LOCKED, UNKNOWN_REF, DISK, GIT_FAILED or CANCELLED; finished batches are kept. */
export async function indexRef(session: Session, options: IndexOptions = {}): Promise<IndexReport> {
  const timer = new PhaseTimer();
  const origin = await session.origin(options.ref);
  const known = await completeReport(session, origin, timer);
  return known ?? (await indexScope(session, origin, options, timer)).report;
}

/** The report of a snapshot that the manifest knows to be complete, from the manifest alone; null if it does not. */
async function completeReport(session: Session, origin: ScopeOrigin, timer: PhaseTimer): Promise<IndexReport | null> {
  const manifest = session.shards.readManifest();
  const known = manifest.complete.find(({ key }) => key === snapshotKey(origin));
  if (known === undefined || manifest.unreadable.length > 0 || !session.shards.hasShards(manifest)) return null;
  const store = syntaxStore(session.repository, session.objects, session.profile);
  if (manifest.notes === null || manifest.notes !== (await store.readTip())) return null;
  const { key, ...counts } = known;
  return { ...origin.resolved, ...counts, new: 0, reused: counts.blobs, bytesAdded: 0, ms: timer.result() };
}

function snapshotKey(origin: ScopeOrigin): string {
  return createHash('sha256').update(origin.key).digest('hex').slice(0, 24);
}

export async function indexScope(
  session: Session,
  origin: ScopeOrigin,
  options: IndexOptions,
  timer = new PhaseTimer(),
): Promise<IndexResult> {
  const state = join(session.repository.commonDir, 'socraticode');
  makeDirectory(state);
  const waitMs = options.waitMs ?? DEFAULT_WAIT_MS;
  const release = await acquireLock(join(state, 'writer.lock'), { waitMs, signal: options.signal });
  const pool = options.parsers ?? new ParserPool();
  try {
    await warmParsers(session, pool);
    const scope = await timer.measure('snapshot', () => session.scopeOf(origin));
    return await runScope(session, { origin, scope, pool, timer }, options);
  } finally {
    pool.stop();
    release();
  }
}

/**
 * A parser takes as long to start as the snapshot to list, so it starts now if there will probably be something to
 * parse: a few blobs after a commit, everything without any record, nothing in a clone that brought its records.
 */
async function warmParsers(session: Session, pool: ParserPool): Promise<void> {
  const store = syntaxStore(session.repository, session.objects, session.profile);
  if (session.shards.readManifest().shards.length > 0) pool.warm(1);
  else if ((await store.readTip()) === null) pool.warm();
}

interface ScopeRun {
  origin: ScopeOrigin;
  scope: Scope;
  pool: ParserPool;
  timer: PhaseTimer;
}

async function runScope(session: Session, run: ScopeRun, options: IndexOptions): Promise<IndexResult> {
  const { origin, scope, pool, timer } = run;
  const { files, blobs } = scope.catalog;
  const bad: string[] = [];
  let counts: UnitCounts | null = null;
  const result = await runIndex(files, {
    ...runContext(session, scope),
    pool,
    progress: options.progress ?? createProgress('indexing'),
    timer,
    signal: options.signal,
    onBadRecord: (oid, reason) => bad.push(`${oid.slice(0, 12)} (${reason})`),
    describe: (shards, manifest) => {
      counts = countUnits(scope, shards, manifest);
      const { skipped, degraded, chunks, missing } = counts;
      return missing > 0 ? null : { key: snapshotKey(origin), files: counts.files, blobs, chunks, skipped, degraded };
    },
  });
  if (bad.length > 0) log.warn(`${bad.length} unusable records were derived again, the first: ${bad[0]}`);
  if (result.new > 0) removeStaleImportDebris(session.repository);
  const { shards, manifest } = result;
  counts ??= countUnits(scope, shards, manifest);
  const report: IndexReport = {
    ref: scope.ref,
    commit: scope.commit,
    tree: scope.tree,
    files: counts.files,
    blobs,
    new: result.new,
    reused: blobs - result.new - counts.unreadableBlobs,
    skipped: counts.skipped,
    degraded: counts.degraded,
    chunks: counts.chunks,
    bytesAdded: result.bytesAdded,
    ms: timer.result(),
  };
  return { report, shards, manifest };
}

export interface DryRun {
  ref: string;
  commit: string | null;
  files: number;
  blobs: number;
  /** Blobs that would be parsed, and how many bytes of source they hold. */
  wouldParse: number;
  sourceBytes: number;
  /** Blobs whose record stands already and would only be loaded into a local shard. */
  wouldLoad: number;
  skipped: Record<string, number>;
  /** Estimates: bytes that notes and local shards would grow by, and seconds on this machine's kind. */
  estimatedBytes: number;
  estimatedSeconds: number;
}

/** Measured on TypeScript, Python and Go repositories: packed records take about 8% of the source, shards 25%. */
const BYTES_PER_SOURCE_BYTE = 0.33;
const SOURCE_BYTES_PER_SECOND = 2_500_000;

/** What `index` would do; writes nothing. */
export async function dryRun(session: Session, options: Pick<IndexOptions, 'ref'>): Promise<DryRun> {
  const scope = await session.scope(options.ref);
  const manifest = session.shards.readManifest();
  const shards = session.shards.openShards(manifest);
  const context = runContext(session, scope);
  const plan = await makePlan(scope.catalog.files, shards, manifest, context);
  await context.store.load();
  const parse = plan.filter((blob) => !context.store.has(blob.oid));
  const infos = await Promise.all(parse.map((blob) => session.objects.info(blob.oid)));
  const sizes = infos.map((info) => info?.size ?? 0).filter((size) => size <= scope.config.maxFileBytes);
  const sourceBytes = sizes.reduce((sum, size) => sum + size, 0);
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
  };
}

function runContext(session: Session, scope: Scope) {
  return {
    objects: session.objects,
    store: syntaxStore(session.repository, session.objects, session.profile),
    directory: session.shards,
    oidBytes: session.oidBytes,
    maxFileBytes: scope.config.maxFileBytes,
  };
}
