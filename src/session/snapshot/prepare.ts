/** Prepares indexed snapshots: from memory, from a cached view, or from the shards after indexing missing files. */
import { SingleFlight } from '../../base/async.js';
import { onePer, remember } from '../../base/cache.js';
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { createProgress, phase } from '../../base/progress.js';
import type { NameUses } from '../../search/build-corpus.js';
import type { Corpus } from '../../search/corpus.js';
import type { Manifest } from '../../shard/directory.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { type CatalogFile, createLiveSet } from '../../shard/live-set.js';
import type { Session } from '../session.js';
import { USES } from '../state-kinds.js';
import {
  countUnits,
  coverageOf,
  hasAllFiles,
  MOST_AWAITED,
  type SnapshotState,
  snapshotState,
  type UnitCounts,
} from './coverage.js';
import type { IndexedSnapshot, SnapshotFiles, SnapshotOrigin, ViewNote } from './snapshot.js';
import type { UnreferencedUnits } from './unreferenced.js';
import { localStateOf, readView, type View, viewKey, writeView } from './view-cache.js';

const MAX_CACHED_VIEWS = 8;
/** Time to wait for another writer if something is indexed already, in milliseconds; else the default of 60 s applies. */
const BUSY_MS = 15_000;

export class SnapshotPreparer {
  /** Snapshots by view key, the most recent last. */
  private readonly prepared = new Map<string, Remembered>();
  private readonly underWay = new SingleFlight<IndexedSnapshot>();
  private opened: PublishedShards | null = null;
  private unreferenced: UnreferencedUnits | null = null;

  constructor(private readonly session: Session) {}

  /** Prepares a snapshot and indexes missing files first. Simultaneous calls for one snapshot share the work. */
  prepare(origin: SnapshotOrigin, signal?: AbortSignal): Promise<IndexedSnapshot> {
    const key = viewKey(origin.key);
    return this.underWay.run(key, () => phase('corpus', () => this.find(origin, key, signal)), signal);
  }

  private async find(origin: SnapshotOrigin, key: string, signal?: AbortSignal): Promise<IndexedSnapshot> {
    const known = await this.findPrepared(origin, key);
    return known !== null && hasAllFiles(known.state)
      ? this.keep(key, known)
      : this.keep(key, await this.build(origin, key, signal));
  }

  /** Returns a snapshot that was prepared before, by this process or in a file; null if there is none. */
  private async findPrepared(origin: SnapshotOrigin, key: string): Promise<Remembered | null> {
    return this.recall(key) ?? (await this.readCached(origin, key));
  }

  /** Returns the snapshot that this process prepared before; null if one of its shards is no longer in use. */
  private recall(key: string): Remembered | null {
    const known = this.prepared.get(key);
    if (known === undefined) return null;
    const { shards, localState } = this.openShards();
    const open = new Set<LexicalShard>(shards);
    const isCurrent = known.state === 'ready' || known.localState === localState;
    const inMemory = known.snapshot.overlayShards;
    const isOpen = (shard: LexicalShard) => open.has(shard) || inMemory?.has(shard);
    return isCurrent && referenced(known.snapshot.corpus).every(isOpen) ? known : null;
  }

  /** Finds complete snapshots only, since no others are cached. */
  private async readCached(origin: SnapshotOrigin, key: string): Promise<Remembered | null> {
    const view = readView<ViewNote>(this.session.state, key, this.openShards()) ?? (await this.readPast(key));
    if (view === null) return null;
    const { config } = await this.session.configOfOrigin(origin);
    const { corpus, extra, localState } = view;
    const overlayShards = inMemoryOnly(view.own ?? []);
    const snapshot = { corpus, coverage: extra.coverage, defaults: extra.defaults, settings: config, overlayShards };
    return { snapshot, state: localState === null ? 'ready' : 'degraded', localState };
  }

  private async readPast(key: string): Promise<View<ViewNote> | null> {
    const { readPast } = await import('./unreferenced.js');
    return readPast<ViewNote>(this.session.state, key, this.openShards());
  }

  private async build(origin: SnapshotOrigin, key: string, signal?: AbortSignal): Promise<Remembered> {
    const stepped = await this.indexStep(origin, key, signal);
    if (stepped !== null) return stepped;
    const files = await this.session.filesOf(origin);
    const counted = await this.indexAndCount(origin, key, files, signal);
    if ('snapshot' in counted) return counted;
    const { uses, ...made } = await this.fromShards(files, counted);
    // An incomplete snapshot is not cached: the next view of it follows soon.
    if (hasAllFiles(made.state)) {
      writeView(this.session.state, key, viewOf(made));
      if (uses !== null) this.session.state.write(USES, '', uses.encode(), key);
    }
    return made;
  }

  /** Indexes missing files; returns the counts behind that, or the snapshot if it was made in memory or meanwhile. */
  private async indexAndCount(
    origin: SnapshotOrigin,
    key: string,
    files: SnapshotFiles,
    signal?: AbortSignal,
  ): Promise<Counted | Remembered> {
    const before = countIn(files, this.openShards());
    const { state } = before;
    if (hasAllFiles(state)) return before;
    const { isUnreferenced, readFirst } = await import('./unreferenced.js');
    const atHand = this.countAtHand(files, before);
    // An old commit is read into memory alone.
    if (await isUnreferenced(this.session, origin, files, atHand))
      return phase('index', () => this.prepareUnreferenced(files, key, signal));
    const { backgroundIndexer } = this.session;
    if (backgroundIndexer === null) {
      // In this process: of a large tree, the files with the words of the question are read, else all are indexed.
      const first = await readFirst(this.session, origin, files, atHand, signal);
      if (first !== null) return phase('index', () => this.prepareUnreferenced(files, key, signal, first));
      return countIn(files, await phase('index', () => this.indexMissing(origin, state, signal)));
    }
    // In a server: what is indexed when the wait is over has to do, unless nothing is.
    const isLarge = before.counts.missing > MOST_AWAITED;
    const failure = await backgroundIndexer.index(origin, { isLarge, hasFiles: this.filesPublished(files), signal });
    const known = await this.findPrepared(origin, key);
    if (known !== null && (hasAllFiles(known.state) || failure === null)) return known;
    const counted = countIn(files, this.openShards());
    if (failure !== null && counted.state === 'missing') throw failure;
    return counted;
  }

  /** Indexes a commit of HEAD that differs from an indexed one by a few files, without listing the others; null for any other. */
  private async indexStep(origin: SnapshotOrigin, key: string, signal?: AbortSignal): Promise<Remembered | null> {
    const { backgroundIndexer } = this.session;
    if (origin.resolved.ref !== 'HEAD' || origin.resolved.commit === null) return null;
    const { mayStep } = await import('../indexing/known-snapshot.js');
    if (!(await mayStep(this.session, origin))) return null;
    if (backgroundIndexer === null) await phase('index', () => this.indexMissing(origin, 'partial', signal));
    else await backgroundIndexer.index(origin, { signal });
    const known = await this.findPrepared(origin, key);
    return known !== null && hasAllFiles(known.state) ? known : null;
  }

  /** Counts files in memory, too. A walk from commit to commit gets far from the index, but in small steps. */
  private countAtHand(files: SnapshotFiles, { opened, counts }: Counted): UnitCounts {
    const cached = this.unreferenced?.shards ?? [];
    return cached.length === 0 ? counts : countUnits(files, [...opened.shards, ...cached], opened.manifest);
  }

  /** Answers about a snapshot without a ref from memory; with `first`, after reading these of its files alone. */
  private async prepareUnreferenced(
    files: SnapshotFiles,
    key: string,
    signal?: AbortSignal,
    first?: readonly CatalogFile[],
  ): Promise<Remembered> {
    if (this.unreferenced === null) {
      const { UnreferencedUnits } = await import('./unreferenced.js');
      this.unreferenced ??= new UnreferencedUnits(this.session);
    }
    const { manifest, shards } = this.openShards();
    const read = first === undefined ? files : { ...files, catalog: { ...files.catalog, files: [...first] } };
    const own = await this.unreferenced.complete(read, shards, signal);
    const opened = { manifest, shards: [...shards, ...own] };
    const unreadable = [...manifest.unreadable, ...this.unreferenced.unreadable];
    const counts = countUnits(files, opened.shards, { ...manifest, unreadable });
    const { uses: _, ...made } = await this.fromShards(files, { opened, counts, state: snapshotState(counts) }, own);
    if (hasAllFiles(made.state)) this.unreferenced.remember(key, viewOf(made));
    return made;
  }

  /** Makes the corpus. `inMemory`: opened shards that are not published. `uses`: the files that use each name; null for a fragment. */
  private async fromShards(
    files: SnapshotFiles,
    { opened, counts, state }: Counted,
    inMemory: readonly LexicalShard[] = [],
  ): Promise<Remembered & { uses: NameUses | null }> {
    const { manifest, shards } = opened;
    const { maxFileBytes, search: defaults } = files.config;
    const { live, entries } = createLiveSet(shards, files.catalog.files, (_, unit) => unit.size <= maxFileBytes);
    const isFragment = state === 'missing' || state === 'fragment';
    const { createCorpus } = await import('../../search/build-corpus.js');
    let uses: NameUses | null = null;
    const corpus = createCorpus(live, entries, { isFragment, onUses: (made) => (uses = made) });
    const published = namesOf(shards.filter((shard) => !inMemory.includes(shard)));
    const localState = state === 'ready' ? null : localStateOf(published, manifest.unreadable);
    const overlayShards = inMemoryOnly(inMemory);
    const coverage = coverageOf(counts);
    return { snapshot: { corpus, coverage, defaults, settings: files.config, overlayShards }, state, localState, uses };
  }

  /**
   * Indexes missing files in this process. If another process holds the writer lock for minutes, or the disk is full or read-only, the
   * answer is made from the indexed files and says so.
   */
  private async indexMissing(origin: SnapshotOrigin, state: SnapshotState, signal?: AbortSignal): Promise<OpenShards> {
    // Imported on demand: most searches find everything indexed.
    const { indexSnapshot } = await import('../indexing/index-operation.js');
    const options = { progress: createProgress('indexing'), signal, implicit: true };
    const hasSome = state !== 'missing';
    try {
      return await indexSnapshot(this.session, origin, hasSome ? { ...options, waitMs: BUSY_MS } : options);
    } catch (error) {
      const isHindered = isSocraticodeError(error, 'LOCKED') || isSocraticodeError(error, 'DISK');
      if (!hasSome || !isHindered) throw error;
      log.print('warn', `${error.message}; answered from what there is`);
      return this.openShards();
    }
  }

  /** Returns a test whether the published shards have a file of a snapshot. It is asked often, and counts after a publication only. */
  private filesPublished(files: SnapshotFiles): () => boolean {
    let [counted, hasFiles] = [' ', false];
    return () => {
      const { version } = this.openShards();
      if (version !== counted) hasFiles = countIn(files, this.openShards()).state !== 'missing';
      counted = version;
      return hasFiles;
    };
  }

  private keep(key: string, known: Remembered): IndexedSnapshot {
    remember(this.prepared, key, known, MAX_CACHED_VIEWS);
    return known.snapshot;
  }

  /** Opens the published shards again if they have changed. */
  private openShards(): PublishedShards {
    const version = this.session.shards.version();
    if (this.opened === null || this.opened.version !== version) {
      const manifest = this.session.shards.readManifest();
      const shards = this.session.shards.openShards(manifest, this.opened?.shards);
      this.opened = { version, manifest, shards, localState: localStateOf(namesOf(shards), manifest.unreadable) };
    }
    return this.opened;
  }
}

/** The preparer that all questions of a session share. */
export const snapshotsOf = onePer((session: Session) => new SnapshotPreparer(session));

/** The shards that a manifest lists, open. */
interface OpenShards {
  manifest: Manifest;
  shards: LexicalShard[];
}

/** Numbers of indexed and missing files of a snapshot in some shards. */
interface Counted {
  opened: OpenShards;
  counts: UnitCounts;
  state: SnapshotState;
}

function countIn(files: SnapshotFiles, opened: OpenShards): Counted {
  const counts = countUnits(files, opened.shards, opened.manifest);
  return { opened, counts, state: snapshotState(counts) };
}

/** The published shards, as of a version of their directory. */
interface PublishedShards extends OpenShards {
  version: string;
  /** See `Remembered`. */
  localState: string;
}

function namesOf(shards: readonly LexicalShard[]): string[] {
  return shards.map(({ name }) => name);
}

/** A prepared snapshot, and until when it holds. */
interface Remembered {
  snapshot: IndexedSnapshot;
  state: SnapshotState;
  /** Shards and unreadable blobs at the time; null for a `ready` snapshot, which depends on neither. */
  localState: string | null;
}

function viewOf({ snapshot: { corpus, coverage, defaults }, localState }: Remembered): View<ViewNote> {
  return { corpus, extra: { coverage, defaults }, localState };
}

function inMemoryOnly(shards: readonly LexicalShard[]): IndexedSnapshot['overlayShards'] {
  return shards.length > 0 ? new Map(shards.map((shard) => [shard, null])) : undefined;
}

/** Cached because every search asks for the shards of a corpus, which never change. */
const REFERENCED = new WeakMap<Corpus, LexicalShard[]>();

function referenced(corpus: Corpus): LexicalShard[] {
  const { live } = corpus;
  const known = REFERENCED.get(corpus) ?? [...new Set(live.files.shard)].map((index) => live.shards[index]);
  REFERENCED.set(corpus, known);
  return known;
}
