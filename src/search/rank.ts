/** Candidates to a ranked list: features, class factors, file coherence, saturation. */
import { type LexicalScores, scoreBm25f } from './bm25.js';
import type { Corpus } from './corpus.js';
import { type Definition, findDefinitions } from './definitions.js';
import { type FileFeatures, fileFeatures } from './features.js';
import { PATH_CLASSES, type PathClass } from './path-classes.js';
import { pathTerms } from './paths.js';
import type { ParsedQuery } from './query.js';
import { CANDIDATES, CLASS_FACTOR, type Feature, FILE, NATURAL, SYMBOL } from './weights.js';

export interface RankedChunk {
  /** Global document number. */
  document: number;
  file: number;
  score: number;
  /** The queried name that the chunk defines, as the query has it. */
  defines?: string;
  /** Weighted features and factors, in the order they apply. */
  explain: Record<string, number>;
}

export interface RankOptions {
  /** Documents to consider; statistics are those of the whole live set. */
  accept?: (document: number, file: number) => boolean;
  /** Ranked chunks to return. */
  limit: number;
}

/** The best chunks for a query whose words were scored already. */
export function rank(
  corpus: Corpus,
  query: ParsedQuery,
  options: RankOptions,
  lexical = scoreBm25f(corpus, query.terms),
): RankedChunk[] {
  const definitions = findDefinitions(corpus.live, query.identifiers);
  const documents = candidates(corpus, lexical, definitions, options);
  if (documents.length === 0) return [];
  const scored = scoreCandidates(corpus, query, { lexical, definitions, documents });
  addCoherence(scored, FILE.coherence[query.kind]);
  return saturate(scored, options.limit);
}

interface Matches {
  lexical: LexicalScores;
  definitions: Map<number, Definition>;
  documents: number[];
}

function candidates(
  corpus: Corpus,
  lexical: LexicalScores,
  definitions: Map<number, Definition>,
  { accept }: RankOptions,
): number[] {
  const { fileOf } = corpus.live;
  const accepted = (document: number) => accept === undefined || accept(document, fileOf[document]);
  const all = Array.from(lexical.matched).filter(accepted);
  const { scores } = lexical;
  all.sort((a, b) => scores[b] - scores[a] || a - b);
  const chosen = new Set(all.slice(0, CANDIDATES));
  for (const document of definitions.keys()) if (accepted(document)) chosen.add(document);
  return [...chosen];
}

function scoreCandidates(corpus: Corpus, query: ParsedQuery, matches: Matches): RankedChunk[] {
  const { lexical, definitions, documents } = matches;
  const weights: Record<Feature, number> = query.kind === 'symbol' ? SYMBOL : NATURAL;
  const mass = lexical.terms.reduce((sum, term) => sum + term.idf, 0) || 1;
  const { centrality } = corpus;
  const { fileOf, files } = corpus.live;
  const bestScore = documents.reduce((best, document) => Math.max(best, lexical.scores[document]), 1e-9);
  const bestRank = documents.reduce((best, document) => Math.max(best, centrality[fileOf[document]]), 1e-12);
  const byFile = new Map<number, FileFeatures>();
  const asked = askedClasses(query);
  return documents.map((document) => {
    const file = fileOf[document];
    let features = byFile.get(file);
    if (features === undefined) {
      features = fileFeatures(pathTerms(files.path(file)), lexical.terms, mass);
      byFile.set(file, features);
    }
    const values: Record<Feature, number> = {
      bm25: lexical.scores[document] / bestScore,
      ...features,
      centrality: Math.sqrt(centrality[file] / bestRank),
      defined: lexical.defined[document] / mass,
      coverage: lexical.coverage[document] / mass,
      definition: definitions.get(document)?.strength ?? 0,
    };
    const explain: Record<string, number> = {};
    let score = 0;
    for (const feature of Object.keys(weights) as Feature[]) {
      const part = weights[feature] * values[feature];
      if (part !== 0) explain[feature] = part;
      score += part;
    }
    const pathClass = PATH_CLASSES[corpus.classes[file]];
    const factor = asked.has(pathClass) ? 1 : CLASS_FACTOR[pathClass];
    if (factor !== 1) explain[`factor:${pathClass}`] = factor;
    return { document, file, score: score * factor, defines: definitions.get(document)?.name ?? undefined, explain };
  });
}

/** A query that asks for tests, examples or docs gets them at full weight. */
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

function addCoherence(scored: RankedChunk[], share: number): void {
  const sums = new Map<number, number>();
  const best = new Map<number, RankedChunk>();
  let top = 0;
  for (const chunk of scored) {
    sums.set(chunk.file, (sums.get(chunk.file) ?? 0) + chunk.score);
    if (chunk.score > (best.get(chunk.file)?.score ?? -1)) best.set(chunk.file, chunk);
    top = Math.max(top, chunk.score);
  }
  const largest = Math.max(...sums.values());
  for (const [file, chunk] of best) {
    const gain = (share * top * (sums.get(file) as number)) / largest;
    chunk.explain.coherence = gain;
    chunk.score += gain;
  }
}

function saturate(scored: RankedChunk[], limit: number): RankedChunk[] {
  const order = (a: RankedChunk, b: RankedChunk) => b.score - a.score || a.document - b.document;
  scored.sort(order);
  const seen = new Map<number, number>();
  for (const chunk of scored) {
    const earlier = seen.get(chunk.file) ?? 0;
    seen.set(chunk.file, earlier + 1);
    if (earlier === 0) continue;
    const factor = FILE.saturation ** earlier;
    chunk.explain.saturation = factor;
    chunk.score *= factor;
  }
  return scored.sort(order).slice(0, limit);
}
