/**
 * Finds the documents of a snapshot whose vectors are nearest to a query. Results depend only on the vectors: they are
 * the same with and without usearch, and for any number and order of dead rows and shards. Only a graph, where one is
 * used, may miss a few.
 */
import { SocraticodeError } from '../base/errors.js';
import type { LiveSet } from './live.js';
import { VectorPart } from './nearest-part.js';
import type { HnswGraph } from './vector-hnsw.js';
import { BestDocuments, cosine, dotOf, type Neighbour, type QueryVector, toQuery } from './vector-math.js';
import type { VectorShard } from './vector-shard.js';

/**
 * Opens the graph of a shard, given by its index in the live set. Null if there is none; undefined if it is too early
 * to open it.
 */
export type OpenGraph = (shard: number) => HnswGraph | null | undefined;

/** Additional documents to ask for, because equal texts have equal vectors and so equal scores. */
const TIES = 32;
const TIES_GROWTH = 8;

/** The vectors of a live set. Create it once per snapshot, because it keeps data that later searches need. */
export class VectorIndex {
  /** Numbers per vector; 0 if the snapshot has no vectors. */
  readonly dimensions: number;
  /** Number of live documents that have a vector. */
  readonly covered: number;
  /** Number of live documents. */
  readonly total: number;
  /**
   * One part per lexical shard; null if the shard has no vectors, or vectors of another size than the first shard that
   * has some.
   */
  private readonly parts: readonly (VectorPart | null)[];
  private readonly bases: Uint32Array;
  private readonly fileOf: LiveSet['fileOf'];

  /**
   * `shards` holds the vectors of each of the live set's shards, null where there are none. Throws INTERNAL if the
   * numbers of rows and documents differ.
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
   * Returns up to `count` live documents, best first. Equal scores are ordered by file, because document numbers depend
   * on the order of indexing. Returns none for a query of length zero.
   */
  nearest(query: QueryVector, count: number): Neighbour[] {
    if (query.square === 0 || count <= 0) return [];
    const { fileOf } = this;
    for (let asked = count + TIES; ; asked *= TIES_GROWTH) {
      const best = this.firstNearest(query, asked);
      // Ask for more if documents that are as near as the last one may be missing.
      const isCut = best.length === asked && best[asked - 1].score === best[count - 1].score;
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
