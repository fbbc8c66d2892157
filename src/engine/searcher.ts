/** `search`: the read path from a query to results with text, coverage and freshness. */
import { SocraticodeError } from '../base/errors.js';
import { collapse } from '../search/collapse.js';
import { scoreCorrected } from '../search/correct.js';
import { createFilter, pathFilter, type SearchFilter } from '../search/filter.js';
import { parseQuery } from '../search/query.js';
import { type RankedChunk, rank } from '../search/rank.js';
import { Vocabulary } from '../search/vocabulary.js';
import type { LexicalShard } from '../shard/lexical.js';
import { withRefs } from './all-refs.js';
import type { SearchResponse, SimilarResponse } from './contract.js';
import { SnapshotPreparer } from './prepare.js';
import { countNew } from './range.js';
import type { Session } from './session.js';
import { asRanked, documentAt, nearestTo, parseLocation } from './similar.js';
import { openTarget, type TargetOptions, targetRef } from './target.js';
import { VectorSearch } from './vector-search.js';

export interface SearchOptions extends Omit<SearchFilter, 'known'>, TargetOptions {
  query: string;
  limit?: number;
  mode?: 'hybrid' | 'lexical' | 'semantic';
  explain?: boolean;
  /** Leave the text of results out. */
  noContent?: boolean;
  signal?: AbortSignal;
}

export interface SimilarOptions
  extends Omit<SearchFilter, 'known'>,
    Pick<SearchOptions, 'ref' | 'limit' | 'noContent' | 'signal'> {
  /** `src/a.ts:12`. */
  place: string;
}

export const MAX_LIMIT = 100;
/** How far ahead to rank, so that collapsing equal chunks still fills the page. */
const RANKED_PER_RESULT = 3;
/** In one process, the work tree is looked at again at most this often. */
const DIRTY_TTL_MS = 1_000;
export class Searcher {
  private readonly snapshots: SnapshotPreparer;
  private dirty: { at: number; count: Promise<number> } | null = null;
  private vocabulary: { shards: readonly LexicalShard[]; words: Vocabulary } | null = null;

  private readonly vectors: VectorSearch;

  constructor(private readonly session: Session) {
    this.snapshots = new SnapshotPreparer(session);
    this.vectors = new VectorSearch(session);
  }

  async search(options: SearchOptions): Promise<SearchResponse> {
    checkQuery(options);
    const ref = targetRef(options);
    const dirty = options.allRefs ? Promise.resolve(0) : this.countDirty(ref);
    dirty.catch(() => {});
    const { origin, baseline, all } = await openTarget(this.session, options);
    const prepared = await this.snapshots.prepare(origin, options.signal);
    const { corpus, extra } = prepared;
    const parsed = parseQuery(options.query);
    const { query, lexical, corrections } = await scoreCorrected(corpus, parsed, this.vocabularyOf(corpus.live.shards));
    const mode = options.mode ?? extra.defaults.mode;
    const near =
      mode === 'lexical' ? null : await this.vectors.query(prepared, { query, lexical, signal: options.signal });
    if (mode === 'semantic' && near?.fault) throw near.fault;
    const limit = options.limit ?? extra.defaults.limit;
    const accept = createFilter(corpus.live, { ...options, known: baseline?.blobs });
    const semantic = mode === 'semantic';
    const ranking = { accept, limit: limit * RANKED_PER_RESULT, dense: near?.scorer, semantic };
    const ranked = rank(corpus, query, ranking, lexical);
    const { objects } = this.session;
    const shown = { ...options, live: corpus.live, objects, limit, showsPath: pathFilter(options) };
    const found = await collapse(aboveShare(ranked, extra.defaults.minScore), { ...shown, withBlobs: all !== null });
    const results = all ? await Promise.all(found.map((each) => withRefs(each, all.branches, objects))) : found;
    return {
      schemaVersion: 1,
      query: options.query,
      kind: query.kind,
      mode: semantic || near?.scorer ? mode : 'lexical',
      ref: origin.resolved.ref,
      commit: origin.resolved.commit,
      coverage: extra.coverage,
      ...(baseline && { range: { from: baseline.commit, files: countNew(corpus.live.files, baseline) } }),
      ...(all && { branches: { searched: all.branches.length, leftOut: all.leftOut } }),
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
    const prepared = await this.snapshots.prepare(origin, options.signal);
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
