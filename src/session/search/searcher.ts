/** Answers `search` and `similar` over prepared snapshots: from a query to results with text, coverage and freshness. */
import { SocraticodeError } from '../../base/errors.js';
import { phase } from '../../base/phases.js';
import { withArtifacts } from '../../config/context-artifacts.js';
import type { Prefix } from '../../graph/query/paths.js';
import type { SearchResponse } from '../../questions/search/output.js';
import type { SimilarResponse } from '../../questions/similar/output.js';
import { collapse, type SearchResult, TextReader } from '../../search/collapse.js';
import { scoreCorrected } from '../../search/correct.js';
import { asTyped, exactTexts } from '../../search/exact.js';
import { createFilter, pathFilter, type SearchFilter } from '../../search/filter.js';
import { inEnglish, parseQuery } from '../../search/query.js';
import { aboveShare, startRanking } from '../../search/rank.js';
import { Vocabulary } from '../../search/vocabulary.js';
import { EXACT } from '../../search/weights.js';
import type { LiveSet } from '../../shard/live.js';
import { markUncommitted, OverlayPreparer, type WorkTreeStatus } from '../overlay/prepare.js';
import { type Attempt, FileChanged, retried } from '../retry.js';
import type { Session } from '../session.js';
import { SnapshotPreparer } from '../snapshot/prepare.js';
import { countNew } from '../snapshot/range.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { openTarget, type Target, type TargetOptions, targetRef, workTreeUse } from '../snapshot/target.js';
import { SpeculativeSearch } from '../speculation.js';
import type { VectorState } from '../vectors/vectors.js';
import type { ToldOfFiles } from './told-of-files.js';
import { VectorSearch } from './vector-search.js';

export interface SearchOptions extends Omit<SearchFilter, 'known'>, TargetOptions {
  query: string;
  limit?: number;
  mode?: 'hybrid' | 'lexical' | 'semantic';
  explain?: boolean;
  /** Share of the best score below which results are left out; default: the setting. */
  minScore?: number;
  /** Leaves out of the order what subjects of commits say of files. */
  noHistory?: boolean;
  /** Leaves the text of results out. */
  noContent?: boolean;
  /** Lines added before and after the text of each result. */
  context?: number;
  /** Adds files from outside the repository to the snapshot. */
  extend?: (snapshot: Snapshot) => Promise<Snapshot>;
  signal?: AbortSignal;
}

export interface SimilarOptions
  extends Omit<SearchFilter, 'known'>,
    Pick<SearchOptions, 'ref' | 'committed' | 'limit' | 'noContent' | 'context' | 'signal'> {
  /** `src/a.ts:12`; absent for a snippet. */
  place?: string;
  /** Code of any file or none. */
  snippet?: string;
  /** Directory that the place is relative to; default: the top. */
  prefix?: Prefix;
  /** Share of the best score below which results are left out; default: the setting. */
  minScore?: number;
}

/** Chunks ranked per result, so that a page is still full after equal chunks have become one result. */
const RANKED_PER_RESULT = 3;

/** Results of a query over one snapshot. */
interface RankedResults extends Pick<SearchResponse, 'kind' | 'mode'> {
  vectors: VectorState | null;
  corrections: Record<string, string[]>;
  results: SearchResult[];
}

interface AskedTarget extends Target {
  /** Null where the order does not depend on it. */
  told: Promise<ToldOfFiles> | null;
}

export class Searcher {
  private vocabulary: { live: LiveSet; words: Vocabulary } | null = null;

  private readonly vectors: VectorSearch;

  /** `overlays`: the session's own, if it has one. */
  constructor(
    private readonly session: Session,
    private readonly overlays = new OverlayPreparer(session, new SnapshotPreparer(session)),
  ) {
    this.vectors = new VectorSearch(session);
  }

  /** Throws EMPTY_QUERY, BAD_ARGUMENT, UNKNOWN_REF and the errors of indexing. */
  async search(options: SearchOptions): Promise<SearchResponse> {
    checkQuery(options);
    return retried(this.session, targetRef(options), (attempt) => this.searchOnce(options, attempt));
  }

  /** Opens what searches of HEAD need, ahead of the first one, and asks no embedding server. Throws what a search throws. */
  async warm(signal?: AbortSignal): Promise<void> {
    const target = await openTarget(this.session, {});
    const { readTold } = await import('./told-of-files.js');
    const told = readTold(this.session, { signal }, target);
    told.catch(() => {}); // Awaited below; until then a failure would end the process.
    const snapshot = await this.overlays.prepare(target.origin, this.overlays.startStatus(workTreeUse({})), signal);
    this.vectors.warm(snapshot);
    await Promise.all([told, this.vocabularyOf(snapshot.corpus.live).open()]);
  }

  /** One attempt of `search`, for questions that retry by themselves. Also throws `FileChanged`, except in the last attempt. */
  async searchOnce(options: SearchOptions, attempt: Attempt): Promise<SearchResponse> {
    checkQuery(options);
    const status = this.overlays.startStatus(workTreeUse(options));
    const opened = await openTarget(this.session, options);
    const target = { ...opened, told: this.startReading(options, opened) };
    const speculative = this.speculate(options, target, status);
    const base = await this.overlays.prepare(target.origin, status, options.signal);
    const snapshot = (await options.extend?.(base)) ?? base;
    const found = (await speculative.resultFor(snapshot)) ?? (await this.find(options, target, snapshot));
    const marked = markUncommitted(found.results, snapshot, attempt.isLast);
    if (marked === null) throw new FileChanged();
    return this.respond(options, { target, snapshot, found, marked });
  }

  private async respond(
    options: SearchOptions,
    {
      target: { baseline, all },
      snapshot,
      found,
      marked,
    }: { target: Target; snapshot: Snapshot; found: RankedResults; marked: SearchResult[] },
  ): Promise<SearchResponse> {
    const { objects, corpus, coverage, origin, dirty, overlay } = snapshot;
    const named = withArtifacts(marked, origin.artifacts);
    const withRefs = all && (await import('../snapshot/all-refs.js')).withRefs;
    const results = withRefs ? await Promise.all(named.map((each) => withRefs(each, all.branches, objects))) : named;
    return {
      schemaVersion: 1,
      query: options.query,
      kind: found.kind,
      mode: found.mode,
      ref: origin.resolved.ref,
      commit: origin.resolved.commit,
      coverage,
      ...(baseline && { range: { from: baseline.commit, files: countNew(corpus.live.files, baseline) } }),
      ...(all && { branches: { searched: all.branches.length, leftOut: all.leftOut } }),
      ...(found.vectors && { vectors: found.vectors }),
      dirty,
      overlay,
      ...(Object.keys(found.corrections).length > 0 ? { corrections: found.corrections } : {}),
      results,
    };
  }

  /** A name is found by what code defines, and vectors know no words: then nothing is read. */
  private startReading(options: SearchOptions, target: Target): AskedTarget['told'] {
    if (options.mode === 'semantic' || parseQuery(options.query).kind === 'symbol') return null;
    const told = import('./told-of-files.js').then((module) => module.readTold(this.session, options, target));
    // Awaited when the words of the query are scored; until then a rejection must not count as unhandled.
    told.catch(() => {});
    return told;
  }

  private speculate(
    options: SearchOptions,
    target: AskedTarget,
    status: WorkTreeStatus,
  ): SpeculativeSearch<RankedResults> {
    return new SpeculativeSearch(status, this.overlays.prepareCommitted(target.origin, options.signal), {
      expectsChanges: options.extend !== undefined || this.overlays.expectsChanges(status),
      warm: (committed) => options.mode !== 'lexical' && this.vectors.warm(committed),
      search: (committed) => this.find(options, target, committed),
    });
  }

  private async find(options: SearchOptions, target: AskedTarget, snapshot: Snapshot): Promise<RankedResults> {
    const { corpus, defaults, objects } = snapshot;
    const { shards } = corpus.live;
    const parsed = await inEnglish(parseQuery(options.query), (term) =>
      shards.some((shard) => shard.findTerm(term) >= 0),
    );
    const { query, lexical, corrections } = await phase('words', () =>
      scoreCorrected(corpus, parsed, this.vocabularyOf(corpus.live)),
    );
    const mode = options.mode ?? defaults.mode;
    const asked = { query, lexical, signal: options.signal };
    const near = mode === 'lexical' ? null : await phase('vectors', () => this.vectors.query(snapshot, asked));
    if (mode === 'semantic' && near?.fault) throw near.fault;
    const limit = options.limit ?? defaults.limit;
    // While files are missing, nobody knows what a glob would match.
    const mayBeEmpty = options.mayBeEmpty || snapshot.coverage.covered < snapshot.coverage.total;
    const named = { ...(await withNames(options)), mayBeEmpty, known: target.baseline?.blobs };
    const accept = createFilter(corpus.live, named);
    const semantic = mode === 'semantic';
    const typedTexts = exactTexts(query);
    const most = Math.max(limit * RANKED_PER_RESULT, typedTexts.phrases.length > 0 ? EXACT.phrases : EXACT.ranked);
    const told = (await target.told)?.(snapshot.origin.resolved.commit, lexical);
    const ranking = { accept, limit: most, dense: near?.scorer, semantic, ...told };
    const begun = phase('rank', () => startRanking(corpus, query, ranking, lexical));
    const texts = new TextReader(corpus.live, objects);
    const textOf = (document: number) => texts.textOf(document);
    if (near?.scorer && !semantic && query.kind !== 'symbol') {
      const { readBest } = await import('../../search/read-best.js');
      await phase('rank', () => readBest(corpus.live, begun, { query, terms: lexical.terms, textOf }));
    }
    const best = phase('rank', () => begun.take());
    const exact = { ...typedTexts, accept, textOf, keepsDefinitions: query.kind === 'symbol' };
    const typed = await phase('rank', () => asTyped(corpus, best, exact));
    const ranked = aboveShare(typed, options.minScore ?? defaults.minScore);
    const shown = { ...options, live: corpus.live, objects, limit, showsPath: pathFilter(options) };
    return {
      kind: query.kind,
      mode: semantic || near?.scorer ? mode : 'lexical',
      vectors: near?.report ?? null,
      corrections,
      results: await phase('text', () =>
        collapse(ranked, {
          ...{ ...shown, terms: options.kind?.length ? [] : query.terms, candidates: begun.parts() },
          withBlobs: target.all !== null,
        }),
      ),
    };
  }

  /** Returns the chunks nearest to a place. Throws BAD_ARGUMENT if the snapshot has no such file or no vectors. */
  async similar(options: SimilarOptions): Promise<SimilarResponse> {
    const { place, snippet } = options;
    if (place === undefined) return this.similarToSnippet(snippet ?? '', options);
    return retried(this.session, targetRef(options), (attempt) => this.similarOnce({ ...options, place }, attempt));
  }

  private async similarOnce(
    options: SimilarOptions & { place: string },
    { isLast }: Attempt,
  ): Promise<SimilarResponse> {
    const status = this.overlays.startStatus(workTreeUse(options));
    const target = await openTarget(this.session, options);
    const snapshot = await this.overlays.prepare(target.origin, status, options.signal);
    const { corpus, defaults, objects, origin, coverage, dirty, overlay } = snapshot;
    const { live } = corpus;
    const { asRanked, documentAt, findPlace, nearestTo, parseLocation } = await import('./similar.js');
    const location = findPlace(live, parseLocation(options.place), options.prefix);
    const document = documentAt(live, location);
    const vectors = phase('vectors', () => this.vectors.open(snapshot));
    const limit = options.limit ?? defaults.limit;
    const shown = { ...options, live, objects, showsPath: pathFilter(options) };
    const accept = createFilter(live, await withNames(options));
    const asked = { count: limit * RANKED_PER_RESULT, accept, fileOf: live.fileOf };
    const near = phase('rank', () => nearestTo(vectors, document, asked));
    const ranked = near.map((neighbour) => asRanked(live, neighbour.document, neighbour.score));
    const found = await phase('text', () =>
      Promise.all([
        collapse([asRanked(live, document, 1)], { ...shown, limit: 1, showsPath: (path) => path === location.path }),
        collapse(aboveShare(ranked, options.minScore ?? defaults.minScore), { ...shown, limit }),
      ]),
    );
    const [place, results] = found.map((each) => markUncommitted(each, snapshot, isLast));
    if (place === null || results === null) throw new FileChanged();
    if (place.length === 0) throw new SocraticodeError('BAD_ARGUMENT', `${location.path} keeps changing`);
    return {
      schemaVersion: 1,
      place: place[0],
      ref: origin.resolved.ref,
      commit: origin.resolved.commit,
      coverage,
      vectors: this.vectors.state(snapshot, vectors),
      dirty,
      overlay,
      results: withArtifacts(results, origin.artifacts),
    };
  }

  /** The words of a snippet are embedded like those of a query; its quotes are no marks of names. */
  private async similarToSnippet(snippet: string, options: SimilarOptions): Promise<SimilarResponse> {
    const query = snippet.replace(/["'`]/g, ' ');
    const asked: SearchOptions = { ...options, query, mode: 'semantic' };
    const { ref, commit, coverage, vectors, dirty, overlay, results } = await this.search(asked);
    const found = vectors ?? { covered: 0, total: 0, reason: null };
    return { schemaVersion: 1, place: null, ref, commit, coverage, vectors: found, dirty, overlay, results };
  }

  private vocabularyOf(live: LiveSet): Vocabulary {
    if (this.vocabulary?.live !== live) this.vocabulary = { live, words: new Vocabulary(live) };
    return this.vocabulary.words;
  }
}

function checkQuery({ query }: SearchOptions): void {
  if (query.trim() === '') throw new SocraticodeError('EMPTY_QUERY', 'the query is empty');
}

/** Turns names of languages and kinds into ids; loaded here, because few questions have some. */
async function withNames<F extends SearchFilter>(filter: F): Promise<F> {
  if (!filter.lang?.length && !filter.kind?.length) return filter;
  return (await import('../../search/filter-names.js')).withIds(filter);
}
