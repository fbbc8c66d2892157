/** Exact search over one matrix of int8 rows. An engine may propose rows, but every score is computed in JavaScript. */
import { THREADS, type Usearch } from './vector-engine.js';
import { BestDocuments, cosine, dotOf, dotsOf, type Neighbour, type QueryVector } from './vector-math.js';

export interface VectorMatrix {
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
export interface NearestRequest {
  query: QueryVector;
  count: number;
  floor: number;
}

/** Bound on the error of a distance from usearch; the largest error seen was 1.1e-7, over 64 to 1536 dimensions. */
const DISTANCE_ERROR = 1e-5;
/** Additional rows to ask for: enough for a few dead ones and ties, at no measurable cost. */
const SPARE = 16;
/** Factor for asking again. Equal vectors are rare, but where there are some, there are very many. */
const GROWTH = 16;
/**
 * Share of the rows above which usearch, which sorts them, is slower than JavaScript (18 ms): 6% take 4.6 ms, 25% 13
 * ms.
 */
const MAX_SORTED_SHARE = 0.1;
/** Number of rows that are sorted in no time, whatever their share. */
const FEW = 1000;

/**
 * Returns the nearest usable rows, best first, exactly as if every row had been compared. With `engine` null,
 * JavaScript compares.
 */
export function searchMatrix(matrix: VectorMatrix, wanted: NearestRequest, engine: Usearch | null): Neighbour[] {
  if (matrix.usableCount === 0 || wanted.count <= 0) return [];
  return (engine === null ? null : searchByUsearch(matrix, wanted, engine)) ?? scan(matrix, wanted);
}

/**
 * Scores the proposed rows that may be returned. Returns the best of them and the score that any other row must reach
 * to join them.
 */
export function bestRows(
  matrix: VectorMatrix,
  { query, count }: NearestRequest,
  keys: BigUint64Array,
): { best: Neighbour[]; floor: number } {
  const best = new BestDocuments(count);
  for (const key of keys) {
    const row = Number(key);
    if (matrix.usable !== null && matrix.usable[row] === 0) continue;
    const dot = dotOf(matrix.rows, row * matrix.dimensions, query.values);
    best.push(documentOf(matrix, row), cosine(dot, query.square, matrix.squares[row]));
  }
  const { floor } = best;
  return { best: best.take(), floor };
}

/** Number of rows to ask for so that about `count` of them may be returned. */
export function withSpare({ squares, usableCount }: VectorMatrix, count: number): number {
  return Math.ceil((count * squares.length) / usableCount) + SPARE;
}

/**
 * Asks usearch for more and more rows until no row that was left out can be among the best. Each such row is at least
 * as far away as the last one returned. Returns null if that takes too many rows.
 */
function searchByUsearch(matrix: VectorMatrix, wanted: NearestRequest, engine: Usearch): Neighbour[] | null {
  const { rows, dimensions, squares } = matrix;
  const limit = Math.max(FEW, squares.length * MAX_SORTED_SHARE);
  for (let fetch = withSpare(matrix, wanted.count); fetch <= limit; fetch *= GROWTH) {
    const asked = Math.min(fetch, squares.length);
    const { keys, distances } = engine.exactSearch(rows, wanted.query.values, dimensions, asked, 'cos', THREADS);
    const { best, floor } = bestRows(matrix, wanted, keys);
    const reachable = 1 - distances[asked - 1] + DISTANCE_ERROR;
    if (asked === squares.length || Math.max(floor, wanted.floor) > reachable) return best;
  }
  return null;
}

function scan(matrix: VectorMatrix, { query, count, floor }: NearestRequest): Neighbour[] {
  const { squares, usable } = matrix;
  const best = new BestDocuments(count);
  const dots = new Int32Array(squares.length);
  dotsOf(matrix.rows, query.values, dots);
  for (let row = 0; row < dots.length; row++) {
    if (usable !== null && usable[row] === 0) continue;
    const score = cosine(dots[row], query.square, squares[row]);
    if (score >= floor) best.push(documentOf(matrix, row), score);
  }
  return best.take();
}

function documentOf({ documents }: VectorMatrix, row: number): number {
  return typeof documents === 'number' ? documents + row : documents[row];
}
