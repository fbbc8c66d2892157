/** Features of candidates for one query, and their weighted sums: how well words, meaning, path and definitions match. */
import type { LexicalScores, TermMatch } from './bm25.js';
import { type Corpus, PATH_CLASSES, type PathClass } from './corpus.js';
import type { Definition } from './definitions.js';
import type { DenseFeatures, DenseScorer } from './dense.js';
import type { PathTerms } from './paths.js';
import { pathTermsOf } from './place-cache.js';
import type { ParsedQuery } from './query.js';
import { CLASS_FACTOR, type Feature, KINSHIP, TOPIC_SHARE } from './weights.js';

/** A candidate for the result. Its explanation is made later, for the few that are returned. */
export interface Candidate {
  document: number;
  file: number;
  score: number;
  /** The score without the other chunks of the file. */
  own: number;
  /** Feature values before weighting, in the order of FEATURES. */
  values: Float64Array;
  pathClass: PathClass;
  factor: number;
  coherence: number;
  saturation: number;
  /** Gain from calls among the best results. */
  calls?: number;
  /** Gain of a chunk that became the first of its file; loss of the one that it replaced. */
  best?: number;
}

export const FEATURES: readonly Feature[] = [
  ...(['bm25', 'fileName', 'directory', 'prefix', 'nameCoverage', 'centrality', 'defined', 'coverage'] as const),
  ...(['definition', 'dense', 'denseRare', 'denseFile', 'history', 'summary'] as const),
];

interface QueryMatches {
  lexical: LexicalScores;
  definitions: ReadonlyMap<number, Definition>;
  /** In the order of FEATURES. */
  weights: Float64Array;
  dense: DenseScorer | null;
  /** Score by path of what subjects of commits say. */
  history: ((path: string) => number) | null;
  /** Score by blob of what models wrote. */
  summaries: ((blob: string) => number) | null;
}

const FAR: DenseFeatures = { dense: 0, denseRare: 0, denseFile: 0 };
const DENSE_FEATURES = Object.keys(FAR) as (keyof DenseFeatures)[];

/** Scores candidates of one query. Features are shares of the best values of its pool, 0 to 1. */
export class CandidateScorer {
  private readonly mass: number;
  private readonly asked: ReadonlySet<PathClass>;
  private readonly bestScore: number;
  private readonly bestRank: number;
  private readonly mostSaid: number;
  private readonly said = new Map<number, number>();
  private readonly mostWritten: number;
  private readonly near: ReadonlyMap<number, DenseFeatures>;
  private readonly nearest: DenseFeatures = { dense: 1e-9, denseRare: 1e-9, denseFile: 1e-9 };
  private readonly byFile = new Map<number, FileFeatures>();

  /** `pool`: the candidates of the whole live set. */
  constructor(
    private readonly corpus: Corpus,
    query: ParsedQuery,
    private readonly matches: QueryMatches,
    pool: readonly number[],
  ) {
    const { lexical, dense } = matches;
    const { centrality, live } = corpus;
    this.mass = lexical.terms.reduce((sum, term) => sum + term.idf, 0) || 1;
    this.asked = askedClasses(corpus, query);
    this.bestScore = pool.reduce((best, document) => Math.max(best, lexical.scores[document]), 1e-9);
    this.bestRank = pool.reduce((best, document) => Math.max(best, centrality[live.fileOf[document]]), 1e-12);
    this.mostSaid = pool.reduce((best, document) => Math.max(best, this.saidOf(live.fileOf[document])), 1e-9);
    this.mostWritten = pool.reduce((best, document) => Math.max(best, this.writtenOf(live.fileOf[document])), 1e-9);
    this.near = new Map(dense === null ? [] : pool.map((document) => [document, dense.features(document)]));
    for (const name of DENSE_FEATURES)
      for (const features of this.near.values()) this.nearest[name] = Math.max(this.nearest[name], features[name]);
  }

  score(documents: readonly number[]): Candidate[] {
    const { corpus, asked, matches } = this;
    const { weights } = matches;
    return documents.map((document) => {
      const file = corpus.live.fileOf[document];
      const values = this.valuesOf(document, file);
      const pathClass = PATH_CLASSES[corpus.classes[file]];
      const factor = asked.has(pathClass) ? 1 : CLASS_FACTOR[pathClass];
      let sum = 0;
      for (let j = 0; j < values.length; j++) sum += weights[j] * values[j];
      const own = factor * sum;
      return { document, file, score: own, own, values, pathClass, factor, coherence: 0, saturation: 1 };
    });
  }

  private valuesOf(document: number, file: number): Float64Array {
    const { lexical, definitions } = this.matches;
    const path = this.fileFeatures(file);
    const near = this.denseFeatures(document);
    const { dense, denseRare, denseFile } = this.nearest;
    // Keep the order of FEATURES. No lists are spread here: this runs for each of 800 candidates.
    return Float64Array.of(
      lexical.scores[document] / this.bestScore,
      path.fileName,
      path.directory,
      path.prefix,
      path.nameCoverage,
      Math.sqrt(this.corpus.centrality[file] / this.bestRank),
      lexical.defined[document] / this.mass,
      lexical.coverage[document] / this.mass,
      definitions.get(document)?.strength ?? 0,
      Math.max(0, near.dense / dense),
      Math.max(0, near.denseRare / denseRare),
      Math.max(0, near.denseFile / denseFile),
      this.saidOf(file) / this.mostSaid,
      this.writtenOf(file) / this.mostWritten,
    );
  }

  private fileFeatures(file: number): FileFeatures {
    let features = this.byFile.get(file);
    if (features === undefined) {
      features = fileFeatures(pathTermsOf(this.corpus, file), this.matches.lexical.terms, this.mass);
      this.byFile.set(file, features);
    }
    return features;
  }

  /** Score of a file by subjects of commits, under the path of which they say most. */
  private saidOf(file: number): number {
    const { history } = this.matches;
    if (history === null) return 0;
    const said = this.said.get(file) ?? Math.max(...this.corpus.live.files.paths(file).map(history));
    this.said.set(file, said);
    return said;
  }

  private writtenOf(file: number): number {
    const { summaries } = this.matches;
    return summaries === null ? 0 : summaries(this.corpus.live.files.oid(file));
  }

  private denseFeatures(document: number): DenseFeatures {
    const { dense } = this.matches;
    return dense === null ? FAR : (this.near.get(document) ?? dense.features(document));
  }
}

/**
 * Words that lift the class factor: a query that asks for tests, examples or docs gets them at full weight, unless they are what the
 * repository is about.
 */
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

function askedClasses(corpus: Corpus, query: ParsedQuery): Set<PathClass> {
  if (query.kind === 'symbol') return new Set();
  const asked = query.terms.flatMap((term): readonly PathClass[] => {
    if (/^v\d+$/.test(term)) return ['legacy'];
    return term in ASKED && !isTopic(corpus, term) ? ASKED[term] : [];
  });
  return new Set(asked);
}

/**
 * True if the term is what the repository is about: code that is no test speaks of it all over. Definitions of that name and what
 * is inside of them do not count, since the tests of some languages stand among the code.
 */
function isTopic({ live, classes }: Corpus, term: string): boolean {
  const isSource = (document: number) =>
    live.fileOf[document] >= 0 && PATH_CLASSES[classes[live.fileOf[document]]] === 'source';
  let found = 0;
  for (const [i, shard] of live.shards.entries()) {
    const index = shard.findTerm(term);
    if (index < 0) continue;
    const { count, documents, name, enclosing } = shard.postings(index);
    for (let k = 0; k < count; k++)
      if (name[k] === 0 && enclosing[k] === 0 && isSource(live.bases[i] + documents[k])) found++;
  }
  let all = 0;
  for (let document = 0; document < live.fileOf.length; document++) if (isSource(document)) all++;
  return found > all * TOPIC_SHARE;
}

interface FileFeatures {
  fileName: number;
  directory: number;
  prefix: number;
  nameCoverage: number;
}

/**
 * Computes the features. Shares are of the query's idf mass, 0 to 1; `nameCoverage` is a share of the file name's
 * letters.
 */
function fileFeatures(path: PathTerms, terms: readonly TermMatch[], mass: number): FileFeatures {
  let fileName = 0;
  let directory = 0;
  let prefix = 0;
  const covered = new Float64Array(path.words.length);
  for (const { term, idf } of terms) {
    let best = path.stem.includes(term) ? 1 : 0;
    for (let i = 0; i < path.words.length; i++) {
      const near = kinship(term, path.words[i]);
      covered[i] = Math.max(covered[i], near);
      best = Math.max(best, near);
    }
    if (best === 1) fileName += idf;
    else prefix += idf * best;
    if (path.parent.includes(term)) directory += idf;
  }
  let letters = 0;
  let matched = 0;
  for (const [i, word] of path.words.entries()) {
    letters += word.length;
    matched += word.length * covered[i];
  }
  return {
    fileName: fileName / mass,
    directory: directory / mass,
    prefix: prefix / mass,
    nameCoverage: letters === 0 ? 0 : matched / letters,
  };
}

/** Without a final e, which most stems have lost: `type` is too short a beginning. */
const bareLength = (word: string): number => (word.endsWith('e') ? word.length - 1 : word.length);

/**
 * Returns 1 for equal words, the shared fraction for words with a long common beginning (auth, authentication), else 0.
 */
function kinship(a: string, b: string): number {
  if (a === b) return 1;
  const shorter = Math.min(bareLength(a), bareLength(b));
  let common = 0;
  while (common < shorter && a.charCodeAt(common) === b.charCodeAt(common)) common++;
  if (common < KINSHIP.minLetters || common < KINSHIP.minShare * shorter) return 0;
  return (common / shorter) * KINSHIP.discount;
}
