/** `index`: bring the snapshot of a ref into the notes and the shards, under the writer lock. */
import { join } from 'node:path';
import { makeDirectory } from '../base/atomic.js';
import { acquireLock } from '../base/lock.js';
import { log } from '../base/log.js';
import { createProgress, type Progress } from '../base/progress.js';
import { removeStaleImportDebris } from '../git/notes.js';
import { type IndexReport, PhaseTimer } from '../indexer/report.js';
import { makePlan, runIndex } from '../indexer/run.js';
import type { LexicalShard } from '../shard/lexical.js';
import { lookUpUnit } from '../shard/live.js';
import type { Manifest } from '../shard/manifest.js';
import type { Scope, Session } from './session.js';

export interface IndexOptions {
  ref?: string;
  /** How long to wait for another writer, in milliseconds. */
  waitMs?: number;
  progress?: Progress;
  signal?: AbortSignal;
}

const DEFAULT_WAIT_MS = 60_000;

export interface IndexResult {
  report: IndexReport;
  shards: LexicalShard[];
  manifest: Manifest;
}

export async function indexRef(session: Session, options: IndexOptions = {}): Promise<IndexResult> {
  const timer = new PhaseTimer();
  const scope = await timer.measure('snapshot', () => session.scope(options.ref));
  return indexScope(session, scope, options, timer);
}

export async function indexScope(
  session: Session,
  scope: Scope,
  options: IndexOptions,
  timer = new PhaseTimer(),
): Promise<IndexResult> {
  const state = join(session.repository.commonDir, 'socraticode');
  makeDirectory(state);
  const release = await acquireLock(join(state, 'writer.lock'), {
    waitMs: options.waitMs ?? DEFAULT_WAIT_MS,
    signal: options.signal,
  });
  try {
    const bad: string[] = [];
    const result = await runIndex(scope.catalog.files, {
      ...runContext(session, scope),
      progress: options.progress ?? createProgress('indexing'),
      timer,
      signal: options.signal,
      onBadRecord: (oid, reason) => bad.push(`${oid.slice(0, 12)} (${reason})`),
    });
    if (bad.length > 0) log.warn(`${bad.length} unusable records were derived again, the first: ${bad[0]}`);
    if (result.new > 0) removeStaleImportDebris(session.repository);
    const { shards, manifest } = result;
    const counted = countUnits(scope, shards, manifest);
    const { ref, commit, tree, catalog } = scope;
    const report: IndexReport = {
      ref,
      commit,
      tree,
      files: counted.files,
      blobs: catalog.blobs,
      new: result.new,
      reused: catalog.blobs - result.new - counted.unreadableBlobs,
      skipped: { ...catalog.skipped, ...counted.skipped },
      degraded: counted.degraded,
      chunks: counted.chunks,
      bytesAdded: result.bytesAdded,
      ms: timer.result(),
    };
    return { report, shards, manifest };
  } finally {
    release();
  }
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

/** Measured on TypeScript, Python and Go repositories: records pack to about 5% of the source, shards to 90%. */
const BYTES_PER_SOURCE_BYTE = 0.95;
const SOURCE_BYTES_PER_SECOND = 2_500_000;

/** What `index` would do; writes nothing. */
export async function dryRun(session: Session, options: Pick<IndexOptions, 'ref'>): Promise<DryRun> {
  const scope = await session.scope(options.ref);
  const manifest = session.shards.readManifest();
  const shards = session.shards.openShards(manifest);
  const plan = await makePlan(scope.catalog.files, shards, manifest, runContext(session, scope));
  const parse = plan.filter((blob) => !session.store.has(blob.oid));
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
    store: session.store,
    directory: session.shards,
    oidBytes: session.oidBytes,
    maxFileBytes: scope.config.maxFileBytes,
  };
}

export interface UnitCounts {
  /** Files that have documents. */
  files: number;
  chunks: number;
  skipped: Record<string, number>;
  degraded: Record<string, number>;
  /** Files that no shard knows yet, without those that cannot be read. */
  missing: number;
  unreadableBlobs: number;
}

const SKIP_STATES = new Set<string>(['binary', 'lfs-pointer', 'secret', 'too-large']);

/** What the shards hold for each file of a scope. */
export function countUnits(scope: Scope, shards: readonly LexicalShard[], manifest: Manifest): UnitCounts {
  const counts: UnitCounts = {
    files: 0,
    chunks: 0,
    skipped: { ...scope.catalog.skipped },
    degraded: {},
    missing: 0,
    unreadableBlobs: 0,
  };
  const unreadable = new Set(manifest.unreadable);
  const seen = new Set<string>();
  const add = (group: Record<string, number>, key: string) => {
    group[key] = (group[key] ?? 0) + 1;
  };
  for (const file of scope.catalog.files) {
    const unit = lookUpUnit(shards, file);
    const first = !seen.has(file.oid);
    seen.add(file.oid);
    if (unit === null) {
      if (!unreadable.has(file.oid)) counts.missing++;
      else add(counts.skipped, 'unreadable');
      if (first && unreadable.has(file.oid)) counts.unreadableBlobs++;
    } else if (unit.state !== null && SKIP_STATES.has(unit.state)) add(counts.skipped, unit.state);
    else if (unit.size > scope.config.maxFileBytes) add(counts.skipped, 'too-large');
    else {
      counts.files++;
      if (unit.state !== null) add(counts.degraded, unit.state);
      if (first) counts.chunks += shards[unit.shard].unitDocuments[unit.unit];
    }
  }
  return counts;
}
