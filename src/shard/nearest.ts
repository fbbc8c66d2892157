/**
 * Finds the documents of a snapshot whose vectors are nearest to a query. Results depend only on the vectors: they are the same for any
 * number and order of dead rows and shards. Only a graph may miss a few.
 */
import { SocraticodeError } from '../base/errors.js';
import { HNSW_FETCH, type HnswGraph, openHnsw } from './hnsw.js';
import type { LexicalShard } from './lexical-shard.js';
import type { LiveSet } from './live-set.js';
import {
  BestDocuments,
  cosine,
  dotOf,
  dotsOf,
  makeRows,
  type Neighbour,
  type PreciseQueries,
  packed,
  type QueryVector,
  readVectorShard,
  toQuery,
  type VectorShard,
} from './vector-shard.js';

/** Opens the graph of a shard, given by its index in the live set. Null if there is none; undefined if it is too early to open it. */
type OpenGraph = (shard: number) => HnswGraph | null | undefined;

/** Additional documents to request, because equal texts have equal vectors and so equal scores. */
const TIES = 32;
const TIES_GROWTH = 8;

/** The vectors of a live set. Create it once per snapshot, because it holds data that later searches need. */
export class VectorIndex {
  /** Numbers per vector; 0 if the snapshot has no vectors. */
  readonly dimensions: number;
  /** Number of live documents that have a vector. */
  readonly covered: number;
  /** Number of live documents. */
  readonly total: number;
  /** One part per lexical shard; null if the shard has no vectors, or vectors of another size than the first shard that has some. */
  private readonly parts: readonly (VectorPart | null)[];
  private readonly bases: Uint32Array;
  private readonly fileOf: LiveSet['fileOf'];

  /**
   * `shards`: the vectors of each of the live set's shards, null without any. Throws INTERNAL if the numbers of rows and documents
   * differ.
   */
  constructor(
    live: Pick<LiveSet, 'bases' | 'fileOf' | 'count'>,
    shards: readonly (VectorShard | null)[],
    openGraph: OpenGraph = () => null,
  ) {
    this.bases = live.bases;
    this.fileOf = live.fileOf;
    this.total = live.count;
    this.dimensions = shards.find((shard) => shard !== null)?.dimensions ?? 0;
    this.parts = Array.from({ length: live.bases.length - 1 }, (_, i) => {
      const shard = shards[i] ?? null;
      if (shard === null || shard.dimensions !== this.dimensions) return null;
      if (shard.count !== live.bases[i + 1] - live.bases[i]) {
        throw new SocraticodeError('INTERNAL', `${shard.count} vectors do not match the number of documents`);
      }
      return new VectorPart(shard, live.bases[i], live.fileOf, () => openGraph(i));
    });
    this.covered = this.parts.reduce((sum, part) => sum + (part?.covered ?? 0), 0);
  }

  /** Prepares a query for repeated use. Throws INTERNAL on NaN and on a wrong number of dimensions. */
  query(vector: Int8Array | Float32Array): QueryVector {
    return toQuery(vector, this.dimensions);
  }

  /** Vectors of a lexical shard, given by its index in the live set; null if it has none. */
  vectorsOf(index: number): VectorShard | null {
    return this.parts[index]?.shard ?? null;
  }

  has(document: number): boolean {
    const at = this.find(document);
    return at?.part.shard.has(at.row) ?? false;
  }

  /** Cosine of a document, live or not, to a query. A document without a vector scores 0, like an unrelated one. */
  score(document: number, query: QueryVector): number {
    const at = this.find(document);
    if (at === null) return 0;
    const { rows, squares, dimensions } = at.part.shard;
    return cosine(dotOf(rows, at.row * dimensions, query.values), query.square, squares[at.row]);
  }

  /**
   * Writes the products of the unit vectors of `count` documents from `first` on with each query into `out`, from `at` on: those of a
   * document beside each other, 0 for a document without a vector.
   */
  productsOf(queries: PreciseQueries, first: number, count: number, out: Float64Array, at: number): void {
    const { packed, upper, scales } = queries;
    out.fill(0, at, at + count * scales.length);
    const end = Math.min(first + count, this.bases[this.parts.length]);
    for (let index = 0, document = first; document < end; index++) {
      const last = Math.min(end, this.bases[index + 1]);
      if (last <= document) continue;
      const shard = this.vectorsOf(index);
      const row = document - this.bases[index];
      const dots = shard === null ? [] : dotsOf(shard.rows, packed, row, last - document);
      for (let from = 0; from < dots.length; from += 2) {
        const query = (from / 2) % scales.length;
        const length = Math.sqrt(shard?.squares[row + Math.floor(from / packed.count)] ?? 0) || 1;
        out[at + from / 2] = ((dots[from] * upper + dots[from + 1]) * scales[query]) / length;
      }
      at += (last - document) * scales.length;
      document = last;
    }
  }

  /** Adds `weight` times the unit vector of a document to `sum`; adds nothing if the document has none. */
  addTo(sum: Float32Array, document: number, weight: number): void {
    const at = this.find(document);
    if (at === null) return;
    const { rows, squares, dimensions } = at.part.shard;
    const factor = weight / (Math.sqrt(squares[at.row]) || 1);
    const base = at.row * dimensions;
    for (let i = 0; i < dimensions; i++) sum[i] += factor * rows[base + i];
  }

  /**
   * Returns up to `count` live documents, best first. Equal scores are ordered by file, because document numbers depend on the order of
   * indexing. Returns none for a query of length zero.
   */
  nearest(query: QueryVector, count: number): Neighbour[] {
    if (query.square === 0 || count <= 0) return [];
    const { fileOf } = this;
    for (let requested = count + TIES; ; requested *= TIES_GROWTH) {
      const best = this.firstNearest(query, requested);
      // Requests more if documents that are as near as the last one may be missing.
      const isCut = best.length === requested && best[requested - 1].score === best[count - 1].score;
      if (isCut) continue;
      best.sort((a, b) => b.score - a.score || fileOf[a.document] - fileOf[b.document] || a.document - b.document);
      return best.slice(0, count);
    }
  }

  private firstNearest(query: QueryVector, count: number): Neighbour[] {
    const best = new BestDocuments(count);
    for (const part of this.parts)
      for (const { document, score } of part?.nearest({ query, count, floor: best.floor }) ?? [])
        best.push(document, score);
    return best.take();
  }

  /** Returns the live documents nearest to one document, without that document; none if it has no vector. */
  similarTo(document: number, count: number): Neighbour[] {
    const at = this.find(document);
    if (at === null || !at.part.shard.has(at.row) || count <= 0) return [];
    const { rows, dimensions } = at.part.shard;
    const query = this.query(rows.subarray(at.row * dimensions, (at.row + 1) * dimensions));
    return this.nearest(query, count + 1)
      .filter((neighbour) => neighbour.document !== document)
      .slice(0, count);
  }

  private find(document: number): { part: VectorPart; row: number } | null {
    if (!(document >= 0 && document < this.bases[this.parts.length])) return null;
    let index = 0;
    while (this.bases[index + 1] <= document) index++;
    const part = this.parts[index];
    return part === null ? null : { part, row: document - this.bases[index] };
  }
}

/** Returns the live documents nearest to a query vector. Throws INTERNAL as `VectorIndex.query` does. */
export function nearest(vectors: VectorIndex, query: Int8Array | Float32Array, count: number): Neighbour[] {
  // Without vectors, there is no number of dimensions to check the query against.
  return vectors.dimensions === 0 ? [] : vectors.nearest(vectors.query(query), count);
}

/** Setting `vectors.index`: `exact` compares every vector, `hnsw` uses graphs, `auto` decides by the number of vectors. */
export type IndexChoice = 'auto' | 'exact' | 'hnsw';

/**
 * Components (rows x dimensions) that an exact search compares in about 10 ms: 134,000 x 256 take 1.4 ms of processor time, 1,000,000 x
 * 256 take 10.8. Beyond it, `auto` wants graphs.
 */
export const EXACT_COMPONENTS = 240_000_000;

/** Rows of a shard from which a graph is worth its file. Comparing this many takes 2 ms; a graph takes 1 to 2 ms for any number. */
export const HNSW_MIN_ROWS = 100_000;

/**
 * Searches after which `auto` opens graphs. Opening one takes 0.2 s and 40 MB for 100,000 rows, which only a long-running process earns
 * back.
 */
const OPEN_AFTER = 50;

/** Returns whether this shard should have a graph, given the number of components in all vectors of the snapshot. */
export function wantsHnsw(choice: IndexChoice, components: number, rows: number): boolean {
  return rows >= HNSW_MIN_ROWS && (choice === 'hnsw' || (choice === 'auto' && components > EXACT_COMPONENTS));
}

/**
 * Opens the vectors of a snapshot under one vectors profile. `known` may give a shard's vectors without reading a file (null: it has
 * none; undefined: read the file). `make` gives vectors for shards whose file is missing or damaged; shards without any are left out.
 */
export function openVectorIndex(
  directory: string,
  profile: string,
  live: LiveSet,
  choice: IndexChoice = 'auto',
  make: (shard: LexicalShard) => VectorShard | null = () => null,
  known: (shard: LexicalShard) => VectorShard | null | undefined = () => undefined,
): VectorIndex {
  const vectors = live.shards.map((shard) => {
    const vector = known(shard);
    if (vector !== undefined) return vector;
    return readVectorShard(directory, profile, shard.name, shard.meta.documents) ?? make(shard);
  });
  const components = componentsOf(vectors);
  const searches = vectors.map(() => 0);
  const openGraph: OpenGraph = (i) => {
    const shard = vectors[i];
    if (shard === null || !wantsHnsw(choice, components, shard.count)) return null;
    if (choice === 'auto' && searches[i]++ < OPEN_AFTER) return;
    return openHnsw(directory, profile, live.shards[i].name, shard);
  };
  return new VectorIndex(live, vectors, openGraph);
}

/** Number of components (rows x dimensions) that an exact search over these shards compares. */
function componentsOf(shards: readonly (VectorShard | null)[]): number {
  return shards.reduce((sum, shard) => sum + (shard?.rows.length ?? 0), 0);
}

/**
 * Share of live rows below which they are copied into a matrix of their own, because comparing the dead rows would take most of the time.
 */
const MIN_LIVE_SHARE = 0.5;

class VectorPart {
  /** Number of live documents that have a vector. */
  readonly covered: number;
  private readonly usable: Uint8Array;
  private readonly usableCount: number;
  private matrix: VectorMatrix | null = null;
  /** Undefined until opening the graph pays; null if there is none. */
  private graph: HnswGraph | null | undefined;

  /** Row i is global document `base + i`; the document is live if `fileOf` is not negative. */
  constructor(
    readonly shard: VectorShard,
    private readonly base: number,
    fileOf: Int32Array,
    private readonly openGraph: () => HnswGraph | null | undefined,
  ) {
    this.usable = new Uint8Array(shard.count);
    let covered = 0;
    let usableCount = 0;
    for (let row = 0; row < shard.count; row++) {
      if (fileOf[base + row] < 0 || !shard.has(row)) continue;
      covered++;
      // A vector of length zero has no direction, so it is near nothing.
      if (shard.squares[row] === 0) continue;
      this.usable[row] = 1;
      usableCount++;
    }
    this.covered = covered;
    this.usableCount = usableCount;
  }

  /** Returns up to `count` documents, best first. Documents below the floor may be missing. */
  nearest(wanted: NearestRequest): Neighbour[] {
    this.matrix ??= this.makeMatrix();
    return this.searchGraph(this.matrix, wanted) ?? searchMatrix(this.matrix, wanted);
  }

  private get isMostlyDead(): boolean {
    return this.usableCount < this.shard.count * MIN_LIVE_SHARE;
  }

  private makeMatrix(): VectorMatrix {
    const { shard, base, usable, usableCount } = this;
    const { dimensions, rows, squares } = shard;
    if (!this.isMostlyDead) {
      const isWhole = usableCount === shard.count;
      return { dimensions, rows, squares, documents: base, usable: isWhole ? null : usable, usableCount };
    }
    const gathered = {
      dimensions,
      rows: makeRows(usableCount, dimensions),
      squares: new Uint32Array(usableCount),
      documents: new Uint32Array(usableCount),
      usable: null,
      usableCount,
    };
    for (let row = 0, to = 0; row < shard.count; row++) {
      if (usable[row] === 0) continue;
      gathered.rows.set(rows.subarray(row * dimensions, (row + 1) * dimensions), to * dimensions);
      gathered.squares[to] = squares[row];
      gathered.documents[to++] = base + row;
    }
    return gathered;
  }

  /** Searches the graph. Null if there is no usable graph, or if too few of the rows it proposes are live. */
  private searchGraph(matrix: VectorMatrix, wanted: NearestRequest): Neighbour[] | null {
    // The live rows are few enough to compare them all, and the graph would mostly propose dead ones.
    if (this.isMostlyDead) return null;
    if (this.graph === undefined) this.graph = this.openGraph();
    if (this.graph === undefined || this.graph === null) return null;
    const fetch = Math.max(HNSW_FETCH, withSpare(matrix, wanted.count));
    const best = bestRows(matrix, wanted, this.graph.search(wanted.query.values, fetch));
    return best.length < Math.min(wanted.count, matrix.usableCount) ? null : best;
  }
}

// Exact search over one matrix of int8 rows.

interface VectorMatrix {
  readonly dimensions: number;
  /** count x dimensions numbers, from the start of their buffer. */
  readonly rows: Int8Array;
  /** Squared length of each row. */
  readonly squares: Uint32Array;
  /** Global document of each row; a number if the rows are consecutive documents from there. */
  readonly documents: Uint32Array | number;
  /** 1 for each row that may be returned; null if all may. */
  readonly usable: Uint8Array | null;
  readonly usableCount: number;
}

/** One search: the nearest `count` documents. Documents that score below `floor` need not be found. */
interface NearestRequest {
  query: QueryVector;
  count: number;
  floor: number;
}

/** Additional rows to request from a graph: enough for a few dead ones and ties. */
const SPARE = 16;

/** Scores the rows that a graph proposes and that may be returned; returns the best of them. */
function bestRows(matrix: VectorMatrix, { query, count }: NearestRequest, keys: BigUint64Array): Neighbour[] {
  const best = new BestDocuments(count);
  for (const key of keys) {
    const row = Number(key);
    if (matrix.usable !== null && matrix.usable[row] === 0) continue;
    const dot = dotOf(matrix.rows, row * matrix.dimensions, query.values);
    best.push(documentOf(matrix, row), cosine(dot, query.square, matrix.squares[row]));
  }
  return best.take();
}

/** Number of rows to request so that about `count` of them may be returned. */
function withSpare({ squares, usableCount }: VectorMatrix, count: number): number {
  return Math.ceil((count * squares.length) / usableCount) + SPARE;
}

/** Compares every row, and returns the nearest usable ones, best first. */
export function searchMatrix(matrix: VectorMatrix, { query, count, floor }: NearestRequest): Neighbour[] {
  if (matrix.usableCount === 0 || count <= 0) return [];
  const { rows, squares, usable } = matrix;
  const best = new BestDocuments(count);
  const dots = dotsOf(rows, packed(query), 0, squares.length);
  for (let row = 0, least = floor; row < dots.length; row++) {
    const dot = dots[row];
    // Most rows are no candidates once there are enough positive ones, and need no root.
    if ((least >= 0 && dot < 0) || (usable !== null && usable[row] === 0)) continue;
    const score = cosine(dot, query.square, squares[row]);
    if (score < least) continue;
    best.push(documentOf(matrix, row), score);
    least = Math.max(floor, best.floor);
  }
  return best.take();
}

function documentOf({ documents }: VectorMatrix, row: number): number {
  return typeof documents === 'number' ? documents + row : documents[row];
}
