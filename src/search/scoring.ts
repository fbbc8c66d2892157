/** Features of candidates for one query, and their weighted sums: how well words, meaning, path and definitions match. */
import { BestDocuments } from '../shard/vector-shard.js';
import { type Corpus, PATH_CLASSES, type PathClass } from './corpus.js';
import { type Definition, findDefinitions } from './definitions.js';
import { type DenseFeatures, type DenseScorer, PathWords } from './dense.js';
import { type LexicalScores, scoreBm25f, type TermMatch } from './lexical.js';
import { saysPermission } from './path-classes.js';
import { asksForPermission, type ParsedQuery, untagged } from './query.js';
import {
  CANDIDATES,
  CLASS_FACTOR,
  DENSE,
  type Feature,
  FILE,
  KINSHIP,
  OTHER_WORDS,
  PERMISSION_LEAD,
  TOPIC_SHARE,
  WEIGHTS,
} from './weights.js';

/** A candidate for the result. Its features and explanation are made later, for the few that are returned. */
export interface Candidate {
  document: number;
  file: number;
  score: number;
  /** Score without the file's other chunks. */
  own: number;
  pathClass: PathClass;
  factor: number;
  coherence: number;
  saturation: number;
  /** Gain from calls among the best results. */
  calls?: number;
  /** Gain of a chunk that became the first of its file, or loss of the one that it replaced. */
  best?: number;
}

export const FEATURES: readonly Feature[] = [
  ...(['bm25', 'fileName', 'directory', 'prefix', 'nameCoverage', 'centrality', 'defined', 'coverage'] as const),
  ...(['definition', 'dense', 'denseRare', 'denseFile', 'history', 'summary', 'changes', 'permission'] as const),
];

interface QueryMatches {
  lexical: LexicalScores;
  definitions: ReadonlyMap<number, Definition>;
  /** Weights in the order of FEATURES. */
  weights: Float64Array;
  dense: DenseScorer | null;
  /** Score by path from the subjects of commits. */
  history: ((path: string) => number) | null;
  /** Score by blob from summaries. */
  summaries: ((blob: string) => number) | null;
  /** Score by path from commits of near meaning. */
  changes: ((path: string) => number) | null;
  /** How surely a file has the rules that the query asks for; null for one that asks for none. */
  permission: ((file: number) => number) | null;
}

const FAR: DenseFeatures = { dense: 0, denseRare: 0, denseFile: 0 };

/** Scores candidates of one query. Features are shares of the best values of its pool, 0 to 1. */
class CandidateScorer {
  private readonly mass: number;
  private readonly requested: ReadonlySet<PathClass>;
  private readonly bestScore: number;
  private readonly bestRank: number;
  private readonly mostSaid: number;
  private readonly said = new Map<number, number>();
  private readonly mostWritten: number;
  private readonly mostChanged: number;
  private readonly changed = new Map<number, number>();
  /** Index of each document of the pool in `similarities`, which has three features of each. */
  private readonly near = new Map<number, number>();
  private readonly similarities: Float64Array;
  private readonly values = new Float64Array(FEATURES.length);
  private readonly nearest: DenseFeatures = { dense: 1e-9, denseRare: 1e-9, denseFile: 1e-9 };
  private readonly byFile = new Map<number, FileFeatures>();
  private readonly paths: PathMatcher;

  /** `pool`: candidates of the whole live set. */
  constructor(
    private readonly corpus: Corpus,
    query: ParsedQuery,
    private readonly matches: QueryMatches,
    pool: readonly number[],
  ) {
    const { lexical, dense } = matches;
    const { centrality, live } = corpus;
    this.mass = lexical.terms.reduce((sum, term) => sum + term.idf, 0) || 1;
    this.paths = new PathMatcher(corpus, lexical.terms, this.mass);
    this.requested = requestedClasses(corpus, query);
    this.bestScore = pool.reduce((best, document) => Math.max(best, lexical.scores[document]), 1e-9);
    this.bestRank = pool.reduce((best, document) => Math.max(best, centrality[live.fileOf[document]]), 1e-12);
    this.mostSaid = pool.reduce((best, document) => Math.max(best, this.saidOf(live.fileOf[document])), 1e-9);
    this.mostWritten = pool.reduce((best, document) => Math.max(best, this.writtenOf(live.fileOf[document])), 1e-9);
    this.mostChanged = pool.reduce((best, document) => Math.max(best, this.changedOf(live.fileOf[document])), 1e-9);
    this.similarities = new Float64Array(dense === null ? 0 : 3 * pool.length);
    if (dense !== null) for (const document of pool) this.measure(dense, document);
  }

  private measure(scorer: DenseScorer, document: number): void {
    const { similarities, nearest, near } = this;
    const { dense, denseRare, denseFile } = scorer.features(document);
    const at = 3 * near.size;
    near.set(document, at);
    [similarities[at], similarities[at + 1], similarities[at + 2]] = [dense, denseRare, denseFile];
    nearest.dense = Math.max(nearest.dense, dense);
    nearest.denseRare = Math.max(nearest.denseRare, denseRare);
    nearest.denseFile = Math.max(nearest.denseFile, denseFile);
  }

  score(documents: readonly number[]): Candidate[] {
    const { corpus, requested, matches } = this;
    const { weights } = matches;
    return documents.map((document) => {
      const file = corpus.live.fileOf[document];
      const values = this.valuesOf(document, file);
      const pathClass = PATH_CLASSES[corpus.classes[file]];
      const factor = requested.has(pathClass) ? 1 : CLASS_FACTOR[pathClass];
      let sum = 0;
      for (let j = 0; j < values.length; j++) sum += weights[j] * values[j];
      const own = factor * sum;
      return { document, file, score: own, own, pathClass, factor, coherence: 0, saturation: 1 };
    });
  }

  /** Feature values before weighting, in the order of FEATURES; the next call writes over them. */
  valuesOf(document: number, file: number): Float64Array {
    const { values } = this;
    const { lexical, definitions } = this.matches;
    const path = this.fileFeatures(file);
    values[0] = lexical.scores[document] / this.bestScore;
    values[1] = path.fileName;
    values[2] = path.directory;
    values[3] = path.prefix;
    values[4] = path.nameCoverage;
    values[5] = Math.sqrt(this.corpus.centrality[file] / this.bestRank);
    values[6] = lexical.defined[document] / this.mass;
    values[7] = lexical.coverage[document] / this.mass;
    values[8] = definitions.get(document)?.strength ?? 0;
    this.addSimilarities(document, values);
    values[12] = this.saidOf(file) / this.mostSaid;
    values[13] = this.writtenOf(file) / this.mostWritten;
    values[14] = this.changedOf(file) / this.mostChanged;
    values[15] = (this.matches.permission?.(file) ?? 0) * (values[4] + values[7]);
    return values;
  }

  private addSimilarities(document: number, values: Float64Array): void {
    const { matches, similarities, near, nearest } = this;
    if (matches.dense === null) return;
    const at = near.get(document);
    const other = at === undefined ? matches.dense.features(document) : FAR;
    values[9] = Math.max(0, (at === undefined ? other.dense : similarities[at]) / nearest.dense);
    values[10] = Math.max(0, (at === undefined ? other.denseRare : similarities[at + 1]) / nearest.denseRare);
    values[11] = Math.max(0, (at === undefined ? other.denseFile : similarities[at + 2]) / nearest.denseFile);
  }

  private fileFeatures(file: number): FileFeatures {
    let features = this.byFile.get(file);
    if (features === undefined) {
      features = this.paths.featuresOf(file);
      this.byFile.set(file, features);
    }
    return features;
  }

  /** Score of a file by subjects of commits, under the path with the highest. */
  private saidOf(file: number): number {
    const { history } = this.matches;
    if (history === null) return 0;
    const said = this.said.get(file) ?? Math.max(...this.corpus.live.files.paths(file).map(history));
    this.said.set(file, said);
    return said;
  }

  /** Score of a file by commits of near meaning, like `saidOf`. */
  private changedOf(file: number): number {
    const { changes } = this.matches;
    if (changes === null) return 0;
    const changed = this.changed.get(file) ?? Math.max(...this.corpus.live.files.paths(file).map(changes));
    this.changed.set(file, changed);
    return changed;
  }

  private writtenOf(file: number): number {
    const { summaries } = this.matches;
    return summaries === null ? 0 : summaries(this.corpus.live.files.oid(file));
  }
}

/**
 * Words that lift the class factor: a query that asks for tests, examples or docs gets them at full weight, unless the repository is
 * about them.
 */
const REQUESTED_CLASSES: Readonly<Record<string, PathClass[]>> = {
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

function requestedClasses(corpus: Corpus, query: ParsedQuery): Set<PathClass> {
  if (query.kind === 'symbol') return new Set();
  const requested = query.terms.flatMap((term): readonly PathClass[] => {
    if (/^v\d+$/.test(term)) return ['legacy'];
    return term in REQUESTED_CLASSES && !isTopic(corpus, term) ? REQUESTED_CLASSES[term] : [];
  });
  return new Set(requested);
}

/**
 * Returns whether the repository is about the term: code that is no test uses it all over. Definitions of that name and their insides do
 * not count, since the tests of some languages are among the code.
 */
function isTopic({ live, classes }: Corpus, term: string): boolean {
  const isSource = (document: number) =>
    live.fileOf[document] >= 0 && PATH_CLASSES[classes[live.fileOf[document]]] === 'source';
  let found = 0;
  for (const [i, shard] of live.shards.entries()) {
    const index = shard.findTerm(term);
    if (index < 0) continue;
    shard.eachPosting(index, (local, _, name, enclosing) => {
      if (name === 0 && enclosing === 0 && isSource(live.bases[i] + local)) found++;
    });
  }
  let all = 0;
  for (let file = 0; file < live.files.length; file++)
    if (PATH_CLASSES[classes[file]] === 'source')
      all += live.shards[live.files.shard[file]].unitDocuments[live.files.unit[file]];
  return found > all * TOPIC_SHARE;
}

interface FileFeatures {
  fileName: number;
  directory: number;
  prefix: number;
  nameCoverage: number;
}

/** Compares paths with the words of a query. Shares are of the query's idf mass, 0 to 1; `nameCoverage` is one of the name's letters. */
class PathMatcher {
  private readonly paths: PathWords;
  private readonly numbers: (number | undefined)[] = [];
  /** Kinship of each term with a word, by the word's number. */
  private readonly near = new Map<number, readonly number[]>();

  constructor(
    corpus: Corpus,
    private readonly terms: readonly TermMatch[],
    private readonly mass: number,
  ) {
    this.paths = PathWords.of(corpus);
  }

  featuresOf(file: number): FileFeatures {
    const { paths, terms, mass } = this;
    const { stem, words, parent } = paths.placesOf(file);
    let fileName = 0;
    let directory = 0;
    let prefix = 0;
    for (let i = 0; i < terms.length; i++) {
      const { idf } = terms[i];
      let best = this.isAmong(i, stem) ? 1 : 0;
      for (let at = words[0]; at < words[1]; at++) best = Math.max(best, this.nearOf(paths.at(at))[i]);
      if (best === 1) fileName += idf;
      else prefix += idf * best;
      if (this.isAmong(i, parent)) directory += idf;
    }
    let letters = 0;
    let matched = 0;
    for (let at = words[0]; at < words[1]; at++) {
      const word = paths.at(at);
      const { length } = paths.words[word];
      letters += length;
      let covered = 0;
      for (const near of this.nearOf(word)) covered = Math.max(covered, near);
      matched += length * covered;
    }
    return {
      fileName: fileName / mass,
      directory: directory / mass,
      prefix: prefix / mass,
      nameCoverage: letters === 0 ? 0 : matched / letters,
    };
  }

  private nearOf(word: number): readonly number[] {
    let near = this.near.get(word);
    if (near === undefined) {
      const text = this.paths.words[word];
      near = this.terms.map(({ term }) => kinship(term, text));
      this.near.set(word, near);
    }
    return near;
  }

  /** Is a term one of the words of a path? A term that no path had before may be in this one. */
  private isAmong(term: number, [start, end]: readonly [number, number]): boolean {
    const number = this.numbers[term] ?? this.paths.find(this.terms[term].term);
    this.numbers[term] = number;
    if (number === undefined) return false;
    for (let at = start; at < end; at++) if (this.paths.at(at) === number) return true;
    return false;
  }
}

/** Length without a final e, which most stems have lost: `type` is too short a beginning. */
const bareLength = (word: string): number => (word.endsWith('e') ? word.length - 1 : word.length);

/** Returns 1 for equal words, the shared fraction for words with a long common beginning (auth, authentication), else 0. */
function kinship(a: string, b: string): number {
  if (a === b) return 1;
  const shorter = Math.min(bareLength(a), bareLength(b));
  let common = 0;
  while (common < shorter && a.charCodeAt(common) === b.charCodeAt(common)) common++;
  if (common < KINSHIP.minLetters || common < KINSHIP.minShare * shorter) return 0;
  return (common / shorter) * KINSHIP.discount;
}

export interface RankedChunk {
  document: number;
  file: number;
  score: number;
  /** Queried name that the chunk defines, as in the query. */
  defines?: string;
  /** Weighted features and factors, in the order in which they apply. */
  explain: Record<string, number>;
}

interface RankOptions {
  /**
   * Accepts documents to return, without influence on scores and order: candidates are those of the whole live set. If too few of them
   * are accepted, other accepted documents follow.
   */
  accept?: (document: number, file: number) => boolean;
  /** Number of ranked chunks to return. */
  limit: number;
  /** Scorer of similarity in meaning; null or undefined without vectors. */
  dense?: DenseScorer | null;
  /** Score by path from the subjects of commits; null or undefined without them. */
  history?: ((path: string) => number) | null;
  /** Score by blob from summaries of files; null or undefined without them. */
  summaries?: ((blob: string) => number) | null;
  /** Makes the scores by path from commits of near meaning; null or undefined without them. */
  changes?: (() => (path: string) => number) | null;
  /** Ignores words: candidates and their order come from vectors alone. */
  semantic?: boolean;
}

/** A ranking whose first chunks can be read before the rest is chosen. */
export interface Ranking {
  /** All candidates, accepted or not, the best first. */
  readonly ranked: readonly Pick<Candidate, 'document' | 'file' | 'score' | 'own' | 'factor'>[];
  /** Adds gains by document to the scores. */
  lift(gains: ReadonlyMap<number, number>): void;
  /** Puts documents, by file, first in their files: each changes places with the one that was first. */
  putFirst(documents: ReadonlyMap<number, number>): void;
  take(): RankedChunk[];
  /** Accepted candidates, the best first, that may be named below a result of their file; none if the query is one name. */
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
  const { dense = null, history = null, summaries = null, changes = null, accept = () => true } = options;
  const weights = weightsFor(query, options);
  const changed = weights[FEATURES.indexOf('changes')] > 0 ? (changes?.() ?? null) : null;
  const { files } = corpus.live;
  const permission = asksForPermission(query) ? (file: number) => saysPermission(files.paths(file)[0]) : null;
  const matches = { lexical, definitions, weights, dense, history, summaries, changes: changed, permission };
  const pool = candidates(corpus, matches, { ...options, accept: undefined });
  if (pool.documents.length === 0) return NOTHING;
  const scorer = new CandidateScorer(corpus, query, matches, pool.documents);
  const scored = scorer.score(pool.documents);
  addCoherence(scored, query.kind, 1 - OTHER_WORDS.coherence * (lexical.otherness ?? 0));
  const firstOf = new Map<number, number>();
  const ranked = saturate(scored, firstOf);
  /** If too few of these are accepted, other candidates follow. */
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
  const weigh = ({ document, file }: Candidate) =>
    scorer.valuesOf(document, file).map((value, i) => weights[i] * value);
  const toChunk = (candidate: Candidate): RankedChunk => ({
    document: candidate.document,
    file: candidate.file,
    score: candidate.score,
    defines: definitions.get(candidate.document)?.name ?? undefined,
    explain: explain(candidate, weigh(candidate), pool.lists),
  });
  return {
    ranked,
    lift: (gains) => lift(ranked, gains),
    putFirst: (documents) => putFirst(ranked, documents),
    take: () => accepted(options).slice(0, options.limit).map(toChunk),
    parts: () => (query.kind === 'symbol' ? [] : ranked.filter(({ document, file }) => accept(document, file))),
  };
}

/** Adds gains. Like scores they count less for a file of a lower class, and for a further chunk of a file. */
function lift(ranked: Candidate[], gains: ReadonlyMap<number, number>): void {
  for (const candidate of ranked) {
    const gain = gains.get(candidate.document);
    if (gain === undefined) continue;
    candidate.calls = gain * candidate.factor * (candidate.saturation < 1 ? FILE.further : 1);
    candidate.score += candidate.calls;
  }
  ranked.sort(order);
}

/** Lets documents, by file, change places and scores with the first of their files. */
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

/** First words of commit subjects. */
const CHANGE =
  /^(?:add|address|adjust|allow|apply|avoid|bring|change|clarify|clean ?up|convert|correct|delete|deprecate|disable|do not|don'?t|drop|emit|enable|ensure|expose|extend|extract|fix|handle|implement|improve|include|inline|introduce|keep|limit|make|merge|migrate|move|optimi[sz]e|preserve|prevent|raise|reduce|refactor|reject|remove|rename|replace|resolve|restore|revert|simplify|skip|split|stop|strip|support|switch|tweak|unify|update|use|warn)(?:e?s|ed|ing)?\b/i;

/** Somebody who describes a change, as the subject of a commit does, looks for the lines to change. */
export const asksForChange = ({ kind, text }: Pick<ParsedQuery, 'kind' | 'text'>): boolean =>
  kind === 'natural' && CHANGE.test(untagged(text.trim()));

/** Words of people who report a fault, as in the title of an issue. */
const FAULT: readonly RegExp[] = [
  /\b(?:bugs?|breaks|broken|causes|crash(?:e[sd]|ing)?|dead ?locks?|disappears?|fail(?:s|ed)?|freez(?:es?|ing)|hangs?|ignores|impossible)\b/i,
  /\b(?:incorrect(?:ly)?|invalid|leak(?:s|ed|ing)?|loses|lost|missing|panics|regressions?|stuck|unable|unexpected(?:ly)?|wrong(?:ly)?)\b/i,
  /\b(?:(?:do|does|did|is|are|was|were|has|have|should|can|could|will|would)(?:n['’]t| not)|cannot|can['’]t|not work(?:s|ing)?)\b/i,
  /\b(?:instead of|no longer|makes? (?:it|them)|(?:is|are) non-|errors? (?:after|when|while))\b/i,
  // People who ask for something say that it is missing.
  /\b(?:please|(?:ability|option|way) to)\b|^no\b/i,
];

function reportsFault(text: string): boolean {
  const title = untagged(text.trim());
  return FAULT.some((words) => words.test(title));
}

function weightsFor(query: ParsedQuery, { dense, semantic }: RankOptions): Float64Array {
  const { kind: own, text } = query;
  const kind = own === 'natural' && (asksForChange(query) || reportsFault(text)) ? 'change' : own;
  const weights: Record<Feature, number> = WEIGHTS[semantic ? 'semantic' : dense ? 'hybrid' : 'lexical'][kind];
  return Float64Array.from(FEATURES, (feature) => weights[feature]);
}

/** Lists weighted features and factors in the order in which they apply, then the candidate's rank in each list of candidates. */
function explain(candidate: Candidate, weighted: Float64Array, lists: RankLists): Record<string, number> {
  const { pathClass, factor, coherence, saturation, calls, best, document } = candidate;
  const parts: [string, number | undefined][] = FEATURES.map((feature, i) => [feature, weighted[i]]);
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
  { lexical, definitions, dense, permission }: Pick<QueryMatches, 'lexical' | 'definitions' | 'dense' | 'permission'>,
  { accept, semantic }: RankOptions,
): { documents: number[]; lists: RankLists } {
  const { fileOf } = corpus.live;
  const accepted = (document: number) => accept === undefined || accept(document, fileOf[document]);
  // Ties are broken by file, since document numbers depend on the order of indexing.
  const best = new BestDocuments(CANDIDATES, (a, b) => fileOf[a] - fileOf[b] || a - b);
  const lead = (document: number) => 1 + PERMISSION_LEAD * (permission?.(fileOf[document]) ?? 0);
  if (!semantic)
    for (const document of lexical.matched)
      if (accepted(document)) best.push(document, lexical.scores[document] * lead(document));
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

/**
 * Raises the best chunk of each file by the scores of all its chunks, of which each counts less than the one before. `share`: part of that
 * gain.
 */
function addCoherence(scored: Candidate[], kind: ParsedQuery['kind'], share: number): void {
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
  const gain = (share * FILE.coherence[kind] * scored[0].score) / Math.max(1e-9, ...sums.values());
  for (const [file, candidate] of best) {
    candidate.coherence = gain * (sums.get(file) as number);
    candidate.score += candidate.coherence;
  }
}

const order = (a: Candidate, b: Candidate) => b.score - a.score || a.file - b.file || a.document - b.document;

/**
 * Sorts candidates and lowers the further chunks of each file: all of them, and the more the worse they are than the file's best. Fills
 * `firstOf` with the score of each file's best chunk.
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

/** Returns sorted candidates that follow others, none with a higher score than the last of those. */
function below(sorted: Candidate[], least: number): Candidate[] {
  for (const candidate of sorted) {
    if (candidate.score <= least) continue;
    candidate.saturation *= least / candidate.score;
    candidate.score = least;
  }
  return sorted;
}
