/** Turns candidates into a ranked list: features, class factors, file coherence, saturation. */

import { BestDocuments } from '../shard/vector-math.js';
import { type LexicalScores, scoreBm25f } from './bm25.js';
import { type Corpus, PATH_CLASSES, type PathClass } from './corpus.js';
import { type Definition, findDefinitions } from './definitions.js';
import type { DenseFeatures, DenseScorer } from './dense.js';
import { type FileFeatures, fileFeatures } from './features.js';
import { pathTermsOf } from './place-cache.js';
import type { ParsedQuery } from './query.js';
import { CANDIDATES, CLASS_FACTOR, DENSE, type Feature, FILE, WEIGHTS } from './weights.js';

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
  /** True for documents to consider; statistics still count the whole live set. */
  accept?: (document: number, file: number) => boolean;
  /** Number of ranked chunks to return. */
  limit: number;
  /** Scorer of similarity in meaning; null or undefined without vectors. */
  dense?: DenseScorer | null;
  /** Ignores words: candidates and their order come from vectors alone. */
  semantic?: boolean;
}

/** Returns the best chunks for a query whose words are already scored. */
export function rank(
  corpus: Corpus,
  query: ParsedQuery,
  options: RankOptions,
  lexical = scoreBm25f(corpus, query.terms),
): RankedChunk[] {
  const definitions = findDefinitions(corpus.live, options.semantic ? [] : query.identifiers);
  const { documents, lists } = candidates(corpus, lexical, definitions, options);
  if (documents.length === 0) return [];
  const weights = weightsFor(query, options);
  const scored = scoreCandidates(corpus, query, { lexical, definitions, documents, weights }, options.dense);
  addCoherence(scored, FILE.coherence[query.kind]);
  return saturate(scored, options.limit).map((candidate) => ({
    document: candidate.document,
    file: candidate.file,
    score: candidate.score,
    defines: definitions.get(candidate.document)?.name ?? undefined,
    explain: explain(candidate, weights, lists),
  }));
}

/** A candidate for the result. Its explanation is made later, for the few that are returned. */
interface Candidate {
  document: number;
  file: number;
  score: number;
  /** Feature values before weighting, in the order of FEATURES. */
  values: Float64Array;
  pathClass: PathClass;
  factor: number;
  coherence: number;
  saturation: number;
}

const FEATURES: readonly Feature[] = [
  ...(['bm25', 'fileName', 'directory', 'prefix', 'nameCoverage', 'centrality', 'defined', 'coverage'] as const),
  ...(['definition', 'dense', 'denseRare', 'denseFile'] as const),
];

function weightsFor(query: ParsedQuery, { dense, semantic }: RankOptions): Float64Array {
  const weights: Record<Feature, number> = WEIGHTS[semantic ? 'semantic' : dense ? 'hybrid' : 'lexical'][query.kind];
  return Float64Array.from(FEATURES, (feature) => weights[feature]);
}

/**
 * Lists weighted features and factors in the order in which they apply, then the candidate's rank in each list of
 * candidates.
 */
function explain(candidate: Candidate, weights: Float64Array, lists: RankLists): Record<string, number> {
  const { values, pathClass, factor, coherence, saturation, document } = candidate;
  const parts: [string, number | undefined][] = FEATURES.map((feature, i) => [feature, weights[i] * values[i]]);
  parts.push([`factor:${pathClass}`, factor], ['coherence', coherence], ['saturation', saturation]);
  for (const [name, list] of Object.entries(lists)) parts.push([name, list.get(document)]);
  const neutral = (name: string, part: number | undefined) =>
    part === undefined || part === (name === 'saturation' || name.startsWith('factor:') ? 1 : 0);
  return Object.fromEntries(parts.filter(([name, part]) => !neutral(name, part))) as Record<string, number>;
}

interface QueryMatches {
  lexical: LexicalScores;
  definitions: Map<number, Definition>;
  documents: number[];
  weights: Float64Array;
}

/** Rank of each document in the lists of candidates, counted from 1. */
type RankLists = Record<'rank:lexical' | 'rank:vectors', Map<number, number>>;

function candidates(
  corpus: Corpus,
  lexical: LexicalScores,
  definitions: Map<number, Definition>,
  { accept, dense, semantic }: RankOptions,
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

function scoreCandidates(
  corpus: Corpus,
  query: ParsedQuery,
  { lexical, definitions, documents, weights }: QueryMatches,
  dense: DenseScorer | null | undefined,
): Candidate[] {
  const mass = lexical.terms.reduce((sum, term) => sum + term.idf, 0) || 1;
  const { centrality } = corpus;
  const { fileOf } = corpus.live;
  const bestScore = documents.reduce((best, document) => Math.max(best, lexical.scores[document]), 1e-9);
  const bestRank = documents.reduce((best, document) => Math.max(best, centrality[fileOf[document]]), 1e-12);
  const byFile = new Map<number, FileFeatures>();
  const near = denseFeatures(documents, dense);
  const asked = askedClasses(query);
  return documents.map((document, i) => {
    const file = fileOf[document];
    let features = byFile.get(file);
    if (features === undefined) {
      features = fileFeatures(pathTermsOf(corpus, file), lexical.terms, mass);
      byFile.set(file, features);
    }
    // Keep the order of FEATURES.
    const values = Float64Array.of(
      lexical.scores[document] / bestScore,
      features.fileName,
      features.directory,
      features.prefix,
      features.nameCoverage,
      Math.sqrt(centrality[file] / bestRank),
      lexical.defined[document] / mass,
      lexical.coverage[document] / mass,
      definitions.get(document)?.strength ?? 0,
      near[i].dense,
      near[i].denseRare,
      near[i].denseFile,
    );
    const pathClass = PATH_CLASSES[corpus.classes[file]];
    const factor = asked.has(pathClass) ? 1 : CLASS_FACTOR[pathClass];
    let sum = 0;
    for (let j = 0; j < values.length; j++) sum += weights[j] * values[j];
    const score = factor * sum;
    return { document, file, score, values, pathClass, factor, coherence: 0, saturation: 1 };
  });
}

const FAR: DenseFeatures = { dense: 0, denseRare: 0, denseFile: 0 };

/** Scales each feature to its share of the best value among the candidates, 0 to 1. */
function denseFeatures(documents: readonly number[], dense: DenseScorer | null | undefined): DenseFeatures[] {
  if (!dense) return documents.map(() => FAR);
  const found = documents.map((document) => dense.features(document));
  const best = { ...FAR };
  const names = Object.keys(best) as (keyof DenseFeatures)[];
  for (const features of found) for (const name of names) best[name] = Math.max(best[name], features[name], 1e-9);
  for (const features of found) for (const name of names) features[name] = Math.max(0, features[name] / best[name]);
  return found;
}

/** Words that lift the class factor: a query that asks for tests, examples or docs gets them at full weight. */
const ASKED: Readonly<Record<string, PathClass[]>> = {
  test: ['test'],
  spec: ['test'],
  fixtur: ['test'],
  mock: ['test'],
  exampl: ['example'],
  sampl: ['example'],
  demo: ['example'],
  benchmark: ['example'],
  deprecat: ['legacy'],
  legacy: ['legacy'],
  compat: ['legacy'],
  generat: ['generated'],
  vendor: ['vendored'],
  doc: ['document'],
  document: ['document'],
  documentation: ['document'],
  readm: ['document'],
  changelog: ['document'],
  config: ['data'],
  configuration: ['data'],
  workflow: ['data'],
  json: ['data'],
  yaml: ['data'],
  toml: ['data'],
};

function askedClasses(query: ParsedQuery): Set<PathClass> {
  const asked = query.terms.flatMap((term) => (/^v\d+$/.test(term) ? (['legacy'] as const) : (ASKED[term] ?? [])));
  return new Set(query.kind === 'symbol' ? [] : asked);
}

function addCoherence(scored: Candidate[], share: number): void {
  const sums = new Map<number, number>();
  const best = new Map<number, Candidate>();
  let top = 0;
  for (const candidate of scored) {
    sums.set(candidate.file, (sums.get(candidate.file) ?? 0) + candidate.score);
    if (candidate.score > (best.get(candidate.file)?.score ?? -1)) best.set(candidate.file, candidate);
    top = Math.max(top, candidate.score);
  }
  // Avoid a division by zero when all scores are zero.
  const largest = Math.max(1e-9, ...sums.values());
  for (const [file, candidate] of best) {
    candidate.coherence = (share * top * (sums.get(file) as number)) / largest;
    candidate.score += candidate.coherence;
  }
}

function saturate(scored: Candidate[], limit: number): Candidate[] {
  const order = (a: Candidate, b: Candidate) => b.score - a.score || a.file - b.file || a.document - b.document;
  scored.sort(order);
  const seen = new Map<number, number>();
  for (const candidate of scored) {
    const earlier = seen.get(candidate.file) ?? 0;
    seen.set(candidate.file, earlier + 1);
    candidate.saturation = FILE.saturation ** earlier;
    candidate.score *= candidate.saturation;
  }
  return scored.sort(order).slice(0, limit);
}
