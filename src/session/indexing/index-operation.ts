/**
 * Indexes the snapshot of a ref into notes, shards and vectors, under the writer lock, and makes the files that the next questions open
 * (`warmSearch` and others).
 */

import { dirname } from 'node:path';
import { rememberRepository } from '../../base/local-key.js';
import { log } from '../../base/log.js';
import { shortOid } from '../../base/printable.js';
import { removeStaleTemporaries } from '../../base/processes.js';
import { createProgress, type Progress } from '../../base/progress.js';
import type { Config } from '../../config/settings.js';
import { removeStaleImportDebris } from '../../git/crash-recovery.js';
import { localStateDirectory } from '../../git/repository.js';
import { GENTLE_CHILDREN, ParserPool } from '../../indexer/parser-pool.js';
import { type IndexReport, PhaseTimer } from '../../indexer/report.js';
import { type EarlyOptions, runIndex } from '../../indexer/run.js';
import { syntaxStore } from '../../record/store.js';
import { codeFirst } from '../../search/path-classes.js';
import type { Manifest } from '../../shard/directory.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import type { CatalogFile } from '../../shard/live-set.js';
import { retried } from '../retry.js';
import type { Session } from '../session.js';
import { corporaOf } from '../snapshot/corpora.js';
import { countUnits, type UnitCounts } from '../snapshot/coverage.js';
import type { SnapshotFiles, SnapshotOrigin } from '../snapshot/snapshot.js';
import { hasView, localStateOf, viewKey } from '../snapshot/view-cache.js';
import { COMMITS, GRAPHS } from '../state-kinds.js';
import { withWriterLock } from '../writer-lock.js';
import { entryOf, knownReport, stepBases } from './known-snapshot.js';

export interface IndexOptions {
  ref?: string;
  /** Time to wait for another writer, in milliseconds. */
  waitMs?: number;
  progress?: Progress;
  signal?: AbortSignal;
  /** Number of parser processes; default: the setting `jobs`, else what the machine has room for. */
  jobs?: number;
  /** Uses two parsers at most, whatever the setting says, since somebody works on this machine. */
  gentle?: boolean;
  /** Parsers that are already starting, or that outlast the run. The caller stops them. */
  parsers?: ParserPool;
  /** Set by a search that waits for the result: a provider embeds at most 200 texts, for at most 5 s. */
  implicit?: boolean;
  /**
   * Publishes finished parts, with the vectors of the built-in model, so that other processes can search them: the first one after this
   * many milliseconds.
   */
  early?: number;
  /** Logs nothing, since the caller logs the run. */
  unlogged?: boolean;
  /** Called as each phase begins. */
  onPhase?: (phase: IndexPhase) => void;
}

type IndexPhase = 'waiting-for-lock' | 'fetching' | 'indexing' | 'vectors';

/** Time in which a lock that nobody holds is taken, in milliseconds. */
const AT_ONCE_MS = 10;

/** Folders below the local state directory: a profile, and in it its graphs or an overlay. */
const STATE_LEVELS = 2;

interface IndexResult {
  report: IndexReport;
  shards: LexicalShard[];
  manifest: Manifest;
}

/** Indexes a ref. Finished batches stay if it throws LOCKED, UNKNOWN_REF, DISK, GIT_FAILED or CANCELLED. */
export async function indexRef(session: Session, options: IndexOptions = {}): Promise<IndexReport> {
  // The first attempt stopped the caller's parsers, so a retry starts its own.
  return retried(session, options.ref, async ({ isFirst }) =>
    indexOrigin(session, await session.origin(options.ref), isFirst ? options : { ...options, parsers: undefined }),
  );
}

/** Indexes an origin, without retries. */
export async function indexOrigin(
  session: Session,
  origin: SnapshotOrigin,
  options: IndexOptions,
): Promise<IndexReport> {
  const timer = new PhaseTimer();
  const known = await knownReport(session, origin, timer);
  if (known !== null) return known;
  return underLock(session, options, async (hasWaited) => {
    // If several servers learn of a commit at once, one indexes it.
    const done = hasWaited ? await knownReport(session, origin, timer) : null;
    return done ?? (await indexLocked(session, origin, options, timer)).report;
  });
}

/** Indexes an origin even if the manifest lists it as complete, and returns its shards. */
export async function indexSnapshot(
  session: Session,
  origin: SnapshotOrigin,
  options: IndexOptions,
): Promise<IndexResult> {
  return underLock(session, options, () => indexLocked(session, origin, options, new PhaseTimer()));
}

/** Does `work` while nobody else writes the index. */
async function underLock<T>(
  session: Session,
  options: IndexOptions,
  work: (hasWaited: boolean) => Promise<T>,
): Promise<T> {
  const { waitMs, signal } = options;
  options.onPhase?.('waiting-for-lock');
  const from = performance.now();
  const run = () => work(performance.now() - from > AT_ONCE_MS);
  return withWriterLock(session, run, { ...(waitMs !== undefined && { waitMs }), signal });
}

async function indexLocked(
  session: Session,
  origin: SnapshotOrigin,
  options: IndexOptions,
  timer: PhaseTimer,
): Promise<IndexResult> {
  const pool = options.parsers ?? new ParserPool();
  try {
    const { config } = await session.configOfOrigin(origin);
    const jobs = options.jobs ?? config.jobs ?? pool.size;
    pool.resize(options.gentle ? Math.min(jobs, GENTLE_CHILDREN) : jobs);
    // Imported only if there is a remote to fetch from.
    const hasRemote = session.gitConfig.some(({ key }) => key.startsWith('remote.'));
    const fromRemote = hasRemote ? await import('../records/bring-records.js') : null;
    const mayStep = stepBases(session.shards.readManifest(), origin).length > 0;
    const list = () => timer.measure('snapshot', () => session.filesOf(origin));
    // Listing the snapshot needs no records, so git does it while they are fetched.
    const listing = mayStep ? null : list();
    listing?.catch(() => {});
    options.onPhase?.('fetching');
    // The tree's own records come first: with them, no remote is asked for the first ones.
    await timer.measure('fetch', () => bringPortableRecords(session, origin, options.signal));
    await timer.measure('fetch', async () => fromRemote?.bringRecords(session, origin, options.signal));
    await warmParsers(session, pool);
    const stepped = mayStep ? await stepTo(session, { origin, pool, timer }, options) : NOTHING_MADE;
    if ('report' in stepped) return stepped;
    const files = await (listing ?? list());
    await timer.measure('fetch', async () => fromRemote?.bringBlobs(session, origin, files, options.signal));
    const result = await indexFiles(session, { origin, files, pool, timer, made: stepped }, options);
    rememberRepository(session.repository.workTree ?? session.repository.gitDir);
    return result;
  } finally {
    pool.rest();
  }
}

/** Imports records from the snapshot's `.socraticode/` folder, if it has one. */
async function bringPortableRecords(session: Session, origin: SnapshotOrigin, signal?: AbortSignal): Promise<void> {
  const found = await session.objects.info(`${origin.resolved.tree}:.socraticode`);
  if (found?.type !== 'tree') return;
  const { bringPortable } = await import('../records/bring-records.js');
  await bringPortable(session, origin, signal);
}

/**
 * Starts a parser while git lists the snapshot, which takes as long. A few blobs are probably new if shards exist, or if there are no
 * records. A clone that fetched its records needs none.
 */
async function warmParsers(session: Session, pool: ParserPool): Promise<void> {
  const store = syntaxStore(session.repository, session.objects, session.profile);
  if (session.shards.readManifest().shards.length > 0) pool.warm();
  else if ((await store.readTip()) === null) {
    pool.warm();
    // Imported on demand: only the first run in a repository shows it.
    const { foreignNotice } = await import('../records/profiles.js');
    const notice = await foreignNotice(session);
    if (notice !== null) log.warn(notice);
  }
}

/** Work of a step that did not lead to the whole snapshot: parsed blobs, and bytes of records and shards. */
interface Made {
  new: number;
  bytesAdded: number;
}

const NOTHING_MADE: Made = { new: 0, bytesAdded: 0 };

interface IndexRun {
  origin: SnapshotOrigin;
  files: SnapshotFiles;
  pool: ParserPool;
  timer: PhaseTimer;
  /** Counts in the report, too. */
  made: Made;
}

/**
 * Indexes a snapshot of which another one that is indexed has all but a few files. If there is none, or the step turns out not to lead to
 * the snapshot, all files must be looked at, and what the step made is returned.
 */
async function stepTo(
  session: Session,
  { origin, pool, timer }: Pick<IndexRun, 'origin' | 'pool' | 'timer'>,
  options: IndexOptions,
): Promise<IndexResult | Made> {
  const { findStep } = await import('./step.js');
  const step = await timer.measure('snapshot', () => findStep(session, origin));
  if (step === null) return NOTHING_MADE;
  const before = session.shards.version();
  options.onPhase?.('indexing');
  const describe: Running['describe'] = (shards, manifest) => step.describe(shards, manifest);
  const result = await run(session, step, { pool, timer, describe }, options);
  const { counts, vectors, blobs } = step;
  if (counts === null || vectors === null) return { new: result.new, bytesAdded: result.bytesAdded };
  const { embedder, model, profile } = step.source;
  const { dimensions, covered, total } = vectors.known;
  const report: IndexReport = {
    ...origin.resolved,
    ...reportOf(counts, { blobs, new: result.new }),
    bytesAdded: result.bytesAdded + vectors.bytes,
    vectors: {
      ...{ embedder, model, dimensions, profile, covered, total },
      ...{ embedded: vectors.embedded, reused: covered - vectors.embedded, loaded: 0, fault: null },
    },
    ms: timer.result(),
  };
  if (!options.unlogged && session.shards.version() !== before) logRun(report);
  return { report, shards: result.shards, manifest: result.manifest };
}

interface Running extends Pick<IndexRun, 'pool' | 'timer'> {
  /** Makes the snapshot's entry in the next manifest, from that and its shards, before it is published; null if files are missing. */
  describe: Parameters<typeof runIndex>[1]['describe'];
  early?: EarlyOptions;
}

/** Brings files into notes and shards. */
async function run(
  session: Session,
  { files, config }: { files: readonly CatalogFile[]; config: Config },
  { pool, timer, describe, early }: Running,
  options: IndexOptions,
) {
  const bad: string[] = [];
  const context = runContext(session, { config });
  const progress = options.progress ?? createProgress('indexing');
  const onBadRecord = (oid: string, reason: string) => bad.push(`${oid.slice(0, 12)} (${reason})`);
  const result = await context.store.joiningPacks(() =>
    runIndex(files, { ...context, pool, progress, timer, signal: options.signal, onBadRecord, early, describe }),
  );
  if (bad.length > 0) log.warn(`unusable records were derived again: ${bad.length}, the first ${bad[0]}`);
  if (result.new > 0) {
    removeStaleImportDebris(session.repository);
    const state = localStateDirectory(session.repository);
    removeStaleTemporaries(state, STATE_LEVELS);
    // The folder itself is made under a temporary name if a group shares the repository.
    removeStaleTemporaries(dirname(state));
  }
  return result;
}

function reportOf(counts: UnitCounts, { blobs, new: fresh }: { blobs: number; new: number }) {
  return {
    ...{ files: counts.files, blobs, new: fresh, reused: blobs - fresh - counts.unreadableBlobs },
    ...{ skipped: counts.skipped, degraded: counts.degraded },
    ...(counts.parseErrors > 0 && { parseErrors: counts.parseErrors }),
    chunks: counts.chunks,
  };
}

async function indexFiles(session: Session, indexing: IndexRun, options: IndexOptions): Promise<IndexResult> {
  const { origin, files: snapshot, pool, timer, made } = indexing;
  const { files, blobs } = snapshot.catalog;
  const before = session.shards.version();
  let counts: UnitCounts | null = null;
  options.onPhase?.('indexing');
  // Questions during a long run are about code, so code is indexed first.
  const ordered = options.early === undefined ? files : codeFirst(files, ({ path }) => path);
  const early = options.early === undefined ? undefined : await earlyOptions(session, snapshot, options.early);
  const describe: Running['describe'] = (shards, manifest) => {
    counts = countUnits(snapshot, shards, manifest);
    return counts.missing > 0 ? null : entryOf(origin, { counts, blobs });
  };
  const result = await run(
    session,
    { files: ordered, config: snapshot.config },
    { pool, timer, describe, early },
    options,
  );
  const { shards } = result;
  counts ??= countUnits(snapshot, shards, result.manifest);
  options.onPhase?.('vectors');
  // Imported on demand: a run with nothing to do returns earlier.
  const { indexVectors } = await import('./index-vectors.js');
  const after = await timer.measure('vectors', () => indexVectors(session, { ...indexing, ...result }, options));
  const report: IndexReport = {
    ...{ ref: snapshot.ref, commit: snapshot.commit, tree: snapshot.tree },
    ...reportOf(counts, { blobs, new: result.new + made.new }),
    bytesAdded: result.bytesAdded + made.bytesAdded + after.bytesAdded,
    vectors: after.report,
    ms: timer.result(),
  };
  if (!options.unlogged && session.shards.version() !== before) logRun(report);
  return { report, shards, manifest: after.manifest };
}

function logRun({ ref, commit, tree, new: fresh, blobs, bytesAdded, ms, vectors }: IndexReport): void {
  const id = shortOid(commit ?? tree);
  const data = { commit: id, new: fresh, blobs, bytes: bytesAdded, ms: Math.round(ms.total) };
  const message = `indexed ${ref}: ${id}, ${fresh} new of ${blobs} blobs, ${bytesAdded} bytes added, ${data.ms} ms`;
  log.event('index', message, vectors.fault === null ? data : { ...data, code: vectors.fault.code });
}

/** A shard's vectors are made before it is published: a server would otherwise have to make them while others wait. */
async function earlyOptions(session: Session, files: SnapshotFiles, afterMs: number): Promise<EarlyOptions> {
  const [{ vectorSource }, { ensureStaticVectors }] = await Promise.all([
    import('../vectors/vector-source.js'),
    import('../../indexer/static-vectors.js'),
  ]);
  const { profile, costly } = vectorSource(session, files.config);
  const place = { directory: session.shards.directory, profile };
  const prepare = (shard: LexicalShard) => {
    if (!costly) ensureStaticVectors(place, [shard]);
  };
  return { afterMs, prepare };
}

export function runContext(session: Session, files: Pick<SnapshotFiles, 'config'>) {
  return {
    objects: session.objects,
    store: syntaxStore(session.repository, session.objects, session.profile, session.about),
    directory: session.shards,
    oidBytes: session.oidBytes,
    maxFileBytes: files.config.maxFileBytes,
  };
}

// Makes in advance the files that the next questions open: the view of a snapshot, the subjects and messages of its commits, and its graph.

/** Writes the view of a ref, and the subjects of its commits if a search has read subjects before. */
export async function warmSearch(session: Session, ref?: string, signal?: AbortSignal): Promise<void> {
  const origin = await session.origin(ref);
  await warmView(session, origin, signal);
  const { commit } = origin.resolved;
  if (commit === null) return;
  const { keepSubjects } = await import('../search/external-text.js');
  await keepSubjects(session, commit, signal);
}

/** Writes the view of an indexed snapshot unless it exists. */
export async function warmView(session: Session, origin: SnapshotOrigin, signal?: AbortSignal): Promise<void> {
  const { shards, unreadable } = session.shards.readManifest();
  const names = shards.map(({ file }) => file);
  const localState = localStateOf(names, unreadable);
  if (hasView(session.state, viewKey(origin.key), { names, localState })) return;
  await corporaOf(session).of(origin, signal);
}

/** Links an indexed snapshot if this repository has a cached graph, so that the next question is answered at once. */
export async function warmGraph(session: Session, ref?: string, signal?: AbortSignal): Promise<void> {
  if (session.state.keys(GRAPHS).length === 0) return;
  const { graphsOf } = await import('../graph/graphs.js');
  await graphsOf(session).committed(await session.origin(ref), { signal });
}

/**
 * Keeps the messages of the commits up to one, if a search has read subjects before. It comes last, since it takes seconds the first
 * time. Throws CANCELLED.
 */
export async function warmMessages(session: Session, commit: string | null, signal?: AbortSignal): Promise<void> {
  if (commit === null || !session.state.has(COMMITS)) return;
  const { keepMessages } = await import('../search/external-text.js');
  await keepMessages(session, commit, signal);
}
