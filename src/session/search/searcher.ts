/** `search`: the read path from a query to results with text, coverage and freshness. */
import { SocraticodeError } from '../../base/errors.js';
import type { SearchResponse, SimilarResponse } from '../../engine/contract.js';
import { collapse, type SearchResult } from '../../search/collapse.js';
import { scoreCorrected } from '../../search/correct.js';
import { createFilter, pathFilter, type SearchFilter } from '../../search/filter.js';
import { parseQuery } from '../../search/query.js';
import { type RankedChunk, rank } from '../../search/rank.js';
import { Vocabulary } from '../../search/vocabulary.js';
import type { LiveSet } from '../../shard/live.js';
import { type Look, markUncommitted, type Searched, Uncommitted } from '../overlay/overlay.js';
import { atPresent } from '../retry.js';
import type { Session } from '../session.js';
import { withRefs } from '../snapshot/all-refs.js';
import { type Prepared, SnapshotPreparer } from '../snapshot/prepare.js';
import { countNew } from '../snapshot/range.js';
import { openTarget, type Target, type TargetOptions, targetRef, workTreeUse } from '../snapshot/target.js';
import type { VectorState } from '../vectors/vectors.js';
import { withArtifacts } from './artifacts.js';
import { asRanked, documentAt, nearestTo, parseLocation } from './similar.js';
import { VectorSearch } from './vector-search.js';

export interface SearchOptions extends Omit<SearchFilter, 'known'>, TargetOptions {
  query: string;
  limit?: number;
  mode?: 'hybrid' | 'lexical' | 'semantic';
  explain?: boolean;
  /** Share of the best score below which results are left out; default: the setting. */
  minScore?: number;
  /** Leave the text of results out. */
  noContent?: boolean;
  /** Adds to the snapshot what is searched with it: files from elsewhere. */
  extend?: (searched: Searched) => Promise<Searched>;
  signal?: AbortSignal;
}

export interface SimilarOptions
  extends Omit<SearchFilter, 'known'>,
    Pick<SearchOptions, 'ref' | 'committed' | 'limit' | 'noContent' | 'signal'> {
  /** `src/a.ts:12`. */
  place: string;
}

export const MAX_LIMIT = 100;
/** How far ahead to rank, so that collapsing equal chunks still fills the page. */
const RANKED_PER_RESULT = 3;
/** How often a search is repeated because a file changed between finding it and showing it. */
const ATTEMPTS = 3;

/** The answer of one snapshot. */
interface Found extends Pick<SearchResponse, 'kind' | 'mode'> {
  in: Prepared;
  vectors: VectorState | null;
  corrections: Record<string, string[]>;
  results: SearchResult[];
}

export class Searcher {
  private vocabulary: { live: LiveSet; words: Vocabulary } | null = null;

  private readonly vectors: VectorSearch;

  /** `uncommitted`: that of the session, if it has one. */
  constructor(
    private readonly session: Session,
    private readonly uncommitted = new Uncommitted(session, new SnapshotPreparer(session)),
  ) {
    this.vectors = new VectorSearch(session);
  }

  async search(options: SearchOptions): Promise<SearchResponse> {
    checkQuery(options);
    return this.repeat(options, (isLast) => this.trySearch(options, isLast));
  }

  /** Until an attempt gives an answer: null means that a file changed meanwhile. The last one must. */
  private repeat<T>(options: TargetOptions, attempt: (isLast: boolean) => Promise<T | null>): Promise<T> {
    return atPresent(this.session, targetRef(options), async () => {
      for (let i = 1; ; i++) {
        const answer = await attempt(i >= ATTEMPTS);
        if (answer !== null) return answer;
      }
    });
  }

  private async trySearch(options: SearchOptions, isLast: boolean): Promise<SearchResponse | null> {
    const opensVectors = options.mode !== 'lexical';
    const look = this.uncommitted.look(workTreeUse(options), (base) => opensVectors && this.vectors.warm(base));
    const target = await openTarget(this.session, options);
    const { origin, baseline, all } = target;
    const guess = options.extend === undefined ? this.guess(options, target, look) : null;
    const base = await this.uncommitted.prepare(origin, look, options.signal);
    const searched = (await options.extend?.(base)) ?? base;
    const guessed = searched.state === null ? await guess : null;
    const found = guessed?.in === searched.prepared ? guessed : await this.find(options, target, searched);
    const marked = markUncommitted(found.results, searched, isLast);
    if (marked === null) return null;
    const { objects } = searched;
    const named = withArtifacts(marked, searched.origin.artifacts);
    const results = all ? await Promise.all(named.map((each) => withRefs(each, all.branches, objects))) : named;
    const { corpus, extra } = searched.prepared;
    const { resolved } = searched.origin;
    return {
      schemaVersion: 1,
      query: options.query,
      kind: found.kind,
      mode: found.mode,
      ref: resolved.ref,
      commit: resolved.commit,
      coverage: extra.coverage,
      ...(baseline && { range: { from: baseline.commit, files: countNew(corpus.live.files, baseline) } }),
      ...(all && { branches: { searched: all.branches.length, leftOut: all.leftOut } }),
      ...(found.vectors && { vectors: found.vectors }),
      dirty: searched.dirty,
      overlay: searched.overlay,
      ...(Object.keys(found.corrections).length > 0 ? { corrections: found.corrections } : {}),
      results,
    };
  }

  /** What is found as long as git looks at the work tree; null where that is not worth it. */
  private guess(options: SearchOptions, target: Target, look: Look): Promise<Found | null> {
    const found = this.uncommitted
      .guess(target.origin, look, options.signal)
      .then((searched) => searched && this.find(options, target, searched));
    // Observed where it is used; if it is not, its failure means nothing.
    found.catch(() => {});
    return found;
  }

  private async find(options: SearchOptions, target: Target, searched: Searched): Promise<Found> {
    const { prepared, objects } = searched;
    const { corpus, extra } = prepared;
    const parsed = parseQuery(options.query);
    const { query, lexical, corrections } = await scoreCorrected(corpus, parsed, this.vocabularyOf(corpus.live));
    const mode = options.mode ?? extra.defaults.mode;
    const near =
      mode === 'lexical' ? null : await this.vectors.query(prepared, { query, lexical, signal: options.signal });
    if (mode === 'semantic' && near?.fault) throw near.fault;
    const limit = options.limit ?? extra.defaults.limit;
    const accept = createFilter(corpus.live, { ...options, known: target.baseline?.blobs });
    const semantic = mode === 'semantic';
    const ranking = { accept, limit: limit * RANKED_PER_RESULT, dense: near?.scorer, semantic };
    const ranked = aboveShare(rank(corpus, query, ranking, lexical), options.minScore ?? extra.defaults.minScore);
    const shown = { ...options, live: corpus.live, objects, limit, showsPath: pathFilter(options) };
    return {
      in: prepared,
      kind: query.kind,
      mode: semantic || near?.scorer ? mode : 'lexical',
      vectors: near?.report ?? null,
      corrections,
      results: await collapse(ranked, { ...shown, withBlobs: target.all !== null }),
    };
  }

  /** The chunks nearest to a place. Throws BAD_ARGUMENT if the snapshot has no such file or no vectors. */
  async similar(options: SimilarOptions): Promise<SimilarResponse> {
    checkLimit(options.limit);
    return this.repeat(options, (isLast) => this.trySimilar(options, isLast));
  }

  private async trySimilar(options: SimilarOptions, isLast: boolean): Promise<SimilarResponse | null> {
    const look = this.uncommitted.look(workTreeUse(options));
    const { origin } = await openTarget(this.session, options);
    const searched = await this.uncommitted.prepare(origin, look, options.signal);
    const { prepared, objects } = searched;
    const { corpus, extra } = prepared;
    const { live } = corpus;
    const location = parseLocation(options.place);
    const document = documentAt(live, location);
    const vectors = this.vectors.open(prepared);
    const limit = options.limit ?? extra.defaults.limit;
    const shown = { ...options, live, objects, showsPath: pathFilter(options) };
    const accept = createFilter(live, options);
    const near = nearestTo(vectors, document, { count: limit * RANKED_PER_RESULT, accept, fileOf: live.fileOf });
    const ranked = near.map((neighbour) => asRanked(live, neighbour.document, neighbour.score));
    const found = await Promise.all([
      collapse([asRanked(live, document, 1)], { ...shown, limit: 1, showsPath: (path) => path === location.path }),
      collapse(aboveShare(ranked, extra.defaults.minScore), { ...shown, limit }),
    ]);
    const [place, results] = found.map((each) => markUncommitted(each, searched, isLast));
    if (place === null || results === null) return null;
    if (place.length === 0) throw new SocraticodeError('BAD_ARGUMENT', `${location.path} keeps changing`);
    return {
      schemaVersion: 1,
      place: place[0],
      ref: searched.origin.resolved.ref,
      commit: searched.origin.resolved.commit,
      coverage: extra.coverage,
      vectors: this.vectors.state(prepared, vectors),
      dirty: searched.dirty,
      overlay: searched.overlay,
      results: withArtifacts(results, searched.origin.artifacts),
    };
  }

  private vocabularyOf(live: LiveSet): Vocabulary {
    if (this.vocabulary?.live !== live) this.vocabulary = { live, words: new Vocabulary(live) };
    return this.vocabulary.words;
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
