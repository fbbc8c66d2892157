/**
 * Scores how near chunks are to a query in meaning. Chunk vectors do not include paths, so that a rename needs no new embedding; the
 * words of the path are added here. With c and p the unit vectors of chunk and path, a chunk in its file has the vector c + w p, scaled
 * to length 1.
 */
import { Recent } from '../base/cache.js';
import { type StaticModel, scaled, type WeightedTerm, wordSum, wordVector } from '../embed/builtin/model.js';
import { documentsOf, type LiveSet } from '../shard/live-set.js';
import type { VectorIndex } from '../shard/nearest.js';
import { type PreciseQueries, precise, type QueryVector } from '../shard/vector-shard.js';
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

/** Documents whose products with a query are computed together. */
const BLOCK = 8;

/** Products of a file with the query, and with its rare words. */
interface FileProducts {
  path: number;
  rarePath: number;
  /** Similarity of the whole file; undefined until it is needed. */
  whole?: number;
}

/**
 * Scores documents for one query. Only the lengths of sums of vectors depend on more than one product with the query, and they are
 * the same for all queries. They are remembered, and with them a score is a sum of products.
 */
export class DenseScorer {
  private readonly content: QueryVector;
  private readonly queries: PreciseQueries;
  private readonly lengths: Lengths;
  private readonly own: DenseScorer | null;
  private readonly files = new Map<number, FileProducts>();
  /** Products of the rows of the model with the query, and with its rare words. */
  private readonly words = new Map<number, readonly [number, number]>();
  /** Index in `products` of each block of documents. */
  private readonly blocks = new Map<number, number>();
  private products = new Float64Array(2 ** 12);

  constructor(
    private readonly corpus: Corpus,
    private readonly query: DenseQuery,
  ) {
    const { vectors, content, place, rare } = query;
    this.content = vectors.query(content);
    const weighted = rare ?? place;
    this.queries = precise([place, weighted].map((each) => each.subarray(0, vectors.dimensions)));
    this.lengths = lengthsOf(corpus, query);
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
    const { fileOf } = this.corpus.live;
    const file = fileOf[document];
    const products = this.productsOf(file);
    const at = this.at(document);
    let [dot, dotRare] = [products.path + this.products[at], products.rarePath + this.products[at + 1]];
    let isAlone = true;
    for (const next of [document - 1, document + 1]) {
      if (fileOf[next] !== file) continue;
      isAlone = false;
      const other = this.at(next);
      dot += DENSE.neighbour * this.products[other];
      dotRare += DENSE.neighbour * this.products[other + 1];
    }
    const length = this.lengths.ofChunk(document);
    const dense = dot / length;
    const denseRare = this.query.rare === null ? (this.own?.features(document).denseRare ?? dense) : dotRare / length;
    // A chunk alone in its file equals the file.
    return { dense, denseRare, denseFile: isAlone ? dense : this.wholeOf(file, products) };
  }

  private productsOf(file: number): FileProducts {
    let products = this.files.get(file);
    if (products === undefined) {
      let [path, rarePath] = [0, 0];
      const { rows, length } = pathOf(this.corpus, file, this.query.model);
      for (const row of rows) {
        const [plain, rare] = this.wordProducts(row);
        path += plain;
        rarePath += rare;
      }
      const factor = length === 0 ? 0 : DENSE.path / length;
      products = { path: factor * path, rarePath: factor * rarePath };
      this.files.set(file, products);
    }
    return products;
  }

  private wordProducts(row: number): readonly [number, number] {
    let products = this.words.get(row);
    if (products === undefined) {
      const { model, place, rare, pathAt } = this.query;
      const plain = model.product(row, place, pathAt);
      products = [plain, rare === null ? plain : model.product(row, rare, pathAt)];
      this.words.set(row, products);
    }
    return products;
  }

  /** Similarity of the mean of a file's chunk vectors with its path. */
  private wholeOf(file: number, products: FileProducts): number {
    if (products.whole === undefined) {
      const { first, end } = documentsOf(this.corpus.live, file);
      const last = Math.min(end, first + DENSE.fileChunks);
      let sum = 0;
      for (let document = first; document < last; document++) {
        // Asked first, since it may replace the array.
        const at = this.at(document);
        sum += this.products[at];
      }
      products.whole = (products.path + sum / (last - first)) / this.lengths.ofFile(file);
    }
    return products.whole;
  }

  /** Index in `products` of a document's. */
  private at(document: number): number {
    const block = Math.floor(document / BLOCK);
    let at = this.blocks.get(block);
    if (at === undefined) {
      at = 2 * BLOCK * this.blocks.size;
      if (at + 2 * BLOCK > this.products.length) {
        const larger = new Float64Array(2 * this.products.length);
        larger.set(this.products);
        this.products = larger;
      }
      this.query.vectors.productsOf(this.queries, block * BLOCK, BLOCK, this.products, at);
      this.blocks.set(block, at);
    }
    return at + 2 * (document - block * BLOCK);
  }
}

/** Lengths of sums of vectors, which are remembered for each chunk and each file. */
class Lengths {
  /** 0 if not known yet. */
  private readonly chunks: Float64Array;
  private readonly files: Float64Array;
  private readonly sum: Float32Array;
  private latest: { file: number; words: Float32Array } | null = null;

  constructor(
    private readonly corpus: Corpus,
    private readonly query: Pick<DenseQuery, 'vectors' | 'model' | 'pathAt'>,
  ) {
    const { fileOf, files } = corpus.live;
    const { vectors, model, pathAt } = query;
    this.chunks = new Float64Array(fileOf.length);
    this.files = new Float64Array(files.length);
    this.sum = new Float32Array(pathAt === 0 ? vectors.dimensions : pathAt + model.dimensions);
  }

  /** Length of a chunk's vector with that of its path and its neighbours; 1 for one of length 0. */
  ofChunk(document: number): number {
    if (this.chunks[document] === 0) {
      const { fileOf } = this.corpus.live;
      const file = fileOf[document];
      this.startWithPath(file);
      this.add(document, 1);
      for (const next of [document - 1, document + 1]) if (fileOf[next] === file) this.add(next, DENSE.neighbour);
      this.chunks[document] = Math.sqrt(product(this.sum, this.sum)) || 1;
    }
    return this.chunks[document];
  }

  /** Length of the mean of a file's chunk vectors with its path; 1 for one of length 0. */
  ofFile(file: number): number {
    if (this.files[file] === 0) {
      const { first, end } = documentsOf(this.corpus.live, file);
      const last = Math.min(end, first + DENSE.fileChunks);
      this.startWithPath(file);
      for (let document = first; document < last; document++) this.add(document, 1 / (last - first));
      this.files[file] = Math.sqrt(product(this.sum, this.sum)) || 1;
    }
    return this.files[file];
  }

  private add(document: number, weight: number): void {
    this.query.vectors.addTo(this.sum, document, weight);
  }

  /** Fills `sum` with the vector of a file's path words, at its position and scaled by its weight. */
  private startWithPath(file: number): void {
    const { pathAt, model } = this.query;
    if (this.latest?.file !== file) this.latest = { file, words: pathVectorOf(this.corpus, file, model) };
    this.sum.fill(0, 0, pathAt);
    this.sum.set(this.latest.words, pathAt);
  }
}

function lengthsOf(corpus: Corpus, query: DenseQuery): Lengths {
  const { lengths } = placesOf(corpus);
  const known = lengths.get(query.vectors) ?? new Lengths(corpus, query);
  lengths.set(query.vectors, known);
  return known;
}

function product(a: Float32Array | Float64Array, b: Float32Array | Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * Files remembered per snapshot in each of two generations, at about .5 kB a file. A file that was found often will probably be found
 * again.
 */
const MAX_CACHED_FILES = 6_144;
/** Folders remembered in each generation, at about 2.5 kB. They have ten files on average. */
const MAX_CACHED_FOLDERS = 1_024;

interface CachedFile {
  terms: PathTerms;
  words: PathWords | null;
}

/** The words of a path as rows of the model. */
interface PathWords {
  /** A row occurs once for each of its words. */
  rows: readonly number[];
  /** Length of their sum. */
  length: number;
}

interface Places {
  files: Recent<number, CachedFile>;
  folders: Recent<string, FolderTerms>;
  lengths: WeakMap<VectorIndex, Lengths>;
  /** Sum of the words of the file that was asked about last. */
  latest: { file: number; model: StaticModel; sum: Float64Array } | null;
}

const places = new WeakMap<Corpus, Places>();

function placesOf(corpus: Corpus): Places {
  let known = places.get(corpus);
  if (known === undefined) {
    known = {
      files: new Recent(MAX_CACHED_FILES),
      folders: new Recent(MAX_CACHED_FOLDERS),
      lengths: new WeakMap(),
      latest: null,
    };
    places.set(corpus, known);
  }
  return known;
}

function placeOf(corpus: Corpus, file: number): CachedFile {
  const known = placesOf(corpus);
  let place = known.files.get(file);
  if (place === undefined) {
    place = { terms: pathTerms(corpus.live.files.path(file), known.folders), words: null };
    known.files.set(file, place);
  }
  return place;
}

export function pathTermsOf(corpus: Corpus, file: number): PathTerms {
  return placeOf(corpus, file).terms;
}

/** Sums of the words of folders by their terms, which the files of a folder share. */
const folderSums = new WeakMap<readonly string[], { model: StaticModel; sum: Float64Array; rows: readonly number[] }>();

const once = (term: string): WeightedTerm => [term, 1];

function folderSum(model: StaticModel, directories: readonly string[]) {
  const known = folderSums.get(directories);
  if (known?.model === model) return known;
  const sum = wordSum(model, directories.map(once));
  const made = { model, sum, rows: directories.flatMap((term) => model.rowsOf(term)) };
  folderSums.set(directories, made);
  return made;
}

function pathSumOf(corpus: Corpus, file: number, model: StaticModel): Float64Array {
  const known = placesOf(corpus);
  if (known.latest?.file !== file || known.latest.model !== model) {
    const { words, directories } = pathTermsOf(corpus, file);
    known.latest = { file, model, sum: wordSum(model, words.map(once), folderSum(model, directories).sum) };
  }
  return known.latest.sum;
}

/** Vector of a path's words, scaled to its weight next to a chunk. */
const pathVectorOf = (corpus: Corpus, file: number, model: StaticModel): Float32Array =>
  scaled(pathSumOf(corpus, file, model), DENSE.path);

function pathOf(corpus: Corpus, file: number, model: StaticModel): PathWords {
  const place = placeOf(corpus, file);
  if (place.words === null) {
    const { words, directories } = place.terms;
    const rows = [...words.flatMap((term) => model.rowsOf(term)), ...folderSum(model, directories).rows];
    const sum = pathSumOf(corpus, file, model);
    place.words = { rows, length: Math.sqrt(product(sum, sum)) };
  }
  return place.words;
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
