/** Searches the published views: the engine proposes units, and the ranking of local searches orders their chunks. */
import { builtinVectors, giveBack, unitCorpus } from '../corpus.js';
import {
  aboveShare,
  asTyped,
  builtinModel,
  type Corpus,
  collapse,
  createFilter,
  type DenseQuery,
  DenseScorer,
  EXACT,
  exactTexts,
  type FleetQuery,
  type FleetSearchDocument,
  inEnglish,
  type LexicalScores,
  locate,
  PATH_CLASSES,
  type ParsedQuery,
  parseQuery,
  pathFilter,
  providerQuery,
  readBest,
  type SearchResult,
  SocraticodeError,
  scoreBm25f,
  startRanking,
  staticQuery,
  type TermMatch,
  withIds,
  without,
} from '../internal.js';
import { definedAs, type OpenedUnit } from '../unit.js';
import { distinct, type LiveUnit, liveCandidates } from './candidates.js';
import { pathsOf } from './files.js';
import { LOOKED_AT, namedViews, raiseNamed } from './named.js';
import { type Reader, type Scope, scopeOf } from './scope.js';
import type { Statistics } from './statistics.js';
import { dateOf, type FleetStore } from './store.js';
import type { FleetUnits } from './units.js';
import type { LiveView } from './views.js';

export const DEFAULT_LIMIT = 10;
/** Ranked chunks per result, so that a page is still full after equal chunks are merged. */
const RANKED_PER_RESULT = 3;
/** Chunks per result whose texts are read ahead, since calls in texts reorder the first ones. */
const AHEAD_PER_RESULT = 2;

/** Throws EMPTY_QUERY, BAD_ARGUMENT, UNKNOWN_REF and FLEET_STORE. */
export async function searchFleet(
  store: FleetStore,
  typed: FleetQuery,
  reader: Reader,
  signal?: AbortSignal,
): Promise<FleetSearchDocument> {
  const request = withIds(typed);
  if (request.query.trim() === '') throw new SocraticodeError('EMPTY_QUERY', 'the query is empty');
  const scope = scopeOf(await store.views.fresh(), reader, request);
  const statistics = await store.statistics.of(scope.views);
  const query = await inEnglish(parseQuery(request.query), (term) => (statistics.df(term) ?? 0) > 0);
  const matches = knownTerms(query, statistics);
  const mode = request.mode ?? 'hybrid';
  const dense = mode === 'lexical' ? null : await denseOf(store, { query, matches, views: scope.views, signal });
  signal?.throwIfAborted();
  const named = namedViews(request.query, scope.views, statistics);
  const proposed = { terms: mode === 'semantic' ? [] : proposedBy(query, matches), vector: dense?.place ?? null };
  const [all, own] = await Promise.all(
    [scope.views, named].map((views, i) =>
      liveCandidates(store.engine, proposed, { views, isWhole: i === 0 && scope.isAll, accepts: fileFilter(request) }),
    ),
  );
  const found = distinct([...all, ...own]);
  signal?.throwIfAborted();
  const results = await ranked(store, request, { query, statistics, matches, dense, found, named: new Set(named) });
  return documentOf(request, { query, mode: dense === null ? 'lexical' : mode, scope, results });
}

/** Terms of the query, and those of its phrasal verbs that the views have. */
function knownTerms({ terms, phrasal }: ParsedQuery, statistics: Statistics): TermMatch[] {
  const further = phrasal.filter((term) => !terms.includes(term) && (statistics.df(term) ?? 0) > 0);
  return [...terms, ...further].map((term) => {
    const df = statistics.df(term) ?? 0;
    return { term, df, idf: Math.log(1 + (Math.max(df, statistics.count) - df + 0.5) / (df + 0.5)) };
  });
}

/** Terms that propose units. A query that is a single name also proposes units that define it. */
const proposedBy = ({ kind }: ParsedQuery, matches: readonly TermMatch[]): string[] =>
  matches.flatMap(({ term }) => (kind === 'symbol' ? [term, definedAs(term)] : [term]));

interface DenseRequest {
  query: ParsedQuery;
  matches: readonly TermMatch[];
  views: readonly LiveView[];
  signal?: AbortSignal;
}

/** The query as vectors, before there are chunks to compare; null if the model knows none of its words. */
async function denseOf(store: FleetStore, { query, matches, views, signal }: DenseRequest): Promise<DenseQuery | null> {
  const { content, dimensions } = store.engine.profile;
  const { vectors } = unitCorpus([], { averages: { body: 1, name: 1, enclosing: 1, path: 1 } });
  if (content === dimensions) return staticQuery(builtinModel(), vectors, matches);
  const embedded = await store.embed?.(query.text, signal);
  if (embedded?.length !== content) return null;
  const question = without(embedded, await store.centres.of(views));
  return providerQuery(builtinModel(), vectors, question, { terms: matches });
}

/** Leaves files out before their payloads are read. */
function fileFilter({ path, lang }: FleetQuery): (view: LiveView, file: number) => boolean {
  const showsPath = path?.length ? pathFilter({ path }) : null;
  const languages = lang?.length ? new Set(lang) : null;
  return ({ facts }, file) =>
    (languages === null || languages.has(facts.languages[facts.language[file]])) &&
    (showsPath === null || pathsOf(facts, file).some(showsPath));
}

interface RankInput extends Pick<DenseRequest, 'query' | 'matches'> {
  statistics: Statistics;
  dense: DenseQuery | null;
  found: readonly LiveUnit[];
  /** Views of repositories that the question names. */
  named: ReadonlySet<LiveView>;
}

async function ranked(store: FleetStore, request: FleetQuery, of: RankInput): Promise<FleetResult[]> {
  const { statistics } = of;
  const opened = await store.units.open([...new Set(of.found.map(({ key }) => key))]);
  // A unit is gone if its views moved on and maintenance collected it.
  const placed = of.found.flatMap((unit) => {
    const own = opened.get(unit.key);
    return own === undefined ? [] : [{ ...unit, own }];
  });
  // Without units there are no vectors, and so no length that the query could fit.
  if (placed.length === 0) return [];
  const made = unitCorpus(
    placed.map(({ own, view: { facts }, file }) => ({
      ...own,
      paths: pathsOf(facts, file),
      pathClass: PATH_CLASSES[facts.classes[file]],
      centrality: facts.centrality[file],
    })),
    statistics,
  );
  try {
    return await rankedIn(made, placed, { store, request, of });
  } finally {
    giveBack(made.vectors);
  }
}

interface Placed extends LiveUnit {
  own: OpenedUnit;
}

/** Ranks the chunks of a corpus of placed units. */
async function rankedIn(
  { corpus, vectors }: ReturnType<typeof unitCorpus>,
  placed: readonly Placed[],
  { store, request, of }: { store: FleetStore; request: FleetQuery; of: RankInput },
): Promise<FleetResult[]> {
  const { query, statistics, matches, dense } = of;
  const keyOf = (file: number) => placed[file].key;
  const terms = matches.map(({ term }) => term);
  const lexical: LexicalScores = scoreBm25f(corpus, terms, statistics);
  const scorer =
    dense === null ? null : new DenseScorer(corpus, { ...dense, vectors, own: ownOf(dense, corpus, matches) });
  const limit = request.limit ?? DEFAULT_LIMIT;
  const accept = createFilter(corpus.live, { kind: request.kind, mayBeEmpty: true });
  const texts = exactTexts(query);
  const most = Math.max(limit * RANKED_PER_RESULT, texts.phrases.length > 0 ? EXACT.phrases : EXACT.ranked);
  const semantic = request.mode === 'semantic';
  const looked = of.named.size > 0 ? Math.max(most, LOOKED_AT) : most;
  const begun = startRanking(corpus, query, { accept, limit: looked, dense: scorer, semantic }, lexical);
  const ahead = (documents: readonly number[]) =>
    store.units.readTexts([...new Set(documents.map((document) => keyOf(corpus.live.fileOf[document])))]);
  const textOf = async (document: number) => {
    const bytes = await store.units.text(keyOf(corpus.live.fileOf[document]));
    const { shard, local } = locate(corpus.live, document);
    return bytes?.subarray(shard.columns.start[local], shard.columns.end[local]).toString('utf8') ?? '';
  };
  // Reads the texts of the whole page now, so that showing it needs no further request.
  if (scorer !== null && !semantic && query.kind !== 'symbol')
    await readBest(corpus.live, begun, {
      ...{ query, terms: lexical.terms, textOf },
      ahead: (documents) =>
        ahead([...documents, ...begun.ranked.slice(0, limit * AHEAD_PER_RESULT).map(({ document }) => document)]),
    });
  const best = raiseNamed(begun.take(), (file) => of.named.has(placed[file].view)).slice(0, most);
  const typed = await asTyped(corpus, best, {
    ...{ ...texts, accept, textOf, ahead },
    keepsDefinitions: query.kind === 'symbol',
  });
  const above = aboveShare(typed, request.minScore ?? 0);
  await ahead(above.slice(0, limit).map(({ document }) => document));
  const results = await collapse(above, {
    ...{ live: corpus.live, limit, showsPath: pathFilter(request), terms: request.kind?.length ? [] : query.terms },
    ...{ explain: request.explain, noContent: request.noContent, context: request.context },
    objects: objectsOf(store.units, new Map(placed.map(({ key }, file) => [corpus.live.files.oid(file), key]))),
    about: (file) => aboutOf(placed[file].view),
  });
  return results.map((result) =>
    finished(
      result,
      placed.map(({ view }) => view),
    ),
  );
}

/**
 * The query for the built-in model, which knows the rare words that a provider's model does not; its vectors are made from the
 * words of the candidates.
 */
function ownOf({ rare }: DenseQuery, corpus: Corpus, matches: readonly TermMatch[]): DenseQuery | null {
  return rare === null ? staticQuery(builtinModel(), builtinVectors(corpus), matches) : null;
}

const aboutOf = ({ repo, ref, commit }: LiveView) => ({ repo, ref, commit });

/** Reads blobs by their ids for `collapse`, from units alone that the reader may see. */
function objectsOf(units: FleetUnits, keys: ReadonlyMap<string, string>): Parameters<typeof collapse>[1]['objects'] {
  return {
    async read(oid) {
      const content = await units.text(keys.get(oid) as string);
      return content === null ? null : { oid, type: 'blob', content };
    },
  };
}

type FleetResult = FleetSearchDocument['results'][number];

/** A result with the age and the coverage of its view. */
function finished(result: SearchResult, views: readonly LiveView[]): FleetResult {
  const view = views.find(({ repo, ref }) => repo === result.repo && ref === result.ref) as LiveView;
  const { covered, total } = view;
  const { places, ...rest } = result;
  return {
    ...{ ...rest, ...aboutOf(view), publishedAt: dateOf(view), coverage: { covered, total } },
    // Every place has the label that `about` gave it.
    ...(places !== undefined && { places: places as FleetResult['places'] }),
  };
}

function documentOf(
  request: FleetQuery,
  { query, mode, scope, results }: { query: ParsedQuery; mode: string; scope: Scope; results: FleetResult[] },
): FleetSearchDocument {
  const sum = (name: 'covered' | 'total') => scope.views.reduce((all, view) => all + view[name], 0);
  return {
    schemaVersion: 1,
    query: request.query,
    kind: query.kind,
    mode: mode as FleetSearchDocument['mode'],
    fleet: { searched: scope.views.length, withoutRef: scope.withoutRef, damaged: scope.damaged },
    coverage: { covered: sum('covered'), total: sum('total') },
    results,
  };
}
