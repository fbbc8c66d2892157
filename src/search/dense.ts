/**
 * How near chunks are to a query by meaning. Chunk vectors know nothing of paths (a rename embeds nothing again), so
 * the words of a path are matched here: with q, c and p the unit vectors of query, chunk and path, the score is that of
 * the chunk vector c + w p, scaled to length 1: (q.c + w q.p) / |c + w p|.
 */
import type { StaticModel } from '../embed/builtin/model.js';
import { documentsOf } from '../shard/live.js';
import type { VectorIndex } from '../shard/nearest.js';
import type { QueryVector } from '../shard/vector-math.js';
import type { TermMatch } from './bm25.js';
import type { Corpus } from './corpus.js';
import { pathTerms } from './paths.js';
import { DENSE } from './weights.js';

/** What a query is matched with. */
export interface DenseQuery {
  vectors: VectorIndex;
  /** The query in the space of the chunk vectors. */
  content: Float32Array;
  /** The query with its words weighted by how rare they are here; null for embedders that see whole texts. */
  rare: Float32Array | null;
  /** The model that path words are compared with, whatever made the chunk vectors; and the query in its space. */
  model: StaticModel;
  words: Float32Array;
}

export interface DenseFeatures {
  /** The chunk, path included, smoothed with its neighbours in the file. */
  dense: number;
  /** The same for the query with rare words first. */
  denseRare: number;
  /** Mean over the file's chunks. */
  denseFile: number;
}

/** The query's vectors under the built-in model; null if it knows none of the words. */
export function staticQuery(model: StaticModel, vectors: VectorIndex, terms: readonly TermMatch[]): DenseQuery | null {
  const words = sumOf(
    model,
    terms.map(({ term }) => [term, 1]),
  );
  if (words.every((x) => x === 0)) return null;
  const rare = sumOf(
    model,
    terms.map(({ term, idf }) => [term, idf]),
  );
  return { vectors, content: words, rare, model, words };
}

function sumOf(model: StaticModel, terms: readonly (readonly [string, number])[]): Float32Array {
  const sum = new Float64Array(model.dimensions);
  for (const [term, weight] of terms) for (const row of model.rowsOf(term)) model.addWeighted(sum, row, weight);
  const length = Math.sqrt(sum.reduce((squared, x) => squared + x * x, 0));
  return Float32Array.from(sum, (x) => (length === 0 ? 0 : x / length));
}

interface PathVector {
  /** Unit vector of the path's words in the built-in model's space, as int8. */
  unit: Float32Array;
  /** Product with the query. */
  score: number;
}

/** Scores of documents for one query; remembers what documents and files share. */
export class DenseScorer {
  private readonly content: QueryVector;
  private readonly rare: QueryVector | null;
  private readonly paths = new Map<number, PathVector>();
  private readonly files = new Map<number, number>();
  private readonly known = new Map<number, number>();

  constructor(
    private readonly corpus: Corpus,
    private readonly query: DenseQuery,
  ) {
    this.content = query.vectors.query(query.content);
    this.rare = query.rare === null ? null : query.vectors.query(query.rare);
  }

  /** The nearest live documents by content alone. */
  nearest(count: number): number[] {
    return this.query.vectors.nearest(this.content, count).map(({ document }) => document);
  }

  features(document: number): DenseFeatures {
    const dense = this.smooth(document, (at) => this.score(at));
    const { rare } = this;
    return {
      dense,
      denseRare: rare === null ? dense : this.smooth(document, (at) => this.query.vectors.score(at, rare)),
      denseFile: this.file(this.corpus.live.fileOf[document]),
    };
  }

  /** Content and path. */
  private score(document: number): number {
    let score = this.known.get(document);
    if (score === undefined) {
      const path = this.path(this.corpus.live.fileOf[document]);
      score = (this.query.vectors.score(document, this.content) + DENSE.path * path.score) / Math.hypot(1, DENSE.path);
      this.known.set(document, score);
    }
    return score;
  }

  /** The document's score with a share of those of its neighbours in the file. */
  private smooth(document: number, score: (document: number) => number): number {
    const { fileOf } = this.corpus.live;
    const file = fileOf[document];
    let sum = score(document);
    let weight = 1;
    for (const next of [document - 1, document + 1]) {
      if (fileOf[next] !== file) continue;
      sum += DENSE.neighbour * score(next);
      weight += DENSE.neighbour;
    }
    return sum / weight;
  }

  private path(file: number): PathVector {
    let path = this.paths.get(file);
    if (path === undefined) {
      const { words, directories } = pathTerms(this.corpus.live.files.path(file));
      const unit = sumOf(
        this.query.model,
        [...words, ...directories].map((term) => [term, 1]),
      );
      let score = 0;
      for (let i = 0; i < unit.length; i++) score += unit[i] * this.query.words[i];
      path = { unit, score };
      this.paths.set(file, path);
    }
    return path;
  }

  private file(file: number): number {
    let mean = this.files.get(file);
    if (mean === undefined) {
      const { first, end } = documentsOf(this.corpus.live, file);
      let sum = 0;
      const last = Math.min(end, first + DENSE.fileChunks);
      for (let document = first; document < last; document++) {
        sum += this.query.vectors.score(document, this.content);
      }
      mean = sum / Math.max(1, last - first);
      this.files.set(file, mean);
    }
    return mean;
  }
}
