/** Snapshots made ready to be searched: from a cached view, or from the shards after indexing what they lack. */
import { unlessAborted, waitFor } from '../../base/abortable.js';
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { createProgress } from '../../base/progress.js';
import { remember } from '../../base/remember.js';
import type { Config } from '../../config/types.js';
import { type Corpus, createCorpus } from '../../search/corpus.js';
import type { LexicalShard } from '../../shard/lexical.js';
import { createLiveSet } from '../../shard/live.js';
import type { Manifest } from '../../shard/manifest.js';
import type { Scope, ScopeOrigin, Session } from '../session.js';
import { countUnits, coverageOf, type UnitCounts } from './coverage.js';
import { hasView, readView, stateOf, viewKey, writeView } from './view-cache.js';

const VIEWS_KEPT = 4;
/** A snapshot that lacks this share of the files it has is a fragment: there will be another one in seconds. */
const FRAGMENT = 0.25;
/** Beside what the supplier waits, in milliseconds. */
const FIRST_MS = 3_000;
const POLL_MS = 50;
/** Who finds nothing at all waits longer. */
const BUSY_MS = 15_000;
/** Files that are missing for each that is there, at the most. */
const FIRST_PARTS = 3;

/** A snapshot ready to be searched. */
export interface Prepared {
  corpus: Corpus;
  extra: ViewExtra;
  /**
   * What makes the vectors, and how they are searched. Never from a cached view: it names where text is sent, and a
   * view can arrive inside an archive.
   */
  settings: Pick<Config, 'embedder' | 'vectors'>;
  /** Shards that no commit has: the directories where the vectors of large ones are kept. */
  overlay?: ReadonlyMap<LexicalShard, string>;
}

/** What a cached view keeps beside the corpus. */
export interface ViewExtra {
  coverage: { covered: number; total: number };
  defaults: Config['search'];
}

export class SnapshotPreparer {
  /** By view key; the most recent last. */
  private readonly prepared = new Map<string, Remembered>();
  private readonly underWay = new Map<string, Promise<Prepared>>();
  private opened: Opened | null = null;

  constructor(private readonly session: Session) {}

  /** The snapshot's corpus; indexes first what no shard knows. Who asks while it is being made waits for the same. */
  prepare(origin: ScopeOrigin, signal?: AbortSignal): Promise<Prepared> {
    const key = viewKey(origin.key);
    const underWay = this.underWay.get(key);
    if (underWay !== undefined) {
      // Whoever began it may have given up: that is no reason for others to.
      const prepared = underWay.catch((error: unknown) => {
        if (signal?.aborted) throw error;
        return this.prepare(origin, signal);
      });
      return unlessAborted(prepared, signal);
    }
    const preparing = this.find(origin, key, signal).finally(() => this.underWay.delete(key));
    this.underWay.set(key, preparing);
    return preparing;
  }

  private async find(origin: ScopeOrigin, key: string, signal?: AbortSignal): Promise<Prepared> {
    const known = this.recall(key) ?? (await this.readPrepared(origin, key));
    if (known === null || known.lacks) return this.build(origin, key, signal);
    return this.keep(key, known);
  }

  /** What this process prepared before, unless the shards that it refers to are no longer in use. */
  private recall(key: string): Remembered | null {
    const known = this.prepared.get(key);
    if (known === undefined) return null;
    const { shards, state } = this.openShards();
    const open = new Set<LexicalShard>(shards);
    const isCurrent = known.state === null || known.state === state;
    return isCurrent && referenced(known.prepared.corpus).every((shard) => open.has(shard)) ? known : null;
  }

  private async readPrepared(origin: ScopeOrigin, key: string): Promise<Remembered | null> {
    const view = readView<ViewExtra>(this.session.shards.directory, key, this.openShards());
    if (view === null) return null;
    const { corpus, extra, state } = view;
    const { config } = await this.session.configOfOrigin(origin);
    return { prepared: { corpus, extra, settings: config }, state, lacks: false };
  }

  private async build(origin: ScopeOrigin, key: string, signal?: AbortSignal): Promise<Prepared> {
    const scope = await this.session.scopeOf(origin);
    let { manifest, shards } = this.openShards();
    let counts = countUnits(scope, shards, manifest);
    if (counts.missing > 0 && this.session.supplier !== null) {
      const failure = await this.session.supplier.index(origin, signal);
      if (failure === null && counts.files === 0) await this.firstParts(scope, signal);
      // By now it may be a view, or no more than it was.
      const known = this.recall(key) ?? (await this.readPrepared(origin, key));
      if (known !== null && !(known.lacks && failure)) return this.keep(key, known);
      ({ manifest, shards } = this.openShards());
      counts = countUnits(scope, shards, manifest);
      if (failure !== null && counts.files === 0 && counts.missing > 0) throw failure;
    } else if (counts.missing > 0) {
      ({ manifest, shards } = await this.indexMissing(origin, counts.files > 0, signal));
      counts = countUnits(scope, shards, manifest);
    }
    const { maxFileBytes, search } = scope.config;
    const { live, entries } = createLiveSet(shards, scope.catalog.files, (_, unit) => unit.size <= maxFileBytes);
    const isFragment = counts.missing > counts.files * FRAGMENT;
    const corpus = createCorpus(live, entries, { isFragment });
    const extra: ViewExtra = {
      coverage: coverageOf(counts),
      defaults: search,
    };
    const state = isFinal(counts) ? null : stateOf(namesOf(shards), manifest.unreadable);
    const lacks = counts.missing > 0;
    // What somebody still works on is no view for others.
    if (!lacks) writeView(this.session.shards.directory, key, { corpus, extra, state });
    return this.keep(key, { prepared: { corpus, extra, settings: scope.config }, state, lacks });
  }

  /**
   * Somebody else may be writing for longer than an answer is worth waiting for, and a disk may be full or read-only: then
   * it is one from what there is, and says so.
   */
  private async indexMissing(
    origin: ScopeOrigin,
    hasSome: boolean,
    signal?: AbortSignal,
  ): Promise<Pick<Opened, 'manifest' | 'shards'>> {
    // Loaded here: most searches find everything indexed.
    const { indexScope } = await import('../indexing/index-operation.js');
    const options = { progress: createProgress('indexing'), signal, implicit: true };
    try {
      return await indexScope(this.session, origin, hasSome ? { ...options, waitMs: BUSY_MS } : options);
    } catch (error) {
      const isHindered = isSocraticodeError(error, 'LOCKED') || isSocraticodeError(error, 'DISK');
      if (!hasSome || !isHindered) throw error;
      log.tell('warn', `${error.message}; answered from what there is`);
      return this.openShards();
    }
  }

  /** The first answer about a snapshot of which nothing is known is worth a longer wait: one from two files is none. */
  private async firstParts(scope: Scope, signal?: AbortSignal): Promise<void> {
    const until = performance.now() + FIRST_MS;
    for (let seen = ''; performance.now() < until; ) {
      const { manifest, shards, version } = this.openShards();
      const { files, missing } = countUnits(scope, shards, manifest);
      if (missing <= files * FIRST_PARTS) return;
      seen = version;
      while (this.session.shards.version() === seen && performance.now() < until)
        await waitFor(new Promise(() => {}), { ms: POLL_MS, signal });
    }
  }

  private keep(key: string, known: Remembered): Prepared {
    remember(this.prepared, key, known, VIEWS_KEPT);
    return known.prepared;
  }

  private openShards(): Opened {
    const version = this.session.shards.version();
    if (this.opened === null || this.opened.version !== version) {
      const manifest = this.session.shards.readManifest();
      const shards = this.session.shards.openShards(manifest, this.opened?.shards);
      this.opened = { version, manifest, shards, state: stateOf(namesOf(shards), manifest.unreadable) };
    }
    return this.opened;
  }
}

interface Opened {
  version: string;
  manifest: Manifest;
  shards: LexicalShard[];
  state: string;
}

function namesOf(shards: readonly LexicalShard[]): string[] {
  return shards.map(({ name }) => name);
}

/** A snapshot, and the local state it depends on; null if it is complete. */
interface Remembered {
  prepared: Prepared;
  state: string | null;
  /** Files are missing: somebody may be bringing them. */
  lacks: boolean;
}

/** Could another shard make a view better? Not one that covers everything, nothing of it in a makeshift way. */
function isFinal({ missing, unreadableBlobs, degraded }: UnitCounts): boolean {
  return missing === 0 && unreadableBlobs === 0 && Object.keys(degraded).length === 0;
}

/** Asked with every search, of a corpus that never changes. */
const REFERENCED = new WeakMap<Corpus, LexicalShard[]>();

function referenced(corpus: Corpus): LexicalShard[] {
  const { live } = corpus;
  const known = REFERENCED.get(corpus) ?? [...new Set(live.files.shard)].map((index) => live.shards[index]);
  REFERENCED.set(corpus, known);
  return known;
}

/** Makes the view of an indexed snapshot, if there is none, so that the next process answers at once. */
export async function warmView(session: Session, ref?: string, signal?: AbortSignal): Promise<void> {
  await warmOrigin(session, await session.origin(ref), signal);
}

/** The same for an origin. */
export async function warmOrigin(session: Session, origin: ScopeOrigin, signal?: AbortSignal): Promise<void> {
  const { shards, unreadable } = session.shards.readManifest();
  const names = shards.map(({ file }) => file);
  const state = stateOf(names, unreadable);
  if (hasView(session.shards.directory, viewKey(origin.key), { names, state })) return;
  await new SnapshotPreparer(session).prepare(origin, signal);
}
