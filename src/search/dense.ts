/**
 * How near chunks are to a query by meaning. Chunk vectors know nothing of paths (a rename embeds nothing again), so
 * the words of a path are added here: with c and p the unit vectors of chunk and path, a place is c + w p, of length 1.
 */
import type { StaticModel } from '../embed/builtin/model.js';
import { documentsOf } from '../shard/live.js';
import type { VectorIndex } from '../shard/nearest.js';
import type { QueryVector } from '../shard/vector-math.js';
import type { TermMatch } from './bm25.js';
import type { Corpus } from './corpus.js';
import { pathVectorOf } from './place-cache.js';
import { DENSE } from './weights.js';
import { wordVector } from './word-vector.js';

/**
 * What a query is matched with. Path words are always those of the built-in model; where another one made the chunk
 * vectors, both stand side by side: chunk first, path after it.
 */
export interface DenseQuery {
  vectors: VectorIndex;
  model: StaticModel;
  /** The query among chunk vectors, of length 1. */
  content: Float32Array;
  /** The query among places. */
  place: Float32Array;
  /** The same with words weighted by how rare they are here; null for embedders that see whole texts. */
  rare: Float32Array | null;
  /** Where the path begins in a place. */
  pathAt: number;
}

export interface DenseFeatures {
  /** The chunk, path included, smoothed with its neighbours in the file. */
  dense: number;
  /** The same for the query with rare words first. */
  denseRare: number;
  /** Mean over the file's chunks. */
  denseFile: number;
}

/**
 * A query under the built-in model; null if it knows none of the words. A word that neither the model nor the repository
 * has is left out: what its letters happen to contain means nothing.
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
  return { vectors, model, content, place: content, rare, pathAt: 0 };
}

/** A query that another embedder turned into a vector of length 1. */
export function providerQuery(
  model: StaticModel,
  vectors: VectorIndex,
  content: Float32Array,
  terms: readonly TermMatch[],
): DenseQuery {
  const words = wordVector(
    model,
    terms.map(({ term }) => [term, 1]),
  );
  return { vectors, model, content, place: Float32Array.of(...content, ...words), rare: null, pathAt: content.length };
}

/** Places that a query usually needs: candidates and their neighbours. */
const PLACES = 1_024;

/** A filter is asked about this many times more neighbours until enough pass it. */
const FILTER_GROWTH = 8;

/** Scores of documents for one query; remembers what documents and files share. */
export class DenseScorer {
  private readonly content: QueryVector;
  /** Numbers of a place. */
  private readonly size: number;
  private readonly files = new Map<number, number>();
  /** Where a document's place begins in `places`: one array, as a thousand small ones cost more than what is in them. */
  private readonly placeAt = new Map<number, number>();
  private places: Float32Array;
  private readonly sum: Float32Array;

  constructor(
    private readonly corpus: Corpus,
    private readonly query: DenseQuery,
  ) {
    this.content = query.vectors.query(query.content);
    this.size = query.place.length;
    this.places = new Float32Array(this.size * PLACES);
    this.sum = new Float32Array(this.size);
  }

  /** Up to `count` of the nearest live documents that are accepted, by content alone, best first; none that is far. */
  nearest(count: number, kind: keyof typeof DENSE.floor, accept?: (document: number) => boolean): number[] {
    const { vectors, rare } = this.query;
    // Other models have other scales.
    const floor = rare === null ? Number.NEGATIVE_INFINITY : DENSE.floor[kind];
    for (let asked = count; ; asked *= FILTER_GROWTH) {
      const all = vectors.nearest(this.content, asked);
      const near = all.filter(({ score }) => score >= floor).map(({ document }) => document);
      const found = near.filter((document) => accept?.(document) ?? true);
      if (found.length >= count || near.length < asked) return found.slice(0, count);
    }
  }

  features(document: number): DenseFeatures {
    const { fileOf } = this.corpus.live;
    const file = fileOf[document];
    this.sum.fill(0);
    this.addPlace(document, file, 1);
    for (const next of [document - 1, document + 1])
      if (fileOf[next] === file) this.addPlace(next, file, DENSE.neighbour);
    const length = Math.sqrt(product(this.sum, this.sum)) || 1;
    const dense = product(this.sum, this.query.place) / length;
    const { rare } = this.query;
    return {
      dense,
      denseRare: rare === null ? dense : product(this.sum, rare) / length,
      denseFile: this.file(file),
    };
  }

  /** Adds the unit vector of a document with its path to `sum`. */
  private addPlace(document: number, file: number, weight: number): void {
    const at = this.placeAt.get(document) ?? this.makePlace(document, file);
    const { sum, places, size } = this;
    for (let i = 0; i < size; i++) sum[i] += weight * places[at + i];
  }

  private makePlace(document: number, file: number): number {
    const at = this.placeAt.size * this.size;
    if (at === this.places.length) {
      const grown = new Float32Array(this.places.length * 2);
      grown.set(this.places);
      this.places = grown;
    }
    this.placeAt.set(document, at);
    const place = this.places.subarray(at, at + this.size);
    this.startWithPath(place, file);
    this.query.vectors.addTo(place, document, 1);
    const scale = 1 / (Math.sqrt(product(place, place)) || 1);
    for (let i = 0; i < place.length; i++) place[i] *= scale;
    return at;
  }

  /** Puts the words of a file's path where they belong, as long as their weight beside a chunk. */
  private startWithPath(place: Float32Array, file: number): void {
    const words = pathVectorOf(this.corpus, file, this.query.model);
    place.fill(0);
    for (let i = 0; i < words.length; i++) place[this.query.pathAt + i] = DENSE.path * words[i];
  }

  /** The query against the mean of a file's chunks, with its path. */
  private file(file: number): number {
    let score = this.files.get(file);
    if (score === undefined) {
      const { first, end } = documentsOf(this.corpus.live, file);
      const last = Math.min(end, first + DENSE.fileChunks);
      const { sum } = this;
      this.startWithPath(sum, file);
      for (let document = first; document < last; document++)
        this.query.vectors.addTo(sum, document, 1 / (last - first));
      score = product(sum, this.query.place) / (Math.sqrt(product(sum, sum)) || 1);
      this.files.set(file, score);
    }
    return score;
  }
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
