/** Turns candidates into a ranked list: features, class factors, file coherence, saturation. */

import { BestDocuments } from '../shard/vector-math.js';
import { type LexicalScores, scoreBm25f } from './bm25.js';
import type { Corpus } from './corpus.js';
import { type Definition, findDefinitions } from './definitions.js';
import type { DenseScorer } from './dense.js';
import type { ParsedQuery } from './query.js';
import { type Candidate, CandidateScorer, FEATURES } from './scoring.js';
import { CANDIDATES, DENSE, type Feature, FILE, WEIGHTS } from './weights.js';

export interface RankedChunk {
  /** Global document number. */
  document: number;
  file: number;
  score: number;
  /** Queried name that the chunk defines, as the query has it. */
  defines?: string;
  /** Weighted features and factors, in the order in which they apply. */
  explain: Record<string, number>;
}

interface RankOptions {
  /**
   * True for documents to return. Without influence on scores and order: candidates are those of the whole live set, and where
   * too few of them are accepted, further ones that are come behind them.
   */
  accept?: (document: number, file: number) => boolean;
  /** Number of ranked chunks to return. */
  limit: number;
  /** Scorer of similarity in meaning; null or undefined without vectors. */
  dense?: DenseScorer | null;
  /** Score by path of what subjects of commits say; null or undefined without them. */
  history?: ((path: string) => number) | null;
  /** Score by blob of what models wrote about files; null or undefined without summaries. */
  summaries?: ((blob: string) => number) | null;
  /** Ignores words: candidates and their order come from vectors alone. */
  semantic?: boolean;
}

/** A ranking of which the first chunks can be looked at before the rest is chosen. */
export interface Ranking {
  /** All candidates, the best first, whatever is accepted. */
  readonly ranked: readonly Pick<Candidate, 'document' | 'file' | 'score' | 'own' | 'factor'>[];
  /** Adds gains by document to the scores. */
  lift(gains: ReadonlyMap<number, number>): void;
  /** Puts a document first in its file, by file: it changes places with the one that was. */
  putFirst(documents: ReadonlyMap<number, number>): void;
  /** The best accepted chunks. */
  take(): RankedChunk[];
  /** Accepted candidates, the best first, that may be named beside a result of their file; none where the query is one name. */
  parts(): Ranking['ranked'];
}

const NOTHING: Ranking = { ranked: [], lift: () => {}, putFirst: () => {}, take: () => [], parts: () => [] };

/** Returns the best chunks for a query whose words are already scored. */
export const rank = (...of: Parameters<typeof startRanking>): RankedChunk[] => startRanking(...of).take();

export function startRanking(
  corpus: Corpus,
  query: ParsedQuery,
  options: RankOptions,
  lexical = scoreBm25f(corpus, query.terms),
): Ranking {
  const definitions = findDefinitions(corpus.live, options.semantic ? [] : query.identifiers);
  const { dense = null, history = null, summaries = null, accept = () => true } = options;
  const matches = { lexical, definitions, weights: weightsFor(query, options), dense, history, summaries };
  const pool = candidates(corpus, matches, { ...options, accept: undefined });
  if (pool.documents.length === 0) return NOTHING;
  const scorer = new CandidateScorer(corpus, query, matches, pool.documents);
  const scored = scorer.score(pool.documents);
  addCoherence(scored, query.kind);
  const firstOf = new Map<number, number>();
  const ranked = saturate(scored, firstOf);
  /** Further candidates come behind where too few of these are accepted. */
  const accepted = ({ accept, limit }: RankOptions): Candidate[] => {
    if (!accept) return ranked;
    const chosen = ranked.filter(({ document, file }) => accept(document, file));
    if (chosen.length >= limit) return chosen;
    const more = candidates(corpus, matches, options);
    const known = new Set(pool.documents);
    const further = scorer.score(more.documents.filter((document) => !known.has(document)));
    chosen.push(...below(saturate(further, firstOf), ranked[ranked.length - 1].score));
    for (const name of ['rank:lexical', 'rank:vectors'] as const)
      for (const [document, place] of more.lists[name]) if (!known.has(document)) pool.lists[name].set(document, place);
    return chosen;
  };
  const toChunk = (candidate: Candidate): RankedChunk => ({
    document: candidate.document,
    file: candidate.file,
    score: candidate.score,
    defines: definitions.get(candidate.document)?.name ?? undefined,
    explain: explain(candidate, matches.weights, pool.lists),
  });
  return {
    ranked,
    lift: (gains) => lift(ranked, gains),
    putFirst: (documents) => putFirst(ranked, documents),
    take: () => accepted(options).slice(0, options.limit).map(toChunk),
    parts: () => (query.kind === 'symbol' ? [] : ranked.filter(({ document, file }) => accept(document, file))),
  };
}

/** Gains count as scores do: less for a file of a lower class, and for a further chunk of a file. */
function lift(ranked: Candidate[], gains: ReadonlyMap<number, number>): void {
  for (const candidate of ranked) {
    const gain = gains.get(candidate.document);
    if (gain === undefined) continue;
    candidate.calls = gain * candidate.factor * (candidate.saturation < 1 ? FILE.further : 1);
    candidate.score += candidate.calls;
  }
  ranked.sort(order);
}

/** Documents, by file, change places and scores with the first of their files. */
function putFirst(ranked: Candidate[], documents: ReadonlyMap<number, number>): void {
  const firsts = new Map<number, Candidate>();
  for (const candidate of ranked) {
    const first = firsts.get(candidate.file);
    if (first === undefined) firsts.set(candidate.file, candidate);
    else if (documents.get(candidate.file) === candidate.document) {
      const gain = first.score - candidate.score;
      [candidate.best, first.best] = [gain, -gain];
      [candidate.score, first.score] = [first.score, candidate.score];
    }
  }
  ranked.sort(order);
}

/** Scores are comparable only within one answer, so `minScore` is a share of the best one; 0 leaves out none, whatever its score. */
export function aboveShare(ranked: RankedChunk[], minScore: number): RankedChunk[] {
  return minScore > 0 ? ranked.filter(({ score }) => score >= ranked[0].score * minScore) : ranked;
}

function weightsFor(query: ParsedQuery, { dense, semantic }: RankOptions): Float64Array {
  const weights: Record<Feature, number> = WEIGHTS[semantic ? 'semantic' : dense ? 'hybrid' : 'lexical'][query.kind];
  return Float64Array.from(FEATURES, (feature) => weights[feature]);
}

/**
 * Lists weighted features and factors in the order in which they apply, then the candidate's rank in each list of
 * candidates.
 */
function explain(candidate: Candidate, weights: Float64Array, lists: RankLists): Record<string, number> {
  const { values, pathClass, factor, coherence, saturation, calls, best, document } = candidate;
  const parts: [string, number | undefined][] = FEATURES.map((feature, i) => [feature, weights[i] * values[i]]);
  parts.push(
    [`factor:${pathClass}`, factor],
    ['coherence', coherence],
    ['saturation', saturation],
    ['calls', calls],
    ['best chunk', best],
  );
  for (const [name, list] of Object.entries(lists)) parts.push([name, list.get(document)]);
  const neutral = (name: string, part: number | undefined) =>
    part === undefined || part === (name === 'saturation' || name === `factor:${pathClass}` ? 1 : 0);
  return Object.fromEntries(parts.filter(([name, part]) => !neutral(name, part))) as Record<string, number>;
}

/** Rank of each document in the lists of candidates, counted from 1. */
type RankLists = Record<'rank:lexical' | 'rank:vectors', Map<number, number>>;

function candidates(
  corpus: Corpus,
  {
    lexical,
    definitions,
    dense,
  }: { lexical: LexicalScores; definitions: Map<number, Definition>; dense: DenseScorer | null },
  { accept, semantic }: RankOptions,
): { documents: number[]; lists: RankLists } {
  const { fileOf } = corpus.live;
  const accepted = (document: number) => accept === undefined || accept(document, fileOf[document]);
  // Break ties by file: document numbers depend on the order of indexing.
  const best = new BestDocuments(CANDIDATES, (a, b) => fileOf[a] - fileOf[b] || a - b);
  if (!semantic)
    for (const document of lexical.matched) if (accepted(document)) best.push(document, lexical.scores[document]);
  const words = best.take().map(({ document }) => document);
  const near =
    dense?.nearest(
      semantic ? CANDIDATES : DENSE.candidates,
      words.length > 0 ? 'hybrid' : 'semantic',
      accept && accepted,
    ) ?? [];
  const chosen = new Set([...words, ...near]);
  for (const document of definitions.keys()) if (accepted(document)) chosen.add(document);
  const places = (list: number[]) => new Map(list.map((document, i) => [document, i + 1]));
  return { documents: [...chosen], lists: { 'rank:lexical': places(words), 'rank:vectors': places(near) } };
}

/** Raises the best chunk of each file by what its chunks have together, of which each counts less than the one before. */
function addCoherence(scored: Candidate[], kind: ParsedQuery['kind']): void {
  const sums = new Map<number, number>();
  const best = new Map<number, Candidate>();
  const parts = new Map<number, number>();
  scored.sort(order);
  for (const candidate of scored) {
    const { file, score } = candidate;
    const part = parts.get(file) ?? 1;
    sums.set(file, (sums.get(file) ?? 0) + part * score);
    parts.set(file, part * FILE.fading[kind]);
    if (!best.has(file)) best.set(file, candidate);
  }
  const gain = (FILE.coherence[kind] * scored[0].score) / Math.max(1e-9, ...sums.values());
  for (const [file, candidate] of best) {
    candidate.coherence = gain * (sums.get(file) as number);
    candidate.score += candidate.coherence;
  }
}

const order = (a: Candidate, b: Candidate) => b.score - a.score || a.file - b.file || a.document - b.document;

/**
 * Sorts candidates, the further chunks of each file lowered: all of them, and the more the worse they are than the file's best.
 * `firstOf`: score of the best chunk by file, which is filled in.
 */
function saturate(scored: Candidate[], firstOf: Map<number, number>): Candidate[] {
  scored.sort(order);
  for (const candidate of scored) {
    const first = firstOf.get(candidate.file);
    if (first === undefined) {
      firstOf.set(candidate.file, candidate.score);
      continue;
    }
    const share = first > 0 ? Math.min(1, Math.max(0, candidate.score / first)) : 1;
    candidate.saturation = FILE.further * share ** FILE.steepness;
    candidate.score *= candidate.saturation;
  }
  return scored.sort(order);
}

/** Sorted candidates that come behind others: none counts more than the last of these. */
function below(sorted: Candidate[], least: number): Candidate[] {
  for (const candidate of sorted) {
    if (candidate.score <= least) continue;
    candidate.saturation *= least / candidate.score;
    candidate.score = least;
  }
  return sorted;
}
