/**
 * Scores how near chunks are to a query in meaning. Chunk vectors do not include paths, so that a rename needs no new embedding; the
 * words of the path are added here. With c and p the unit vectors of chunk and path, a chunk in its file has the vector c + w p, scaled
 * to length 1.
 */
import { Recent } from '../base/cache.js';
import { type StaticModel, scaled, wordVector } from '../embed/builtin/model.js';
import { documentsOf, type LiveSet } from '../shard/live-set.js';
import type { VectorIndex } from '../shard/nearest.js';
import { type PreciseQueries, precise, type QueryVector } from '../shard/vector-shard.js';
import { type Corpus, type FolderTerms, pathTerms } from './corpus.js';
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
  private readonly paths: PathWords;
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
    this.paths = PathWords.of(corpus);
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
      const { model } = this.query;
      this.paths.eachRow(file, model, (row) => {
        const [plain, rare] = this.wordProducts(row);
        path += plain;
        rarePath += rare;
      });
      const length = this.paths.lengthOf(file, model);
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
  const lengths = LENGTHS.get(corpus) ?? new WeakMap<VectorIndex, Lengths>();
  LENGTHS.set(corpus, lengths);
  const known = lengths.get(query.vectors) ?? new Lengths(corpus, query);
  lengths.set(query.vectors, known);
  return known;
}

const LENGTHS = new WeakMap<Corpus, WeakMap<VectorIndex, Lengths>>();

function product(a: Float32Array | Float64Array, b: Float32Array | Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Ranges of the words of a file's path in the numbers of `PathWords`. */
interface PathAt {
  stem: readonly [start: number, end: number];
  words: readonly [start: number, end: number];
  directories: readonly [start: number, end: number];
  parent: readonly [start: number, end: number];
}

/** Folders whose sums are remembered in each of two generations, at 2 kB each. */
const MAX_CACHED_SUMS = 128;

/**
 * The words of paths of a snapshot as numbers, in arrays that grow with the files that were asked about: some 50 bytes a file, where lists
 * of texts took ten times as much, and whoever forgets them collects them.
 */
export class PathWords {
  /** Words by number. */
  readonly words: string[] = [];
  private readonly numberOf = new Map<string, number>();
  /** Start in `data` of what is known of a file; 0 for nothing. */
  private readonly starts: Uint32Array;
  private readonly folders = new Map<string, number>();
  /**
   * Entries of folders and files, with the numbers of words in the lists of `PathTerms`. A folder: lengths of `directories` and `parent`, then
   * both. A file: place of its folder's entry, lengths of `stem` and `words`, then both.
   */
  private data = new Uint32Array(2 ** 12);
  private used = 1;
  /** Length of the sum of a path's words; -1 if not known yet. */
  private readonly lengths: Float64Array;
  /** Rows of the model by word. */
  private rows: (readonly number[] | undefined)[] = [];
  private model: StaticModel | null = null;
  private sums = new Recent<number, Float64Array>(MAX_CACHED_SUMS);

  constructor(private readonly files: LiveSet['files']) {
    this.starts = new Uint32Array(files.length);
    this.lengths = new Float64Array(files.length).fill(-1);
  }

  static of({ live }: Pick<Corpus, 'live'>): PathWords {
    const known = PATH_WORDS.get(live) ?? new PathWords(live.files);
    PATH_WORDS.set(live, known);
    return known;
  }

  /** Number of a word; undefined for one that no path has which was asked about. */
  find(word: string): number | undefined {
    return this.numberOf.get(word);
  }

  /** Number of a word at a place. */
  at(place: number): number {
    return this.data[place];
  }

  /** Places of the words of a file's path. */
  placesOf(file: number): PathAt {
    const start = this.startOf(file);
    const { data } = this;
    const [folder, stems, words] = [data[start], data[start + 1], data[start + 2]];
    const [first, inFolder] = [start + 3, folder + 2];
    const [all, own] = [data[folder], data[folder + 1]];
    return {
      stem: [first, first + stems],
      words: [first + stems, first + stems + words],
      directories: [inFolder, inFolder + all],
      parent: [inFolder + all, inFolder + all + own],
    };
  }

  /** Calls `visit` with the rows of the model that the words of a path have, each as often as its words stand there. */
  eachRow(file: number, model: StaticModel, visit: (row: number) => void): void {
    const { words, directories } = this.placesOf(file);
    for (const [start, end] of [words, directories])
      for (let at = start; at < end; at++) for (const row of this.rowsOf(this.data[at], model)) visit(row);
  }

  /** Sum of the words of a path. */
  sumOf(file: number, model: StaticModel): Float64Array {
    const { words, directories } = this.placesOf(file);
    this.use(model);
    let folder = this.sums.get(directories[0]);
    if (folder === undefined) {
      folder = this.addTo(new Float64Array(model.dimensions), directories, model);
      this.sums.set(directories[0], folder);
    }
    return this.addTo(folder.slice(), words, model);
  }

  /** Length of the sum of the words of a path. */
  lengthOf(file: number, model: StaticModel): number {
    this.use(model);
    if (this.lengths[file] < 0) {
      const sum = this.sumOf(file, model);
      this.lengths[file] = Math.sqrt(product(sum, sum));
    }
    return this.lengths[file];
  }

  private addTo(sum: Float64Array, [start, end]: readonly [number, number], model: StaticModel): Float64Array {
    for (let at = start; at < end; at++)
      for (const row of this.rowsOf(this.data[at], model)) model.addWeighted(sum, row, 1);
    return sum;
  }

  private rowsOf(word: number, model: StaticModel): readonly number[] {
    this.use(model);
    const rows = this.rows[word] ?? model.rowsOf(this.words[word]);
    this.rows[word] = rows;
    return rows;
  }

  /** Forgets what another model said. */
  private use(model: StaticModel): void {
    if (this.model === model) return;
    if (this.model !== null) this.lengths.fill(-1);
    this.rows = [];
    this.sums = new Recent(MAX_CACHED_SUMS);
    this.model = model;
  }

  private startOf(file: number): number {
    if (this.starts[file] === 0) {
      const path = this.files.path(file);
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      // Terms of a known folder are not made again.
      const known = this.folders.has(folder) ? NO_TERMS : undefined;
      const terms = pathTerms(path, { get: () => known, set: () => {} });
      let at = this.folders.get(folder);
      if (at === undefined) {
        at = this.write([terms.directories.length, terms.parent.length], terms.directories, terms.parent);
        this.folders.set(folder, at);
      }
      this.starts[file] = this.write([at, terms.stem.length, terms.words.length], terms.stem, terms.words);
    }
    return this.starts[file];
  }

  /** Appends numbers and words, and returns their place. */
  private write(numbers: readonly number[], ...lists: (readonly string[])[]): number {
    const start = this.used;
    const size = numbers.length + lists.reduce((sum, { length }) => sum + length, 0);
    if (start + size > this.data.length) {
      const larger = new Uint32Array(2 * (start + size));
      larger.set(this.data);
      this.data = larger;
    }
    this.data.set(numbers, start);
    this.used += numbers.length;
    for (const list of lists) for (const word of list) this.data[this.used++] = this.add(word);
    return start;
  }

  private add(word: string): number {
    let number = this.numberOf.get(word);
    if (number === undefined) {
      number = this.words.push(word) - 1;
      this.numberOf.set(word, number);
    }
    return number;
  }
}

const PATH_WORDS = new WeakMap<LiveSet, PathWords>();
const NO_TERMS: FolderTerms = { directories: [], parent: [] };

/** Vector of a path's words, scaled to its weight next to a chunk. */
const pathVectorOf = (corpus: Corpus, file: number, model: StaticModel): Float32Array =>
  scaled(PathWords.of(corpus).sumOf(file, model), DENSE.path);

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
