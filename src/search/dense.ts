/**
 * Scores how near chunks are to a query in meaning. Chunk vectors do not include paths, so that a rename needs no new embedding; the
 * words of the path are added here. With c and p the unit vectors of chunk and path, a chunk in its file has the vector c + w p, scaled
 * to length 1.
 */
import { Recent } from '../base/cache.js';
import { type StaticModel, scaled, type WeightedTerm, wordSum, wordVector } from '../embed/builtin/model.js';
import { documentsOf, type LiveSet } from '../shard/live-set.js';
import type { VectorIndex } from '../shard/nearest.js';
import type { QueryVector } from '../shard/vector-shard.js';
import { type Corpus, type FolderTerms, type PathTerms, pathTerms } from './corpus.js';
import type { TermMatch } from './lexical.js';
import { DENSE } from './weights.js';

/**
 * A query, prepared for comparison with chunks and their paths. Path words always have vectors of the built-in model. If another model
 * made the chunk vectors, the two vectors are concatenated: the chunk's first, the path's after it.
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
  /** Index of the path in a vector of chunk and path. */
  pathAt: number;
  /** The query for the built-in model, which weighs rare words next to another model; null if not needed, or without a vector. */
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

/** Words that the model or the repository has; the sub-words that others happen to contain mean nothing. */
const knownTo = (model: StaticModel, terms: readonly TermMatch[]) =>
  terms.filter(({ term, df }) => df > 0 || model.has(term));

/** A query as a vector of length 1; zeros if the model knows none of its words. */
export const queryVector = (model: StaticModel, terms: readonly TermMatch[]): Float32Array =>
  wordVector(
    model,
    knownTo(model, terms).map(({ term }) => [term, 1]),
  );

/** Prepares a query for the built-in model; null if the model knows none of its words. */
export function staticQuery(
  model: StaticModel,
  vectors: VectorIndex,
  queryTerms: readonly TermMatch[],
): DenseQuery | null {
  const terms = knownTo(model, queryTerms);
  const content = queryVector(model, terms);
  if (content.every((x) => x === 0)) return null;
  const rare = wordVector(
    model,
    terms.map(({ term, idf }) => [term, idf]),
  );
  return { vectors, model, content, place: content, rare, pathAt: 0, own: null };
}

/**
 * Prepares a query that another embedder turned into a vector, `centred` if the chunks are known. `own`: the query for the built-in
 * model. The two make different errors: together they lose less to a poor embedder, and gain as much from a good one.
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

/** Factor by which more neighbours are requested until enough pass the filter. */
const FILTER_GROWTH = 8;

/** Scores documents for one query. Remembers values that documents and files share. */
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

  /** Returns up to `count` accepted live documents nearest by content alone, best first. Documents below the floor are left out. */
  nearest(count: number, kind: keyof typeof DENSE.floor, accept?: (document: number) => boolean): number[] {
    const { vectors, rare } = this.query;
    // The floor is calibrated for the built-in model. Other models have other scales.
    const floor = rare === null ? Number.NEGATIVE_INFINITY : DENSE.floor[kind];
    for (let requested = count; ; requested *= FILTER_GROWTH) {
      const all = vectors.nearest(this.content, requested);
      const near = all.filter(({ score }) => score >= floor).map(({ document }) => document);
      const found = near.filter((document) => accept?.(document) ?? true);
      if (found.length >= count || near.length < requested) return found.slice(0, count);
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
    // One pass over the numbers for all three, since this runs for each of 800 candidates.
    let [squares, dot, dotRare] = [0, 0, 0];
    const weighted = rare ?? place;
    for (let i = 0; i < sum.length; i++) {
      const x = sum[i];
      squares += x * x;
      dot += x * place[i];
      dotRare += x * weighted[i];
    }
    const length = Math.sqrt(squares) || 1;
    const dense = dot / length;
    const denseRare = rare === null ? (this.own?.features(document).denseRare ?? dense) : dotRare / length;
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

/**
 * Files remembered per snapshot in each of two generations, at about 2.3 kB a file. A file that was found often will probably be found
 * again.
 */
const MAX_CACHED_FILES = 3_072;
/** Folders remembered in each generation, at about 2.5 kB. They have ten files on average. */
const MAX_CACHED_FOLDERS = 1_024;

interface CachedFile {
  terms: PathTerms;
  /** Vector of the path's words. */
  path: Float32Array | null;
  /** Vector of the whole file, and the vector index that it was made from. */
  whole: { from: VectorIndex; vector: Float32Array } | null;
}

interface Places {
  files: Recent<number, CachedFile>;
  folders: Recent<string, FolderTerms>;
}

const places = new WeakMap<Corpus, Places>();

function placeOf(corpus: Corpus, file: number): CachedFile {
  let known = places.get(corpus);
  if (known === undefined) {
    known = { files: new Recent(MAX_CACHED_FILES), folders: new Recent(MAX_CACHED_FOLDERS) };
    places.set(corpus, known);
  }
  let place = known.files.get(file);
  if (place === undefined) {
    place = { terms: pathTerms(corpus.live.files.path(file), known.folders), path: null, whole: null };
    known.files.set(file, place);
  }
  return place;
}

export function pathTermsOf(corpus: Corpus, file: number): PathTerms {
  return placeOf(corpus, file).terms;
}

/** Sums of the words of folders by their terms, which the files of a folder share. */
const folderSums = new WeakMap<readonly string[], { model: StaticModel; sum: Float64Array }>();

const once = (term: string): WeightedTerm => [term, 1];

function folderSum(model: StaticModel, directories: readonly string[]): Float64Array {
  const known = folderSums.get(directories);
  if (known?.model === model) return known.sum;
  const sum = wordSum(model, directories.map(once));
  folderSums.set(directories, { model, sum });
  return sum;
}

/** Vector of a path's words, scaled to its weight next to a chunk. */
function pathVectorOf(corpus: Corpus, file: number, model: StaticModel): Float32Array {
  const place = placeOf(corpus, file);
  if (place.path === null) {
    const { words, directories } = place.terms;
    place.path = scaled(wordSum(model, words.map(once), folderSum(model, directories)), DENSE.path);
  }
  return place.path;
}

/** Vector of a whole file, made on first use. If two vector indexes alternate, only the last one's vector is remembered. */
function fileVectorOf(corpus: Corpus, file: number, from: VectorIndex, make: () => Float32Array): Float32Array {
  const place = placeOf(corpus, file);
  if (place.whole?.from !== from) place.whole = { from, vector: make() };
  return place.whole.vector;
}

/** Chunks for the mean: enough to know each of its numbers to a fiftieth of its spread. */
export const CENTRE_SAMPLE = 2_048;

const means = new WeakMap<VectorIndex, Float64Array>();

/**
 * Returns the question's vector of length 1 without the part that all chunks share, and remembers their mean. The vectors of many models
 * point in nearly one direction: unrelated texts have a cosine of .5 to .8. Without that part, a question's similarities tell chunks
 * apart as well as those of other models do. Source: "All-but-the-Top" (Mu and Viswanath, ICLR 2018), its first step, here applied to the
 * question alone.
 */
export function centred(question: Float32Array, live: LiveSet, vectors: VectorIndex): Float32Array {
  const mean = means.get(vectors) ?? meanOf(live, vectors);
  means.set(vectors, mean);
  return without(question, mean);
}

/**
 * Removes the direction of `mean`, that of chunks' unit vectors, from a vector of length 1. The result is longer by as much as that
 * shortens a chunk, so that the similarities keep their weight next to those of paths.
 */
export function without(question: Float32Array, mean: Float64Array): Float32Array {
  let common = 0;
  let square = 0;
  for (let i = 0; i < mean.length; i++) {
    common += question[i] * mean[i];
    square += mean[i] * mean[i];
  }
  const rest = question.map((x, i) => (square === 0 ? x : x - (common / square) * mean[i]));
  let left = 0;
  for (const x of rest) left += x * x;
  // A model whose vectors are all equal leaves nothing.
  const scale = 1 / (Math.sqrt(left * (1 - square)) || 1);
  return rest.map((x) => x * scale);
}

/**
 * Mean of the unit vectors of up to CENTRE_SAMPLE chunks. It takes the lowest blob ids, since numbers of files depend on the order of
 * indexing.
 */
function meanOf(live: LiveSet, vectors: VectorIndex): Float64Array {
  const ids = Array.from({ length: live.files.length }, (_, file) => `${live.files.oid(file)} ${file}`).sort();
  const documents = ids.map((id) => documentsOf(live, Number(id.split(' ')[1])));
  return meanOfChunks(vectors, documents);
}

/** Mean of the unit vectors of the first CENTRE_SAMPLE chunks with vectors; zeros without any. */
export function meanOfChunks(vectors: VectorIndex, ranges: Iterable<{ first: number; end: number }>): Float64Array {
  const sum = new Float32Array(vectors.dimensions);
  let count = 0;
  for (const { first, end } of ranges) {
    for (let document = first; document < end && count < CENTRE_SAMPLE; document++) {
      if (!vectors.has(document)) continue;
      vectors.addTo(sum, document, 1);
      count++;
    }
    if (count === CENTRE_SAMPLE) break;
  }
  return Float64Array.from(sum, (x) => x / Math.max(1, count));
}
