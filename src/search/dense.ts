/**
 * Scores how near chunks are to a query in meaning. Chunk vectors know nothing of paths, so that a rename needs no new
 * embedding; the words of the path are added here. With c and p the unit vectors of chunk and path, a chunk in its file
 * has the vector c + w p, scaled to length 1.
 */
import type { StaticModel } from '../embed/builtin/model.js';
import { wordVector } from '../embed/builtin/model.js';
import { documentsOf } from '../shard/live.js';
import type { VectorIndex } from '../shard/nearest.js';
import type { QueryVector } from '../shard/vector-math.js';
import type { TermMatch } from './bm25.js';
import type { Corpus } from './corpus.js';
import { fileVectorOf, pathVectorOf } from './place-cache.js';
import { DENSE } from './weights.js';

/**
 * A query, prepared for comparison with chunks and their paths. Path words always have vectors of the built-in model.
 * If another model made the chunk vectors, the two vectors are concatenated: the chunk's first, the path's after it.
 */
export interface DenseQuery {
  vectors: VectorIndex;
  model: StaticModel;
  /** The query in the space of chunk vectors, of length 1. */
  content: Float32Array;
  /** The query in the space of chunk and path together. */
  place: Float32Array;
  /** The query like `place`, with words weighted by how rare they are here; null for embedders that see whole texts. */
  rare: Float32Array | null;
  /** Index at which the path begins in a vector of chunk and path. */
  pathAt: number;
  /** The query for the built-in model, which weighs rare words beside another model; null where there is no need, or no vector of it. */
  own: DenseQuery | null;
}

export interface DenseFeatures {
  /** Similarity of the chunk with its path, smoothed with its neighbours in the file. */
  dense: number;
  /** Similarity of the chunk to the query with rare words weighted up. */
  denseRare: number;
  /** Similarity of the mean over the file's chunks. */
  denseFile: number;
}

/**
 * Prepares a query for the built-in model; null if the model knows none of its words. Words that neither the model nor
 * the repository has are left out, because the sub-words that they happen to contain mean nothing.
 */
export function staticQuery(model: StaticModel, vectors: VectorIndex, asked: readonly TermMatch[]): DenseQuery | null {
  const terms = asked.filter(({ term, df }) => df > 0 || model.has(term));
  const content = wordVector(
    model,
    terms.map(({ term }) => [term, 1]),
  );
  if (content.every((x) => x === 0)) return null;
  const rare = wordVector(
    model,
    terms.map(({ term, idf }) => [term, idf]),
  );
  return { vectors, model, content, place: content, rare, pathAt: 0, own: null };
}

/**
 * Prepares a query that another embedder turned into a vector, `centred` where the chunks are known. `own`: the same query for the built-in
 * model, whose errors are others: together they lose less to a poor embedder, and gain as much by a good one.
 */
export function providerQuery(
  model: StaticModel,
  vectors: VectorIndex,
  content: Float32Array,
  { terms, own = null }: { terms: readonly TermMatch[]; own?: DenseQuery | null },
): DenseQuery {
  const words = wordVector(
    model,
    terms.map(({ term }) => [term, 1]),
  );
  const place = Float32Array.of(...content, ...words);
  return { vectors, model, content, place, rare: null, pathAt: content.length, own };
}

/** Factor for asking for more neighbours until enough of them pass the filter. */
const FILTER_GROWTH = 8;

/** Scores documents for one query; remembers values that documents and files share. */
export class DenseScorer {
  private readonly content: QueryVector;
  private readonly files = new Map<number, number>();
  private readonly sum: Float32Array;
  private readonly own: DenseScorer | null;

  constructor(
    private readonly corpus: Corpus,
    private readonly query: DenseQuery,
  ) {
    this.content = query.vectors.query(query.content);
    this.sum = new Float32Array(query.place.length);
    this.own = query.own === null ? null : new DenseScorer(corpus, query.own);
  }

  /**
   * Returns up to `count` of the nearest accepted live documents, by content alone, best first. Documents below the
   * floor are left out.
   */
  nearest(count: number, kind: keyof typeof DENSE.floor, accept?: (document: number) => boolean): number[] {
    const { vectors, rare } = this.query;
    // The floor is calibrated for the built-in model; other models have other scales.
    const floor = rare === null ? Number.NEGATIVE_INFINITY : DENSE.floor[kind];
    for (let asked = count; ; asked *= FILTER_GROWTH) {
      const all = vectors.nearest(this.content, asked);
      const near = all.filter(({ score }) => score >= floor).map(({ document }) => document);
      const found = near.filter((document) => accept?.(document) ?? true);
      if (found.length >= count || near.length < asked) return found.slice(0, count);
    }
  }

  features(document: number): DenseFeatures {
    const { sum } = this;
    const { place, rare, vectors } = this.query;
    const { fileOf } = this.corpus.live;
    const file = fileOf[document];
    this.startWithPath(file);
    vectors.addTo(sum, document, 1);
    for (const next of [document - 1, document + 1])
      if (fileOf[next] === file) vectors.addTo(sum, next, DENSE.neighbour);
    // One pass over the numbers for all three: this runs for each of 800 candidates.
    let [squares, asked, askedRare] = [0, 0, 0];
    const weighted = rare ?? place;
    for (let i = 0; i < sum.length; i++) {
      const x = sum[i];
      squares += x * x;
      asked += x * place[i];
      askedRare += x * weighted[i];
    }
    const length = Math.sqrt(squares) || 1;
    const dense = asked / length;
    const denseRare = rare === null ? (this.own?.features(document).denseRare ?? dense) : askedRare / length;
    // A chunk alone in its file equals the file.
    const alone = fileOf[document - 1] !== file && fileOf[document + 1] !== file;
    return { dense, denseRare, denseFile: alone ? dense : this.file(file) };
  }

  /** Fills `sum` with the vector of a file's path words, at its position and scaled by its weight. */
  private startWithPath(file: number): void {
    const { sum } = this;
    const { pathAt, model } = this.query;
    const words = pathVectorOf(this.corpus, file, model);
    sum.fill(0, 0, pathAt);
    sum.set(words, pathAt);
  }

  /** Similarity of the query to the file as a whole. */
  private file(file: number): number {
    let score = this.files.get(file);
    if (score === undefined) {
      score = product(
        fileVectorOf(this.corpus, file, this.query.vectors, () => this.fileVector(file)),
        this.query.place,
      );
      this.files.set(file, score);
    }
    return score;
  }

  /** Mean of a file's chunk vectors with its path, of length 1. */
  private fileVector(file: number): Float32Array {
    const { first, end } = documentsOf(this.corpus.live, file);
    const last = Math.min(end, first + DENSE.fileChunks);
    const { sum } = this;
    this.startWithPath(file);
    for (let document = first; document < last; document++) this.query.vectors.addTo(sum, document, 1 / (last - first));
    const vector = sum.slice();
    const scale = 1 / (Math.sqrt(product(sum, sum)) || 1);
    for (let i = 0; i < vector.length; i++) vector[i] *= scale;
    return vector;
  }
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
