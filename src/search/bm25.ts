/**
 * BM25F over the live documents of a snapshot (Zaragoza et al., "Microsoft Cambridge at TREC-13", 2004; Robertson and
 * Zaragoza, 2009). Document frequencies and average lengths count live documents alone, so that what other branches
 * brought into the same shards changes no score.
 *
 *   tf'(t, d) = sum over fields f of  w_f * tf_f(t, d) / (1 - b_f + b_f * len_f(d) / avg_f)
 *   idf(t)    = ln(1 + (N - df(t) + 0.5) / (df(t) + 0.5))
 *   score(d)  = sum over terms t of  idf(t) * tf'(t, d) / (k1 + tf'(t, d))
 */
import { documentsOf } from '../shard/live.js';
import type { Corpus } from './corpus.js';
import { BM25F } from './weights.js';

export interface TermMatch {
  term: string;
  /** Number of live documents that have the term in any field. */
  df: number;
  idf: number;
}

export interface LexicalScores {
  /** Score by global document; zero for documents that do not match. */
  scores: Float64Array;
  /** Sum of the idf of the query terms that occur in the document, by global document. */
  coverage: Float64Array;
  /** Sum of the idf of the query terms that occur in names which the chunk defines, by global document. */
  defined: Float64Array;
  /** Documents with a score, in no particular order. */
  matched: Uint32Array;
  terms: TermMatch[];
}

/** Statistics of a collection of which a corpus holds only a part, such as the candidates of a fleet. */
export interface Collection {
  /** Number of documents. */
  count: number;
  /** Number of documents that have a term in any field; undefined if the collection does not tell. */
  df(term: string): number | undefined;
}

interface Scratch {
  weights: Float64Array;
  inName: Uint8Array;
}

/** By corpus, all zeros between two queries: new ones for each query are most of its garbage in a large repository. */
const scratches = new WeakMap<Corpus, Scratch>();

function scratchOf(corpus: Corpus, total: number): Scratch {
  const scratch = scratches.get(corpus) ?? { weights: new Float64Array(total), inName: new Uint8Array(total) };
  scratches.set(corpus, scratch);
  return scratch;
}

/** `collection`: what document frequencies count; default: the live documents of the corpus. */
export function scoreBm25f(corpus: Corpus, terms: readonly string[], collection?: Collection): LexicalScores {
  const total = corpus.live.fileOf.length;
  const result = {
    scores: new Float64Array(total),
    coverage: new Float64Array(total),
    defined: new Float64Array(total),
  };
  const matches: TermMatch[] = [];
  const { weights, inName } = scratchOf(corpus, total);
  const matched: number[] = [];
  for (const term of terms) {
    const touched: number[] = [];
    const add = (document: number, weight: number) => {
      if (weights[document] === 0) touched.push(document);
      weights[document] += weight;
    };
    addContent(corpus, term, add, inName);
    addPaths(corpus, term, add);
    const df = Math.max(touched.length, collection?.df(term) ?? 0);
    const count = Math.max(df, collection?.count ?? corpus.live.count);
    const idf = Math.log(1 + (count - df + 0.5) / (df + 0.5));
    matches.push({ term, df, idf });
    for (const document of touched) {
      const tf = weights[document];
      // Every match adds to the score.
      if (result.scores[document] === 0) matched.push(document);
      result.scores[document] += (idf * tf) / (BM25F.k1 + tf);
      result.coverage[document] += idf;
      if (inName[document]) result.defined[document] += idf;
      weights[document] = 0;
      inName[document] = 0;
    }
  }
  return { ...result, matched: Uint32Array.from(matched), terms: matches };
}

type Add = (document: number, weight: number) => void;

function addContent(corpus: Corpus, term: string, add: Add, inName: Uint8Array): void {
  const { live, averages } = corpus;
  for (const [i, shard] of live.shards.entries()) {
    const index = shard.findTerm(term);
    if (index < 0) continue;
    const base = live.bases[i];
    const { bodyLength, nameLength, enclosingLength } = shard.columns;
    const postings = shard.postings(index);
    for (let k = 0; k < postings.count; k++) {
      const local = postings.documents[k];
      const document = base + local;
      if (live.fileOf[document] < 0) continue;
      let weight = fieldWeight(postings.body[k], bodyLength[local], averages.body, BM25F.body);
      if (postings.name[k] > 0) {
        weight += fieldWeight(postings.name[k], nameLength[local], averages.name, BM25F.name);
        inName[document] = 1;
      }
      if (postings.enclosing[k] > 0) {
        weight += fieldWeight(postings.enclosing[k], enclosingLength[local], averages.enclosing, BM25F.enclosing);
      }
      add(document, weight);
    }
  }
}

function addPaths(corpus: Corpus, term: string, add: Add): void {
  for (const [file, tf] of corpus.pathPostings.of(term)) {
    const weight = fieldWeight(tf, corpus.pathLengths[file], corpus.averages.path, BM25F.path);
    const { first, end } = documentsOf(corpus.live, file);
    for (let document = first; document < end; document++) add(document, weight);
  }
}

function fieldWeight(tf: number, length: number, average: number, field: { weight: number; b: number }): number {
  if (tf === 0) return 0;
  return (field.weight * tf) / (1 - field.b + (field.b * length) / Math.max(average, 1e-9));
}
