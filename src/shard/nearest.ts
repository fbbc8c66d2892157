/**
 * The documents whose vectors are nearest to a query, among those of a snapshot. Results depend on the vectors alone:
 * with usearch, without it, and however many dead rows and shards there are, in whatever order, they are the same (a graph,
 * where one is used, may miss a few).
 */
import { SocraticodeError } from '../base/errors.js';
import type { LiveSet } from './live.js';
import { VectorPart } from './nearest-part.js';
import type { HnswGraph } from './vector-hnsw.js';
import { cosine, dotOf, type Neighbour, type QueryVector, toQuery } from './vector-math.js';
import type { VectorShard } from './vector-shard.js';

export type { Neighbour } from './vector-math.js';

/** Opens the graph of a shard (by its place in the live set); null if there is none, undefined if not yet. */
export type OpenGraph = (shard: number) => HnswGraph | null | undefined;

/** So many more are asked for, as equal texts have equal vectors. */
const TIES = 32;
const TIES_GROWTH = 8;

/** The vectors of a live set. Made once for a snapshot: what a search needs of it is kept. */
export class VectorIndex {
  /** Numbers per vector; 0 if there are no vectors at all. */
  readonly dimensions: number;
  /** Live documents that have a vector. */
  readonly covered: number;
  /** Live documents. */
  readonly total: number;
  /** By lexical shard; null where there are no vectors, or of another size than in the first shard that has some. */
  private readonly parts: readonly (VectorPart | null)[];
  private readonly bases: Uint32Array;
  private readonly fileOf: LiveSet['fileOf'];

  /** `shards` are the vectors of the live set's shards, null where there are none. Throws INTERNAL if rows differ. */
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
        throw new SocraticodeError('INTERNAL', `${shard.count} vectors for another number of documents`);
      }
      return new VectorPart(shard, live.bases[i], live.fileOf, () => openGraph(i));
    });
    this.covered = this.parts.reduce((sum, part) => sum + (part?.covered ?? 0), 0);
  }

  /** Prepares a query that is used more than once. Throws INTERNAL on NaN and on another number of dimensions. */
  query(vector: Int8Array | Float32Array): QueryVector {
    return toQuery(vector, this.dimensions);
  }

  /** The vectors of a lexical shard, by its place in the live set; null where there are none. */
  vectorsOf(index: number): VectorShard | null {
    return this.parts[index]?.shard ?? null;
  }

  has(document: number): boolean {
    const at = this.find(document);
    return at?.part.shard.has(at.row) ?? false;
  }

  /** Cosine of one document, live or not, to a query; 0, as for an unrelated one, where it has no vector. */
  score(document: number, query: QueryVector): number {
    const at = this.find(document);
    if (at === null) return 0;
    const { rows, squares, dimensions } = at.part.shard;
    return cosine(dotOf(rows, at.row * dimensions, query.values), query.square, squares[at.row]);
  }

  /** Adds `weight` times the unit vector of a document to `sum`; nothing where it has none. */
  addTo(sum: Float32Array, document: number, weight: number): void {
    const at = this.find(document);
    if (at === null) return;
    const { rows, squares, dimensions } = at.part.shard;
    const factor = weight / (Math.sqrt(squares[at.row]) || 1);
    const base = at.row * dimensions;
    for (let i = 0; i < dimensions; i++) sum[i] += factor * rows[base + i];
  }

  /**
   * Up to `count` live documents, best first, equal scores in the order of files: that of document numbers tells what was
   * indexed first. None for a query of length zero.
   */
  nearest(query: QueryVector, count: number): Neighbour[] {
    if (query.square === 0 || count <= 0) return [];
    const { fileOf } = this;
    for (let asked = count + TIES; ; asked *= TIES_GROWTH) {
      const best = this.firstNearest(query, asked);
      // Of those that are as near as the last one all must be known.
      const isCut = best.length === asked && best[asked - 1].score === best[count - 1].score;
      if (isCut) continue;
      best.sort((a, b) => b.score - a.score || fileOf[a.document] - fileOf[b.document] || a.document - b.document);
      return best.slice(0, count);
    }
  }

  private firstNearest(query: QueryVector, count: number): Neighbour[] {
    let best: Neighbour[] = [];
    for (const part of this.parts) {
      if (part === null) continue;
      const floor = best.length < count ? -Infinity : best[count - 1].score;
      const found = part.nearest({ query, count, floor });
      best = best.concat(found).sort((a, b) => b.score - a.score || a.document - b.document);
      best.length = Math.min(best.length, count);
    }
    return best;
  }

  /** The live documents nearest to one document, without itself; none where it has no vector. */
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

/** The nearest live documents of an index to a query vector. Throws INTERNAL like `VectorIndex.query`. */
export function nearest(vectors: VectorIndex, query: Int8Array | Float32Array, count: number): Neighbour[] {
  // Without any vector there are no dimensions that a query could have.
  return vectors.dimensions === 0 ? [] : vectors.nearest(vectors.query(query), count);
}
