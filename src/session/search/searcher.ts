/**
 * Answers `search` and `similar` over prepared snapshots: from a query to results with text, coverage and freshness. `VectorSearch` embeds
 * queries, and `toldOf` says what became of words and conditions that have no part in the results.
 */
import { onePer, remember } from '../../base/cache.js';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { groupDigits } from '../../base/printable.js';
import { phase } from '../../base/progress.js';
import { withArtifacts } from '../../config/context-artifacts.js';
import { builtinModel } from '../../embed/builtin/index.js';
import type { Embedder } from '../../embed/provider.js';
import type { Prefix } from '../../graph/query/node-place.js';
import type { SearchResponse } from '../../questions/search/question.js';
import type { SimilarResponse } from '../../questions/similar/question.js';
import { collapse, RecentBlobs, type SearchResult, TextReader } from '../../search/collapse.js';
import { type Corpus, PATH_CLASSES } from '../../search/corpus.js';
import { type DenseQuery, DenseScorer, providerQuery, staticQuery } from '../../search/dense.js';
import { asTyped, exactTexts } from '../../search/exact.js';
import { createFilter, pathFilter, type SearchFilter } from '../../search/filter.js';
import { type LexicalScores, releaseScores, scoreCorrected, Vocabulary } from '../../search/lexical.js';
import { inEnglish, type ParsedQuery, parseQuery } from '../../search/query.js';
import { aboveShare, startRanking } from '../../search/scoring.js';
import { EXACT } from '../../search/weights.js';
import { UNPARSED } from '../../shard/lexical-format.js';
import type { LiveSet } from '../../shard/live-set.js';
import type { VectorIndex } from '../../shard/nearest.js';
import { type Attempt, FileChanged, retried } from '../retry.js';
import type { Session } from '../session.js';
import { MOST_AWAITED } from '../snapshot/coverage.js';
import { markUncommitted, type OpenTarget, type Snapshots, snapshotsOf } from '../snapshot/overlay.js';
import type { IndexedSnapshot, Snapshot } from '../snapshot/snapshot.js';
import { countNew, type Target, type TargetOptions, targetRef } from '../snapshot/target.js';
import { SpeculativeSearch } from '../speculation.js';
import { createEmbedder, isProvider, openVectors, type VectorState, vectorState } from '../vectors/vectors.js';
import type { ExternalText } from './external-text.js';

export interface SearchOptions extends Omit<SearchFilter, 'known'>, TargetOptions {
  query: string;
  limit?: number;
  mode?: 'hybrid' | 'lexical' | 'semantic';
  explain?: boolean;
  /** Share of the best score below which results are left out; default: the setting. */
  minScore?: number;
  /** Ranks without the subjects of commits. */
  noHistory?: boolean;
  /** Leaves the text of results out. */
  noContent?: boolean;
  /** Lines of context before and after each result. */
  context?: number;
  /** Lines up to which the first results are whole definitions. */
  whole?: number;
  /**
   * Answers from the files with the words of the query while thousands of files of a named ref are not indexed. A server does so for any
   * ref, since it has the others indexed in the background.
   */
  early?: boolean;
  /** Adds files from outside the repository to the snapshot. */
  extend?: (snapshot: Snapshot) => Promise<Snapshot>;
  signal?: AbortSignal;
}

export interface SimilarOptions
  extends Omit<SearchFilter, 'known'>,
    Pick<SearchOptions, 'ref' | 'committed' | 'limit' | 'noContent' | 'context' | 'signal'> {
  /** Line such as `src/a.ts:12`; absent for a snippet. */
  place?: string;
  /** Code, which need not be in any file. */
  snippet?: string;
  /** Directory that the place is relative to; default: the top. */
  prefix?: Prefix;
  /** Share of the best score below which results are left out; default: the setting. */
  minScore?: number;
}

/** Chunks ranked per result, so that a page is still full after equal chunks are merged into one result. */
const RANKED_PER_RESULT = 3;

interface RankedResults extends Pick<SearchResponse, 'kind' | 'mode'> {
  vectors: VectorState | null;
  corrections: Record<string, string[]>;
  results: SearchResult[];
  /** Lines about the query's words and conditions. */
  told: string[];
}

const MIN_WORD = 3;

/** Adds the words of the query to a target that may be answered before all of its files are read. */
function withWordsOf(target: AskedTarget): AskedTarget {
  const { terms, identifiers } = target.parsed;
  // Terms are stems: "queries" and "query" share "quer".
  const stems = terms.map((term) => term.replace(/(?<=.{3})[yi]$/, ''));
  const words = (identifiers.length > 0 ? identifiers : stems).filter((word) => word.length >= MIN_WORD);
  return { ...target, origin: { ...target.origin, words } };
}

/** Would files that have the words of a query do? A filter may leave all of them out. */
const isOfWordsAlone = ({ path, lang, kind, within, usesAt, hasTag }: SearchOptions): boolean =>
  [path, lang, kind, within, usesAt, hasTag].every((filter) => filter === undefined);

interface AskedTarget extends OpenTarget {
  /** The query as typed. */
  parsed: ParsedQuery;
}

interface SearchTarget extends AskedTarget {
  /** Null if the order does not depend on it, or is not worth the time. */
  externalText: Promise<ExternalText | null> | null;
}

export class Searcher {
  private vocabulary: { live: LiveSet; words: Vocabulary } | null = null;

  private readonly snapshots: Snapshots;
  private readonly vectors: VectorSearch;
  private readonly blobs = new RecentBlobs();

  constructor(private readonly session: Session) {
    this.snapshots = snapshotsOf(session);
    this.vectors = new VectorSearch(session);
  }

  /** Throws EMPTY_QUERY, BAD_ARGUMENT, UNKNOWN_REF and the errors of indexing. */
  async search(options: SearchOptions): Promise<SearchResponse> {
    checkQuery(options);
    return retried(this.session, targetRef(options), async (attempt) =>
      this.searchIn(await this.snapshots.open(options), options, attempt),
    );
  }

  /** Opens what searches of HEAD need, ahead of the first one, without a request to an embedding server. Throws what a search throws. */
  async warm(signal?: AbortSignal): Promise<void> {
    const target = await this.snapshots.open({});
    const { readExternalText } = await import('./external-text.js');
    const externalText = readExternalText(this.session, { signal }, target);
    externalText.catch(() => {}); // Awaited below; until then a failure would end the process.
    const snapshot = await this.snapshots.of(target, signal);
    this.vectors.warm(snapshot);
    await Promise.all([externalText, this.vocabularyOf(snapshot.corpus.live).open()]);
  }

  /** Searches the target that a question opened, and opens again if it has to. Throws `FileChanged` too, except in the last attempt. */
  async searchIn(opened: OpenTarget, options: SearchOptions, attempt: Attempt): Promise<SearchResponse> {
    checkQuery(options);
    const parsed = { ...opened, parsed: parseQuery(options.query) };
    const isNamed = options.early === true && options.ref !== undefined;
    const isServed = this.session.backgroundIndexer !== null && isOfWordsAlone(options);
    const asked = isNamed || isServed ? withWordsOf(parsed) : parsed;
    const target = { ...asked, externalText: this.startReading(options, asked) };
    const speculative = this.speculate(options, target);
    const base = await this.snapshots.of(target, options.signal);
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
    const withRefs = all && (await import('../snapshot/snapshot.js')).withRefs;
    const results = withRefs ? await Promise.all(named.map((each) => withRefs(each, all, objects))) : named;
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
      ...(found.told.length > 0 && { told: found.told }),
      results,
    };
  }

  /** Returns null for a name, which is found by definitions, and for a search by vectors, which does not score words. */
  private startReading(options: SearchOptions, target: AskedTarget): SearchTarget['externalText'] {
    if (options.mode === 'semantic' || target.parsed.kind === 'symbol') return null;
    const externalText = this.isBegun(target).then(async (isBegun) =>
      isBegun ? (await import('./external-text.js')).readExternalText(this.session, options, target) : null,
    );
    // Awaited when the words of the query are scored; until then a rejection must not count as unhandled.
    externalText.catch(() => {});
    return externalText;
  }

  /** False while a server has no file of a large tree: its first answer is about some files alone, and must not wait for all commits. */
  private async isBegun({ origin }: Target): Promise<boolean> {
    const { backgroundIndexer, shards } = this.session;
    if (backgroundIndexer === null || shards.version() !== '') return true;
    return (await this.session.filesOf(origin)).catalog.files.length <= MOST_AWAITED;
  }

  private speculate(options: SearchOptions, target: SearchTarget): SpeculativeSearch<RankedResults> {
    const { snapshots } = this;
    return new SpeculativeSearch(target.status, snapshots.asCommitted(target.origin, options.signal), {
      expectsChanges: options.extend !== undefined || snapshots.expectsChanges(target.status),
      warm: (committed) => options.mode !== 'lexical' && this.vectors.warm(committed),
      search: (committed) => this.find(options, target, committed),
    });
  }

  /**
   * Scores words, then vectors; ranks the chunks, reads the first of them once more, holds them against quoted texts, and reads the texts
   * of results. The order matters: `readBest` changes `begun` before `take`, and at the end the arrays of `lexical` go to the next query.
   */
  private async find(options: SearchOptions, target: SearchTarget, snapshot: Snapshot): Promise<RankedResults> {
    const { corpus, defaults, objects } = snapshot;
    const parsed = await inEnglish(target.parsed, (term) => isWord(corpus, term));
    const mode = options.mode ?? defaults.mode;
    const typedTexts = exactTexts(parsed);
    // A trace is full of words that code has in no such sense, or not at all: its places say where to look.
    const isTrace = typedTexts.places !== undefined;
    const isLexical = mode === 'lexical' || isTrace;
    const { commit } = snapshot.origin.resolved;
    const external = await target.externalText;
    const messages = isLexical ? undefined : external?.messages(commit, corpus.live);
    const { query, lexical, ...words } = await phase('words', () =>
      scoreCorrected(corpus, parsed, this.vocabularyOf(corpus.live), { isLexical, messages }),
    );
    const absent = isTrace ? [] : words.absent;
    const corrections = isTrace ? withWords(words.corrections) : words.corrections;
    const request = { query, lexical, signal: options.signal };
    const near = mode === 'lexical' ? null : await phase('vectors', () => this.vectors.query(snapshot, request));
    if (mode === 'semantic' && near?.fault) throw near.fault;
    const limit = options.limit ?? defaults.limit;
    // While files are missing, nobody knows what a glob would match.
    const mayBeEmpty = options.mayBeEmpty || snapshot.coverage.covered < snapshot.coverage.total;
    const named = { ...(await withNames(options)), mayBeEmpty, known: target.baseline?.blobs };
    const accept = createFilter(corpus.live, named);
    const semantic = mode === 'semantic';
    const most = Math.max(limit * RANKED_PER_RESULT, typedTexts.phrases.length > 0 ? EXACT.phrases : EXACT.ranked);
    const externalScores = external?.scores(commit, lexical);
    const ranking = { accept, limit: most, dense: near?.scorer, semantic, ...externalScores };
    const begun = phase('rank', () => startRanking(corpus, query, ranking, lexical));
    const uncommitted = new Set(snapshot.state?.files.map(({ oid }) => oid));
    const texts = new TextReader(corpus.live, this.blobs.over(objects, uncommitted));
    const textOf = (document: number) => texts.textOf(document);
    if (near?.scorer && !semantic && query.kind !== 'symbol') {
      const { readBest } = await import('../../search/rerank.js');
      const { terms, otherness } = lexical;
      await phase('rank', () => readBest(corpus.live, begun, { query, terms, otherness, textOf }));
    }
    const best = phase('rank', () => begun.take());
    // Quoted phrases that are in no result: `asTyped` adds them.
    const loose: string[] = [];
    const asWords = (phrases: readonly string[]) => void loose.push(...phrases);
    const top = begun.ranked[0]?.score;
    const exact = { ...typedTexts, accept, textOf, asWords, lexical, top, keepsDefinitions: query.kind === 'symbol' };
    const typed = await phase('rank', () => asTyped(corpus, best, exact));
    const kept = new Set(typed.map(({ document }) => document));
    const first = (accept === undefined ? best : begun.ranked).slice(0, limit);
    const told = toldOf({
      ...{ absent, loose, hasResults: typed.length > 0, isFew: typed.length < FEW },
      english: query.english,
      unparsed: unparsedFiles(corpus.live),
      synonyms: lexical.terms.map(({ term, synonyms = [] }) => [query.typed.get(term) ?? term, synonyms]),
      filters: filtersIn(options),
      filtered: first.filter(({ document, file }) => !(accept?.(document, file) ?? true)).length,
      unquoted: best.slice(0, limit).filter(({ document }) => !kept.has(document)).length,
    });
    const ranked = aboveShare(typed, options.minScore ?? defaults.minScore);
    const shown = { ...options, live: corpus.live, objects, texts, limit, showsPath: pathFilter(options) };
    const results = await phase('text', () =>
      collapse(ranked, {
        ...{ ...shown, terms: options.kind?.length ? [] : query.terms, candidates: begun.parts() },
        withBlobs: target.all !== null,
      }),
    );
    releaseScores(corpus, lexical);
    return {
      kind: query.kind,
      mode: semantic || near?.scorer ? mode : 'lexical',
      vectors: near?.report ?? null,
      corrections,
      told,
      results,
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
    const snapshot = await this.snapshots.of(await this.snapshots.open(options), options.signal);
    const { corpus, defaults, objects, origin, coverage, dirty, overlay } = snapshot;
    const { live } = corpus;
    const { asRanked, documentAt, findPlace, nearestTo, parseLocation } = await import('./similar.js');
    const location = findPlace(live, parseLocation(options.place), options.prefix);
    const document = documentAt(live, location);
    const vectors = phase('vectors', () => this.vectors.open(snapshot));
    const limit = options.limit ?? defaults.limit;
    const shown = { ...options, live, objects, showsPath: pathFilter(options) };
    const accept = createFilter(live, await withNames(options));
    const request = { count: limit * RANKED_PER_RESULT, accept, fileOf: live.fileOf };
    const near = phase('rank', () => nearestTo(vectors, document, request));
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

  /** Embeds the words of a snippet like a query's, but takes no quotes in it for marks of names. */
  private async similarToSnippet(snippet: string, options: SimilarOptions): Promise<SimilarResponse> {
    const query = snippet.replace(/["'`]/g, ' ');
    const request: SearchOptions = { ...options, query, mode: 'semantic' };
    const { ref, commit, coverage, vectors, dirty, overlay, results } = await this.search(request);
    const found = vectors ?? { covered: 0, total: 0, reason: null };
    return { schemaVersion: 1, place: null, ref, commit, coverage, vectors: found, dirty, overlay, results };
  }

  private vocabularyOf(live: LiveSet): Vocabulary {
    if (this.vocabulary?.live !== live) this.vocabulary = { live, words: new Vocabulary(live) };
    return this.vocabulary.words;
  }
}

/** The searcher that all questions of a session share: it remembers the vocabulary. */
export const searcherOf = onePer((session: Session) => new Searcher(session));

/** Corrections that are other words than the typed ones, and not just their parts. */
const withWords = (corrections: Readonly<Record<string, string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(corrections).filter(([, words]) => words.length > 0));

/** Filters of a search by their subject. */
const FILTERS: ReadonlyArray<readonly [about: string, ...keys: string[]]> = [
  ['path', 'path'],
  ['language', 'lang'],
  ['kind', 'kind'],
  ['author', 'author'],
  ['date', 'since', 'until'],
  ['class', 'is'],
  ['use', 'uses'],
  ['tag', 'tag'],
];

const filtersIn = (options: object): string[] =>
  FILTERS.flatMap(([about, ...keys]) => (keys.some((key) => Reflect.get(options, key) !== undefined) ? [about] : []));

/** Results below which it matters what filters left out. */
const FEW = 3;
/** Most words that no file has: a trace has many of them. */
const MAX_ABSENT = 5;
/** Most words whose synonyms are told, and most synonyms of each. */
const MAX_ALIKE = 3;

interface Told {
  /** The query in English, if it is in another language. */
  english?: string;
  /** Words that no file has. */
  absent: readonly string[];
  /** Words of the query, with those of the same meaning that counted along. */
  synonyms: ReadonlyArray<readonly [word: string, synonyms: readonly string[]]>;
  /** Quoted phrases that are in no result. */
  loose: readonly string[];
  hasResults: boolean;
  isFew: boolean;
  /** How many of the best results filters left out, and how many a quoted phrase did. */
  filtered: number;
  unquoted: number;
  /** Names of the filters that were given. */
  filters: readonly string[];
  /** How many files have only the words of their lines so far. */
  unparsed: number;
}

/** Files that are not parsed yet: the shard of their words has no others. */
export function unparsedFiles({ shards, files }: Pick<LiveSet, 'shards' | 'files'>): number {
  const isOfWords = shards.map((shard) => shard.meta.units > 0 && shard.unitState(0) === UNPARSED);
  return isOfWords.includes(true) ? files.shard.filter((shard) => isOfWords[shard]).length : 0;
}

/** Says what became of words and conditions of a query that have no part in the results. */
function toldOf({
  english,
  absent,
  synonyms,
  loose,
  hasResults,
  isFew,
  filters,
  filtered,
  unquoted,
  unparsed,
}: Told): string[] {
  const lines: string[] = [];
  if (unparsed > 0) lines.push(`files that are not parsed yet, so that only words find them: ${groupDigits(unparsed)}`);
  const quoted = (words: readonly string[]) => words.map((word) => `"${word}"`).join(', ');
  if (english !== undefined) lines.push(`searched in English: ${english}`);
  if (absent.length > 0) lines.push(`no file has ${quoted(absent.slice(0, MAX_ABSENT))}`);
  const alike = synonyms.filter(([, words]) => words.length > 0).slice(0, MAX_ALIKE);
  if (alike.length > 0)
    lines.push(
      `also searched for ${alike.map(([word, words]) => `${words.slice(0, MAX_ALIKE).join(', ')} ("${word}")`).join('; ')}`,
    );
  if (loose.length > 0)
    lines.push(
      `no result has ${quoted(loose)} as quoted; ${hasResults ? 'searched for the words' : 'without quotes its words are searched'}`,
    );
  else if (unquoted > 0) lines.push(`the quotes left out ${unquoted} of the best results`);
  // Nobody could leave out a filter by which a question itself confines its search.
  if (filtered > 0 && isFew && filters.length > 0)
    lines.push(`filters by ${filters.join(' and ')} left out ${filtered} of the best results`);
  return lines;
}

/** Returns whether code or documents have a term. Catalogues of translations have every word of another language. */
function isWord({ live, classes }: Corpus, term: string): boolean {
  return live.shards.some((shard, i) => {
    const index = shard.findTerm(term);
    if (index < 0) return false;
    const { documents, count } = shard.postings(index);
    for (let k = 0; k < count; k++) {
      const file = live.fileOf[live.bases[i] + documents[k]];
      if (file >= 0 && PATH_CLASSES[classes[file]] !== 'data') return true;
    }
    return false;
  });
}

function checkQuery({ query }: SearchOptions): void {
  if (query.trim() === '') throw new SocraticodeError('EMPTY_QUERY', 'the query is empty');
}

/** Turns names of languages and kinds into ids. Few questions have some, so the code is loaded here. */
async function withNames<F extends SearchFilter>(filter: F): Promise<F> {
  if (!filter.lang?.length && !filter.kind?.length) return filter;
  return (await import('../../search/typed-filters.js')).withIds(filter);
}

/** Limit on remembered embeddings of queries: agents repeat a query with other filters. */
const MAX_CACHED_QUERIES = 256;

interface VectorQuery {
  query: ParsedQuery;
  lexical: LexicalScores;
  signal?: AbortSignal;
}

interface NearQuery {
  /** Null if there are no vectors, or if the model knows no word of the query. */
  scorer: DenseScorer | null;
  report: VectorState;
  /** Reason why the query has no vector although the snapshot has some, and the built-in model could not replace them. */
  fault: SocraticodeError | null;
}

class VectorSearch {
  /** Vectors by corpus: each snapshot is opened once per process. */
  private readonly opened = new WeakMap<Corpus, VectorIndex>();
  /** Vectors of the built-in model, used next to a provider's, or in place of missing ones. */
  private readonly substitutes = new WeakMap<Corpus, VectorIndex>();
  private embedder: { settings: string; embedder: Promise<Embedder> } | null = null;
  private readonly queries = new Map<string, Float32Array>();

  constructor(private readonly session: Session) {}

  open({ corpus, settings, overlayShards }: IndexedSnapshot): VectorIndex {
    let vectors = this.opened.get(corpus);
    if (vectors === undefined) {
      vectors = openVectors(this.session, settings, corpus.live, overlayShards);
      this.opened.set(corpus, vectors);
    }
    return vectors;
  }

  /** Opens the vectors and the model before the query needs them. */
  warm(snapshot: IndexedSnapshot): void {
    if (snapshot.defaults.mode === 'lexical') return;
    try {
      builtinModel();
      this.open(snapshot);
    } catch (error) {
      // The query meets the same error and reports it.
      log.debug((error as Error).message);
    }
  }

  state({ settings }: IndexedSnapshot, vectors: VectorIndex): VectorState {
    return vectorState(settings, vectors);
  }

  /**
   * Embeds the query. If the provider fails, the built-in model replaces it and the report says so. If that model knows no word of the
   * query either, the search goes on by words alone.
   */
  async query(snapshot: IndexedSnapshot, request: VectorQuery): Promise<NearQuery> {
    const vectors = this.open(snapshot);
    const report = this.state(snapshot, vectors);
    if (vectors.covered === 0) return this.substitute(snapshot, request, report, report.reason, null);
    try {
      const query = await this.embed(snapshot, vectors, request);
      if (typeof query === 'string') return this.substitute(snapshot, request, report, query, null);
      return { scorer: query === null ? null : new DenseScorer(snapshot.corpus, query), report, fault: null };
    } catch (error) {
      if (!isSocraticodeError(error) || !error.code.startsWith('EMBEDDER_')) throw error;
      log.debug(error.message);
      return this.substitute(snapshot, request, report, `${error.message}. ${error.hint}`, error);
    }
  }

  /** Uses the built-in model's vectors instead of a provider's: they cost nothing and need no server. */
  private async substitute(
    snapshot: IndexedSnapshot,
    { lexical }: VectorQuery,
    report: VectorState,
    reason: string | null,
    fault: SocraticodeError | null,
  ): Promise<NearQuery> {
    const { corpus, settings } = snapshot;
    if (!isProvider(settings.embedder) || corpus.live.count === 0) return { scorer: null, report, fault };
    const query = this.builtinQuery(snapshot, lexical);
    if (query === null)
      return { scorer: null, report: { ...report, reason: `searched by words alone: ${reason}` }, fault };
    const { covered, total } = query.vectors;
    const said = `searched with the vectors of the built-in model: ${reason}`;
    return { scorer: new DenseScorer(corpus, query), report: { covered, total, reason: said }, fault: null };
  }

  /** Embeds the query with the built-in model although another one is set; null if it knows no word of it. */
  private builtinQuery(snapshot: IndexedSnapshot, { terms }: LexicalScores): DenseQuery | null {
    const { corpus, settings, overlayShards } = snapshot;
    let vectors = this.substitutes.get(corpus);
    if (vectors === undefined) {
      const own = { ...settings, embedder: { ...settings.embedder, name: 'builtin' as const } };
      vectors = openVectors(this.session, own, corpus.live, overlayShards);
      this.substitutes.set(corpus, vectors);
    }
    return vectors.covered === 0 ? null : staticQuery(builtinModel(), vectors, terms);
  }

  /** Returns the query as vectors; null if it has none; or the reason why the snapshot's vectors do not fit it. */
  private async embed(
    snapshot: IndexedSnapshot,
    vectors: VectorIndex,
    request: VectorQuery,
  ): Promise<DenseQuery | string | null> {
    const { settings, corpus } = snapshot;
    const { terms } = request.lexical;
    if (!isProvider(settings.embedder)) return staticQuery(builtinModel(), vectors, terms);
    const content = await this.embedText(settings, request);
    if (content.length !== vectors.dimensions)
      return `the model gives ${content.length} numbers, the vectors here have ${vectors.dimensions}; indexing again makes them anew`;
    const own = this.builtinQuery(snapshot, request.lexical);
    // Imported on demand: most searches use the built-in model.
    const { centred } = await import('../../search/dense.js');
    return providerQuery(builtinModel(), vectors, centred(content, corpus.live, vectors), { terms, own });
  }

  private async embedText(settings: IndexedSnapshot['settings'], request: VectorQuery): Promise<Float32Array> {
    const key = JSON.stringify([settings.embedder, request.query.text]);
    const name = JSON.stringify(settings.embedder);
    if (this.embedder?.settings !== name) this.embedder = { settings: name, embedder: createEmbedder(settings) };
    const vector =
      this.queries.get(key) ?? (await (await this.embedder.embedder).embedQuery(request.query.text, request.signal));
    remember(this.queries, key, vector, MAX_CACHED_QUERIES);
    return vector;
  }
}
