/** `search`: the read path from a query to results with text, coverage and freshness. */
import { SocraticodeError } from '../base/errors.js';
import { createProgress } from '../base/progress.js';
import { remember } from '../base/remember.js';
import type { Config } from '../config/types.js';
import { collapse } from '../search/collapse.js';
import { type Corpus, createCorpus, encodeView } from '../search/corpus.js';
import { scoreCorrected } from '../search/correct.js';
import { createFilter, pathFilter, type SearchFilter } from '../search/filter.js';
import { parseQuery } from '../search/query.js';
import { type RankedChunk, rank } from '../search/rank.js';
import { Vocabulary } from '../search/vocabulary.js';
import type { LexicalShard } from '../shard/lexical.js';
import { createLiveSet } from '../shard/live.js';
import type { Manifest } from '../shard/manifest.js';
import type { SearchResponse, SimilarResponse } from './contract.js';
import { countUnits, coverageOf } from './coverage.js';
import type { ScopeOrigin, Session } from './session.js';
import { asRanked, documentAt, nearestTo, parseLocation } from './similar.js';
import { VectorSearch } from './vector-search.js';
import { readView, viewKey, writeView } from './view-cache.js';

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

export interface SimilarOptions extends SearchFilter, Pick<SearchOptions, 'ref' | 'limit' | 'noContent' | 'signal'> {
  /** `src/a.ts:12`. */
  place: string;
}

export const MAX_LIMIT = 100;
/** How far ahead to rank, so that collapsing equal chunks still fills the page. */
const RANKED_PER_RESULT = 3;
/** In one process, the work tree is looked at again at most this often. */
const DIRTY_TTL_MS = 1_000;
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

export class Searcher {
  /** By view key; the most recent last. */
  private readonly prepared = new Map<string, Prepared>();
  private dirty: { at: number; count: Promise<number> } | null = null;
  private opened: { version: string; manifest: Manifest; shards: LexicalShard[] } | null = null;

  private vocabulary: { shards: readonly LexicalShard[]; words: Vocabulary } | null = null;

  private readonly vectors: VectorSearch;

  constructor(private readonly session: Session) {
    this.vectors = new VectorSearch(session);
  }

  async search(options: SearchOptions): Promise<SearchResponse> {
    checkQuery(options);
    const dirty = this.countDirty(options.ref);
    dirty.catch(() => {});
    const origin = await this.session.origin(options.ref);
    const prepared = await this.prepare(origin, options.signal);
    const { corpus, extra } = prepared;
    const parsed = parseQuery(options.query);
    const { query, lexical, corrections } = await scoreCorrected(corpus, parsed, this.vocabularyOf(corpus.live.shards));
    const mode = options.mode ?? extra.defaults.mode;
    const near =
      mode === 'lexical' ? null : await this.vectors.query(prepared, { query, lexical, signal: options.signal });
    if (mode === 'semantic' && near?.fault) throw near.fault;
    const limit = options.limit ?? extra.defaults.limit;
    const accept = createFilter(corpus.live, options);
    const semantic = mode === 'semantic';
    const ranking = { accept, limit: limit * RANKED_PER_RESULT, dense: near?.scorer, semantic };
    const ranked = rank(corpus, query, ranking, lexical);
    const results = await collapse(aboveShare(ranked, extra.defaults.minScore), {
      ...options,
      live: corpus.live,
      objects: this.session.objects,
      limit,
      showsPath: pathFilter(options),
    });
    return {
      schemaVersion: 1,
      query: options.query,
      kind: query.kind,
      mode: semantic || near?.scorer ? mode : 'lexical',
      ref: origin.resolved.ref,
      commit: origin.resolved.commit,
      coverage: extra.coverage,
      ...(near === null ? {} : { vectors: near.report }),
      dirty: await dirty,
      ...(Object.keys(corrections).length > 0 ? { corrections } : {}),
      results,
    };
  }

  /** The chunks nearest to a place. Throws BAD_ARGUMENT if the snapshot has no such file or no vectors. */
  async similar(options: SimilarOptions): Promise<SimilarResponse> {
    checkLimit(options.limit);
    const dirty = this.countDirty(options.ref);
    dirty.catch(() => {});
    const origin = await this.session.origin(options.ref);
    const prepared = await this.prepare(origin, options.signal);
    const { corpus, extra } = prepared;
    const { live } = corpus;
    const location = parseLocation(options.place);
    const document = documentAt(live, location);
    const vectors = this.vectors.open(prepared);
    const limit = options.limit ?? extra.defaults.limit;
    const shown = { ...options, live, objects: this.session.objects, showsPath: pathFilter(options) };
    const accept = createFilter(live, options);
    const near = nearestTo(vectors, document, { count: limit * RANKED_PER_RESULT, accept, fileOf: live.fileOf });
    const ranked = near.map((neighbour) => asRanked(live, neighbour.document, neighbour.score));
    const [[place], results] = await Promise.all([
      collapse([asRanked(live, document, 1)], { ...shown, limit: 1, showsPath: (path) => path === location.path }),
      collapse(aboveShare(ranked, extra.defaults.minScore), { ...shown, limit }),
    ]);
    return {
      schemaVersion: 1,
      place,
      ref: origin.resolved.ref,
      commit: origin.resolved.commit,
      coverage: extra.coverage,
      vectors: this.vectors.state(prepared, vectors),
      dirty: await dirty,
      results,
    };
  }

  private vocabularyOf(shards: readonly LexicalShard[]): Vocabulary {
    if (this.vocabulary?.shards !== shards) this.vocabulary = { shards, words: new Vocabulary(shards) };
    return this.vocabulary.words;
  }

  /** The snapshot's corpus; indexes first what no shard knows. */
  private async prepare(origin: ScopeOrigin, signal?: AbortSignal): Promise<Prepared> {
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

function checkQuery({ query, limit }: SearchOptions): void {
  if (query.trim() === '') throw new SocraticodeError('EMPTY_QUERY', 'the query is empty');
  checkLimit(limit);
}

function checkLimit(limit: number | undefined): void {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    throw new SocraticodeError('BAD_ARGUMENT', `--limit is ${limit}; it takes a whole number from 1 to ${MAX_LIMIT}`);
  }
}

/** Scores mean nothing by themselves: `minScore` is a share of the best one. */
function aboveShare(ranked: RankedChunk[], minScore: number): RankedChunk[] {
  const least = (ranked[0]?.score ?? 0) * minScore;
  return minScore > 0 ? ranked.filter(({ score }) => score >= least) : ranked;
}
