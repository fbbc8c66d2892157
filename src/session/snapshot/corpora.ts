/** Finds the corpora of snapshots: in memory, in a cached view, or in the shards after missing files are indexed. */
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
import type { BackgroundIndexer, Session } from '../session.js';
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

/** Corpora of snapshots as committed. The first step that has all files of one ends the search for it. */
export class Corpora {
  /** Snapshots by view key, the most recent last. */
  private readonly prepared = new Map<string, Remembered>();
  /** Snapshots of the files with the words of a question, which asks for its own several times. */
  private readonly ofWords = new WeakMap<SnapshotOrigin, IndexedSnapshot>();
  private readonly underWay = new SingleFlight<IndexedSnapshot>();
  private opened: PublishedShards | null = null;
  private unreferenced: UnreferencedUnits | null = null;

  constructor(private readonly session: Session) {}

  /** Prepares the corpus of a snapshot and indexes missing files first. Simultaneous calls for one snapshot share the work. */
  of(origin: SnapshotOrigin, signal?: AbortSignal): Promise<IndexedSnapshot> {
    const known = this.ofWords.get(origin);
    if (known !== undefined) return Promise.resolve(known);
    const key = viewKey(origin.key);
    const find = async () => {
      const { isOfWords, ...found } = await this.find({ origin, key, signal });
      if (isOfWords) this.ofWords.set(origin, found.snapshot);
      else remember(this.prepared, key, found, MAX_CACHED_VIEWS);
      return found.snapshot;
    };
    // A snapshot that is not prepared yet may be answered from the files with the words of one question.
    const words = this.recall(key) === null ? (origin.words ?? []) : [];
    return this.underWay.run([key, ...words].join(' '), () => phase('corpus', find), signal);
  }

  private async find(request: Request): Promise<Remembered> {
    const known = await this.findPrepared(request);
    if (known !== null && hasAllFiles(known.state)) return known;
    const stepped = await this.indexStep(request);
    if (stepped !== null) return stepped;
    const counted = countIn(await this.session.filesOf(request.origin), this.openShards());
    if (hasAllFiles(counted.state)) return this.view(request, counted);
    const inMemory = await this.readIntoMemory(request, counted);
    if (inMemory !== null) return inMemory;
    const { backgroundIndexer } = this.session;
    if (backgroundIndexer !== null) return this.indexInBackground(backgroundIndexer, request, counted);
    return this.view(request, countIn(counted.files, await this.indexMissing(request, counted.state)));
  }

  /** Returns a snapshot that was prepared before, by this process or in a file; null if there is none. */
  private async findPrepared(request: Request): Promise<Remembered | null> {
    return this.recall(request.key) ?? (await this.readCached(request));
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
  private async readCached({ origin, key }: Request): Promise<Remembered | null> {
    const { state } = this.session;
    const shards = this.openShards();
    const view =
      readView<ViewNote>(state, key, shards) ??
      (await import('./unreferenced.js')).readPast<ViewNote>(state, key, shards);
    if (view === null) return null;
    const { config } = await this.session.configOfOrigin(origin);
    const { corpus, extra, localState } = view;
    const overlayShards = inMemoryOnly(view.own ?? []);
    const snapshot = { corpus, coverage: extra.coverage, defaults: extra.defaults, settings: config, overlayShards };
    return { snapshot, state: localState === null ? 'ready' : 'degraded', localState };
  }

  /** Indexes a commit of HEAD that differs from an indexed one by a few files, without listing the others; null for any other. */
  private async indexStep(request: Request): Promise<Remembered | null> {
    const { origin, signal } = request;
    const { backgroundIndexer } = this.session;
    if (origin.resolved.ref !== 'HEAD' || origin.resolved.commit === null) return null;
    const { mayStep } = await import('../indexing/known-snapshot.js');
    if (!(await mayStep(this.session, origin))) return null;
    if (backgroundIndexer === null) await this.indexMissing(request, 'partial');
    else await backgroundIndexer.index(origin, { signal });
    const known = await this.findPrepared(request);
    return known !== null && hasAllFiles(known.state) ? known : null;
  }

  /**
   * Reads files into memory alone: all that an old commit lacks, or those of a large tree that have the words of the question, while a
   * server has the others indexed. Null for snapshots that are indexed.
   */
  private async readIntoMemory(request: Request, counted: Counted): Promise<Remembered | null> {
    const { origin, signal } = request;
    const { session } = this;
    const { isUnreferenced, readFirst } = await import('./unreferenced.js');
    const { files } = counted;
    const atHand = this.countAtHand(counted);
    if (await isUnreferenced(session, origin, files, atHand))
      return phase('index', () => this.readUnreferenced(request, files));
    const looking = readFirst(session, origin, files, atHand, signal);
    looking.catch(() => {}); // Awaited below.
    let first: CatalogFile[] | null;
    if (session.backgroundIndexer !== null && origin.words !== undefined && atHand.missing > MOST_AWAITED) {
      session.backgroundIndexer.start(origin);
      first = await (await this.ownUnits()).parserDuring(looking);
    } else first = await looking;
    if (first === null) return null;
    const found = await phase('index', () => this.readUnreferenced(request, files, first));
    return { ...found, isOfWords: true };
  }

  /** Has missing files indexed. What is indexed when the wait is over has to do, unless nothing is. */
  private async indexInBackground(
    indexer: BackgroundIndexer,
    request: Request,
    { files, counts }: Counted,
  ): Promise<Remembered> {
    const { origin, signal } = request;
    const wait = { isLarge: counts.missing > MOST_AWAITED, hasFiles: this.filesPublished(files), signal };
    const failure = await indexer.index(origin, wait);
    const known = await this.findPrepared(request);
    if (known !== null && (hasAllFiles(known.state) || failure === null)) return known;
    const counted = countIn(files, this.openShards());
    if (failure !== null && counted.state === 'missing') throw failure;
    return this.view(request, counted);
  }

  /** Makes the corpus of the indexed files. Only that of a complete snapshot is cached: another view of a part follows soon. */
  private async view({ key }: Request, counted: Counted): Promise<Remembered> {
    const { uses, ...made } = await this.fromShards(counted);
    if (!hasAllFiles(made.state)) return made;
    writeView(this.session.state, key, viewOf(made));
    if (uses !== null) this.session.state.write(USES, '', uses.encode(), key);
    return made;
  }

  /** Counts files in memory, too. A walk from commit to commit gets far from the index, but in small steps. */
  private countAtHand({ files, opened, counts }: Counted): UnitCounts {
    const cached = this.unreferenced?.shards ?? [];
    return cached.length === 0 ? counts : countUnits(files, [...opened.shards, ...cached], opened.manifest);
  }

  /** Answers about a snapshot without a ref from memory; with `first`, after reading these of its files alone. */
  private async readUnreferenced(
    { key, signal }: Request,
    files: SnapshotFiles,
    first?: readonly CatalogFile[],
  ): Promise<Remembered> {
    const units = await this.ownUnits();
    const { manifest, shards } = this.openShards();
    const read = first === undefined ? files : { ...files, catalog: { ...files.catalog, files: [...first] } };
    const own = await units.complete(read, shards, signal);
    const opened = { manifest, shards: [...shards, ...own] };
    const unreadable = [...manifest.unreadable, ...units.unreadable];
    const counts = countUnits(files, opened.shards, { ...manifest, unreadable });
    const { uses: _, ...made } = await this.fromShards({ files, opened, counts, state: snapshotState(counts) }, own);
    if (hasAllFiles(made.state)) units.remember(key, viewOf(made));
    return made;
  }

  private async ownUnits(): Promise<UnreferencedUnits> {
    const { UnreferencedUnits } = await import('./unreferenced.js');
    this.unreferenced ??= new UnreferencedUnits(this.session);
    return this.unreferenced;
  }

  /** Makes the corpus. `inMemory`: opened shards that are not published. `uses`: the files that use each name; null for a fragment. */
  private async fromShards(
    { files, opened, counts, state }: Counted,
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
  private async indexMissing({ origin, signal }: Request, state: SnapshotState): Promise<OpenShards> {
    // Imported on demand: most searches find everything indexed.
    const { indexSnapshot } = await import('../indexing/index-operation.js');
    const options = { progress: createProgress('indexing'), signal, implicit: true };
    const hasSome = state !== 'missing';
    try {
      const patience = hasSome ? { ...options, waitMs: BUSY_MS } : options;
      return await phase('index', () => indexSnapshot(this.session, origin, patience));
    } catch (error) {
      const isHindered = isSocraticodeError(error, 'LOCKED') || isSocraticodeError(error, 'DISK');
      if (!hasSome || !isHindered) throw error;
      log.print('warn', `${error.message}; answered from what there is`);
      return this.openShards();
    }
  }

  /** Returns a test whether the published shards have a file of a snapshot. It is asked often, and counts after a publication only. */
  private filesPublished(files: SnapshotFiles): () => boolean {
    let counted: string | null = null;
    let hasFiles = false;
    return () => {
      const { version } = this.openShards();
      if (version !== counted) hasFiles = countIn(files, this.openShards()).state !== 'missing';
      counted = version;
      return hasFiles;
    };
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

/** The corpora that all questions of a session share. */
export const corporaOf = onePer((session: Session) => new Corpora(session));

/** A snapshot whose corpus is looked for, with the key of its view. */
interface Request {
  origin: SnapshotOrigin;
  key: string;
  signal?: AbortSignal;
}

/** The shards that a manifest lists, open. */
interface OpenShards {
  manifest: Manifest;
  shards: LexicalShard[];
}

/** Files of a snapshot, with how many of them are indexed in some shards and how many are missing. */
interface Counted {
  files: SnapshotFiles;
  opened: OpenShards;
  counts: UnitCounts;
  state: SnapshotState;
}

function countIn(files: SnapshotFiles, opened: OpenShards): Counted {
  const counts = countUnits(files, opened.shards, opened.manifest);
  return { files, opened, counts, state: snapshotState(counts) };
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
  /** It has the files with the words of one question, and is none for another. */
  isOfWords?: true;
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
