/** Snapshots made ready to be searched: from a cached view, or from the shards after indexing what they lack. */
import { createProgress } from '../base/progress.js';
import { remember } from '../base/remember.js';
import type { Config } from '../config/types.js';
import { type Corpus, createCorpus, encodeView } from '../search/corpus.js';
import type { LexicalShard } from '../shard/lexical.js';
import { createLiveSet } from '../shard/live.js';
import type { Manifest } from '../shard/manifest.js';
import { countUnits, coverageOf } from './coverage.js';
import type { ScopeOrigin, Session } from './session.js';
import { readView, viewKey, writeView } from './view-cache.js';

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
}

/** What a cached view keeps beside the corpus. */
export interface ViewExtra {
  coverage: { covered: number; total: number };
  defaults: Config['search'];
}

export class SnapshotPreparer {
  /** By view key; the most recent last. */
  private readonly prepared = new Map<string, Prepared>();
  private opened: { version: string; manifest: Manifest; shards: LexicalShard[] } | null = null;

  constructor(private readonly session: Session) {}

  /** The snapshot's corpus; indexes first what no shard knows. */
  async prepare(origin: ScopeOrigin, signal?: AbortSignal): Promise<Prepared> {
    const { manifest, shards } = this.openShards();
    const key = viewKey(origin.key, shards, manifest.unreadable);
    const known = this.prepared.get(key) ?? (await this.readPrepared(origin, key, shards));
    if (known !== null) {
      remember(this.prepared, key, known, VIEWS_KEPT);
      return known;
    }
    return this.build(origin, signal);
  }

  private async readPrepared(
    origin: ScopeOrigin,
    key: string,
    shards: readonly LexicalShard[],
  ): Promise<Prepared | null> {
    const view = readView<ViewExtra>(this.session.shards.directory, key, shards);
    return view === null ? null : { ...view, settings: (await this.session.configOfOrigin(origin)).config };
  }

  private async build(origin: ScopeOrigin, signal?: AbortSignal): Promise<Prepared> {
    const scope = await this.session.scopeOf(origin);
    let { manifest, shards } = this.openShards();
    let counts = countUnits(scope, shards, manifest);
    if (counts.missing > 0) {
      // Loaded here: most searches find everything indexed.
      const { indexScope } = await import('./index-operation.js');
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
    const key = viewKey(origin.key, shards, manifest.unreadable);
    writeView(this.session.shards.directory, key, encodeView(corpus, extra));
    const prepared: Prepared = { corpus, extra, settings: scope.config };
    remember(this.prepared, key, prepared, VIEWS_KEPT);
    return prepared;
  }

  private openShards(): { manifest: Manifest; shards: LexicalShard[] } {
    const version = this.session.shards.version();
    if (this.opened === null || this.opened.version !== version) {
      const manifest = this.session.shards.readManifest();
      this.opened = { version, manifest, shards: this.session.shards.openShards(manifest) };
    }
    return this.opened;
  }
}
