/** `index`: bring the snapshot of a ref into the notes and the shards, under the writer lock. */
import { join } from 'node:path';
import { makeDirectory, removeStaleTemporaries } from '../../base/atomic.js';
import { acquireLock } from '../../base/lock.js';
import { log } from '../../base/log.js';
import { createProgress, type Progress } from '../../base/progress.js';
import { removeStaleImportDebris } from '../../git/crash-recovery.js';
import { localStateDirectory } from '../../git/repository.js';
import type { EarlyOptions } from '../../indexer/early-shards.js';
import { ParserPool } from '../../indexer/parser-pool.js';
import { type IndexReport, PhaseTimer } from '../../indexer/report.js';
import { runIndex } from '../../indexer/run.js';
import { syntaxStore } from '../../record/store.js';
import { codeFirst } from '../../search/code-first.js';
import type { LexicalShard } from '../../shard/lexical.js';
import type { Manifest } from '../../shard/manifest.js';
import { atPresent } from '../retry.js';
import type { Scope, ScopeOrigin, Session } from '../session.js';
import { countUnits, type UnitCounts } from '../snapshot/coverage.js';
import { knownReport, snapshotKey } from './known-snapshot.js';

export interface IndexOptions {
  ref?: string;
  /** How long to wait for another writer, in milliseconds. */
  waitMs?: number;
  progress?: Progress;
  signal?: AbortSignal;
  /** Parsers that are starting already; stopped by whoever started them. */
  parsers?: ParserPool;
  /** A search waits for this: a provider is asked for a few vectors only, and not for long. */
  implicit?: boolean;
  /**
   * Others search meanwhile: what is done is published on the way, with the vectors that cost nothing, first after so many
   * milliseconds.
   */
  early?: number;
  /** Whoever asks writes a line of its own into the log. */
  unlogged?: boolean;
  /** Told what begins. */
  onPhase?: (phase: IndexPhase) => void;
}

export type IndexPhase = 'waiting-for-lock' | 'fetching' | 'indexing' | 'vectors';

const DEFAULT_WAIT_MS = 60_000;

/** Below the local state: a profile, and its graphs or an overlay. */
const STATE_LEVELS = 2;

export interface IndexResult {
  report: IndexReport;
  shards: LexicalShard[];
  manifest: Manifest;
}

/** Indexes a ref. Throws LOCKED, UNKNOWN_REF, DISK, GIT_FAILED or CANCELLED; finished batches are kept. */
export async function indexRef(session: Session, options: IndexOptions = {}): Promise<IndexReport> {
  // What was started for the first attempt has ended with it.
  return atPresent(session, options.ref, async (isFirst) =>
    indexOrigin(session, await session.origin(options.ref), isFirst ? options : { ...options, parsers: undefined }),
  );
}

/** The same for an origin. */
export async function indexOrigin(session: Session, origin: ScopeOrigin, options: IndexOptions): Promise<IndexReport> {
  const timer = new PhaseTimer();
  const known = await knownReport(session, origin, timer);
  return known ?? (await indexScope(session, origin, options, timer)).report;
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
  options.onPhase?.('waiting-for-lock');
  const release = await acquireLock(join(state, 'writer.lock'), { waitMs, signal: options.signal });
  const pool = options.parsers ?? new ParserPool();
  try {
    // Loaded here: without a remote there is nothing to bring.
    const hasRemote = session.gitConfig.some(({ key }) => key.startsWith('remote.'));
    const share = hasRemote ? await import('../records/bring-records.js') : null;
    // The snapshot needs no records: git lists it while they come.
    const listing = timer.measure('snapshot', () => session.scopeOf(origin));
    listing.catch(() => {});
    options.onPhase?.('fetching');
    await timer.measure('fetch', () => bringPortableRecords(session, origin, options.signal));
    await timer.measure('fetch', async () => share?.bringRecords(session, origin, options.signal));
    await warmParsers(session, pool);
    const scope = await listing;
    await timer.measure('fetch', async () => share?.bringBlobs(session, origin, scope, options.signal));
    return await runScope(session, { origin, scope, pool, timer }, options);
  } finally {
    pool.stop();
    release();
  }
}

/** From `.socraticode/` of the snapshot: loaded where there is one, which a look-up tells. */
async function bringPortableRecords(session: Session, origin: ScopeOrigin, signal?: AbortSignal): Promise<void> {
  const found = await session.objects.info(`${origin.resolved.tree}:.socraticode`);
  if (found?.type !== 'tree') return;
  const { bringPortable } = await import('../records/portable-stores.js');
  await bringPortable(session, origin, signal);
}

/**
 * A parser takes as long to start as the snapshot to list, so it starts now if there will probably be something to
 * parse: a few blobs after a commit, everything without any record, nothing in a clone that brought its records.
 */
async function warmParsers(session: Session, pool: ParserPool): Promise<void> {
  const store = syntaxStore(session.repository, session.objects, session.profile);
  if (session.shards.readManifest().shards.length > 0) pool.warm(1);
  else if ((await store.readTip()) === null) {
    pool.warm();
    // Loaded here: it is said before the first run only.
    const { foreignNotice } = await import('../records/foreign-records.js');
    const notice = await foreignNotice(session);
    if (notice !== null) log.warn(notice);
  }
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
  const before = session.shards.version();
  let counts: UnitCounts | null = null;
  options.onPhase?.('indexing');
  // What is asked for while a long run goes on is code.
  const ordered = options.early === undefined ? files : codeFirst(files, ({ path }) => path);
  const result = await runIndex(ordered, {
    ...runContext(session, scope),
    pool,
    progress: options.progress ?? createProgress('indexing'),
    timer,
    signal: options.signal,
    onBadRecord: (oid, reason) => bad.push(`${oid.slice(0, 12)} (${reason})`),
    early: options.early === undefined ? undefined : await earlyOptions(session, scope, options.early),
    describe: (shards, manifest) => {
      counts = countUnits(scope, shards, manifest);
      const { skipped, degraded, chunks, missing } = counts;
      return missing > 0 ? null : { key: snapshotKey(origin), files: counts.files, blobs, chunks, skipped, degraded };
    },
  });
  if (bad.length > 0) log.warn(`${bad.length} unusable records were derived again, the first: ${bad[0]}`);
  if (result.new > 0) {
    removeStaleImportDebris(session.repository);
    removeStaleTemporaries(localStateDirectory(session.repository), STATE_LEVELS);
  }
  const { shards } = result;
  counts ??= countUnits(scope, shards, result.manifest);
  options.onPhase?.('vectors');
  // Loaded here: a run with nothing to do needs none of it.
  const { indexVectors } = await import('./index-vectors.js');
  const after = await timer.measure('vectors', () => indexVectors(session, { ...run, ...result }, options));
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
    bytesAdded: result.bytesAdded + after.bytesAdded,
    vectors: after.report,
    ms: timer.result(),
  };
  if (!options.unlogged && session.shards.version() !== before) logRun(report);
  return { report, shards, manifest: after.manifest };
}

function logRun({ ref, commit, tree, new: fresh, blobs, bytesAdded, ms, vectors }: IndexReport): void {
  const id = (commit ?? tree).slice(0, 9);
  const data = { commit: id, new: fresh, blobs, bytes: bytesAdded, ms: Math.round(ms.total) };
  const message = `indexed ${ref}: ${id}, ${fresh} new of ${blobs} blobs, ${bytesAdded} bytes added, ${data.ms} ms`;
  log.event('index', message, vectors.fault === null ? data : { ...data, code: vectors.fault.code });
}

/** The vectors of a shard are made before anybody sees it: a server would have to make them while others wait. */
async function earlyOptions(session: Session, scope: Scope, afterMs: number): Promise<EarlyOptions> {
  const [{ vectorSource }, { ensureStaticVectors }] = await Promise.all([
    import('../vectors/vector-source.js'),
    import('../../indexer/static-run.js'),
  ]);
  const { profile, costly } = vectorSource(session, scope.config);
  const place = { directory: session.shards.directory, profile };
  const prepare = (shard: LexicalShard) => {
    if (!costly) ensureStaticVectors(place, [shard]);
  };
  return { afterMs, prepare };
}

export function runContext(session: Session, scope: Scope) {
  return {
    objects: session.objects,
    store: syntaxStore(session.repository, session.objects, session.profile, session.about),
    directory: session.shards,
    oidBytes: session.oidBytes,
    maxFileBytes: scope.config.maxFileBytes,
  };
}
