/** Searches one vector shard under a live set: knows which of its rows may be returned and picks the fastest way. */
import { bestRows, type NearestRequest, searchMatrix, type VectorMatrix, withSpare } from './nearest-matrix.js';
import { usearchFor } from './vector-engine.js';
import { HNSW_FETCH, type HnswGraph } from './vector-hnsw.js';
import type { Neighbour } from './vector-math.js';
import type { VectorShard } from './vector-shard.js';

/**
 * Share of live rows below which they are copied into a matrix of their own, because comparing the dead rows would take
 * most of the time.
 */
const MIN_LIVE_SHARE = 0.5;

export class VectorPart {
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
    return (
      this.searchGraph(this.matrix, wanted) ?? searchMatrix(this.matrix, wanted, usearchFor(this.matrix.rows.length))
    );
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
      rows: new Int8Array(usableCount * dimensions),
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
    // If most rows are dead, the live ones are few enough to compare them all, and the graph would mostly propose dead
    // ones.
    if (this.isMostlyDead) return null;
    if (this.graph === undefined) this.graph = this.openGraph();
    if (this.graph === undefined || this.graph === null) return null;
    const fetch = Math.max(HNSW_FETCH, withSpare(matrix, wanted.count));
    const { best } = bestRows(matrix, wanted, this.graph.search(wanted.query.values, fetch));
    return best.length < Math.min(wanted.count, matrix.usableCount) ? null : best;
  }
}
