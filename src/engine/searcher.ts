/** `search`: the read path from a query to results with text, coverage and freshness. */
import { SocraticodeError } from '../base/errors.js';
import { createProgress } from '../base/progress.js';
import { remember } from '../base/remember.js';
import { collapse } from '../search/collapse.js';
import { type Corpus, createCorpus } from '../search/corpus.js';
import { createFilter, type SearchFilter } from '../search/filter.js';
import { parseQuery } from '../search/query.js';
import { rank } from '../search/rank.js';
import type { LexicalShard } from '../shard/lexical.js';
import { createLiveSet } from '../shard/live.js';
import { loadCentrality } from './centrality-cache.js';
import type { SearchResponse } from './contract.js';
import { countUnits, indexScope, type UnitCounts } from './index-operation.js';
import type { Scope, Session } from './session.js';

export interface SearchOptions extends SearchFilter {
  query: string;
  ref?: string;
  limit?: number;
  mode?: 'hybrid' | 'lexical' | 'semantic';
  explain?: boolean;
  /** Leave the text of results out. */
  noContent?: boolean;
  signal?: AbortSignal;
}

export const MAX_LIMIT = 100;
/** How far ahead to rank, so that collapsing equal chunks still fills the page. */
const RANKED_PER_RESULT = 3;
/** In one process, the work tree is looked at again at most this often. */
const DIRTY_TTL_MS = 1_000;
const SCOPES_KEPT = 4;

interface Prepared {
  scope: Scope;
  corpus: Corpus;
  centrality: Float64Array;
  counts: UnitCounts;
}

export class Searcher {
  /** By scope key and published version; the most recent last. */
  private readonly prepared = new Map<string, Prepared>();
  private dirty: { at: number; count: Promise<number> } | null = null;
  private opened: { version: string; shards: LexicalShard[] } | null = null;

  constructor(private readonly session: Session) {}

  async search(options: SearchOptions): Promise<SearchResponse> {
    checkOptions(options);
    const dirty = this.countDirty(options.ref);
    dirty.catch(() => {});
    const { scope, corpus, centrality, counts } = await this.prepare(options.ref, options.signal);
    const query = parseQuery(options.query);
    const limit = options.limit ?? scope.config.search.limit;
    const accept = createFilter(corpus.live, options);
    const ranked = rank(corpus, centrality, query, { accept, limit: limit * RANKED_PER_RESULT });
    const results = await collapse(ranked, {
      ...options,
      live: corpus.live,
      objects: this.session.objects,
      limit,
    });
    return {
      schemaVersion: 1,
      query: options.query,
      kind: query.kind,
      mode: 'lexical',
      ref: scope.ref,
      commit: scope.commit,
      coverage: { covered: counts.files, total: counts.files + counts.missing + (counts.skipped.unreadable ?? 0) },
      dirty: await dirty,
      results,
    };
  }

  /** The snapshot's corpus; indexes first what no shard knows. */
  private async prepare(ref: string | undefined, signal?: AbortSignal): Promise<Prepared> {
    const scope = await this.session.scope(ref);
    const key = `${scope.key} ${this.session.shards.version()}`;
    const known = this.prepared.get(key);
    if (known !== undefined) return known;
    const manifest = this.session.shards.readManifest();
    let shards = this.openShards(manifest);
    let counts = countUnits(scope, shards, manifest);
    if (counts.missing > 0) {
      const indexed = await indexScope(this.session, scope, { progress: createProgress('indexing'), signal });
      shards = indexed.shards;
      counts = countUnits(scope, shards, indexed.manifest);
    }
    const live = createLiveSet(shards, scope.catalog.files, (_, unit) => unit.size <= scope.config.maxFileBytes);
    const corpus = createCorpus(live);
    const centrality = loadCentrality(this.session.shards.directory, scope.key, live);
    const prepared = { scope, corpus, centrality, counts };
    remember(this.prepared, `${scope.key} ${this.session.shards.version()}`, prepared, SCOPES_KEPT);
    return prepared;
  }

  private openShards(manifest: ReturnType<Session['shards']['readManifest']>): LexicalShard[] {
    const version = this.session.shards.version();
    if (this.opened?.version !== version) this.opened = { version, shards: this.session.shards.openShards(manifest) };
    return this.opened.shards;
  }

  /** Uncommitted files matter to answers about HEAD only. */
  private countDirty(ref: string | undefined): Promise<number> {
    if (ref !== undefined && ref !== 'HEAD') return Promise.resolve(0);
    const now = performance.now();
    if (this.dirty === null || now - this.dirty.at > DIRTY_TTL_MS) {
      this.dirty = { at: now, count: this.session.countDirty() };
    }
    return this.dirty.count;
  }
}

function checkOptions({ query, limit, mode }: SearchOptions): void {
  if (query.trim() === '') throw new SocraticodeError('EMPTY_QUERY', 'the query is empty');
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    throw new SocraticodeError('BAD_ARGUMENT', `--limit is ${limit}; it takes a whole number from 1 to ${MAX_LIMIT}`);
  }
  if (mode === 'semantic') {
    throw new SocraticodeError('BAD_ARGUMENT', 'semantic search needs vectors, which this version does not make yet', {
      hint: 'Leave --mode out, or use --mode lexical.',
    });
  }
}
