/** Snapshots made ready to be searched: from a cached view, or from the shards after indexing what they lack. */
import { createProgress } from '../../base/progress.js';
import { remember } from '../../base/remember.js';
import type { Config } from '../../config/types.js';
import { type Corpus, createCorpus } from '../../search/corpus.js';
import type { LexicalShard } from '../../shard/lexical.js';
import { createLiveSet } from '../../shard/live.js';
import type { Manifest } from '../../shard/manifest.js';
import { countUnits, coverageOf, type UnitCounts } from '../coverage.js';
import type { ScopeOrigin, Session } from '../session.js';
import { hasView, readView, stateOf, viewKey, writeView } from './view-cache.js';

const VIEWS_KEPT = 4;

/** A snapshot ready to be searched. */
export interface Prepared {
  corpus: Corpus;
  extra: ViewExtra;
  /**
   * What makes the vectors, and how they are searched. Never from a cached view: it names where text is sent, and a
   * view can arrive inside an archive.
   */
  settings: Pick<Config, 'embedder' | 'vectors'>;
  /** Shards of what is not committed, and where the large ones' vectors are kept. */
  overlay?: { directory: string; shards: ReadonlySet<LexicalShard> };
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
      return underWay.catch((error: unknown) => {
        if (signal?.aborted) throw error;
        return this.prepare(origin, signal);
      });
    }
    const preparing = this.find(origin, key, signal).finally(() => this.underWay.delete(key));
    this.underWay.set(key, preparing);
    return preparing;
  }

  private async find(origin: ScopeOrigin, key: string, signal?: AbortSignal): Promise<Prepared> {
    const known = this.recall(key) ?? (await this.readPrepared(origin, key));
    if (known === null) return this.build(origin, key, signal);
    remember(this.prepared, key, known, VIEWS_KEPT);
    return known.prepared;
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
    return { prepared: { corpus, extra, settings: (await this.session.configOfOrigin(origin)).config }, state };
  }

  private async build(origin: ScopeOrigin, key: string, signal?: AbortSignal): Promise<Prepared> {
    const scope = await this.session.scopeOf(origin);
    let { manifest, shards } = this.openShards();
    let counts = countUnits(scope, shards, manifest);
    if (counts.missing > 0) {
      // Loaded here: most searches find everything indexed.
      const { indexScope } = await import('../indexing/index-operation.js');
      ({ manifest, shards } = await indexScope(this.session, origin, {
        progress: createProgress('indexing'),
        signal,
        implicit: true,
      }));
      counts = countUnits(scope, shards, manifest);
    }
    const { maxFileBytes, search } = scope.config;
    const { live, entries } = createLiveSet(shards, scope.catalog.files, (_, unit) => unit.size <= maxFileBytes);
    const corpus = createCorpus(live, entries);
    const extra: ViewExtra = {
      coverage: coverageOf(counts),
      defaults: search,
    };
    const state = isFinal(counts) ? null : stateOf(namesOf(shards), manifest.unreadable);
    writeView(this.session.shards.directory, key, { corpus, extra, state });
    const prepared: Prepared = { corpus, extra, settings: scope.config };
    remember(this.prepared, key, { prepared, state }, VIEWS_KEPT);
    return prepared;
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
}

/** Could another shard make a view better? Not one that covers everything, nothing of it in a makeshift way. */
function isFinal({ missing, unreadableBlobs, degraded }: UnitCounts): boolean {
  return missing === 0 && unreadableBlobs === 0 && Object.keys(degraded).length === 0;
}

function referenced({ live }: Corpus): LexicalShard[] {
  return [...new Set(live.files.shard)].map((index) => live.shards[index]);
}

/** Makes the view of an indexed snapshot, if there is none, so that the next process answers at once. */
export async function warmView(session: Session, ref?: string, signal?: AbortSignal): Promise<void> {
  const origin = await session.origin(ref);
  const { shards, unreadable } = session.shards.readManifest();
  const names = shards.map(({ file }) => file);
  const state = stateOf(names, unreadable);
  if (hasView(session.shards.directory, viewKey(origin.key), { names, state })) return;
  await new SnapshotPreparer(session).prepare(origin, signal);
}
