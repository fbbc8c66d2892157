/** Makes a corpus of candidate units, so that `search/scoring` orders them as it orders the chunks of a local snapshot. */
import {
  type Corpus,
  computeStaticVectors,
  documentsOf,
  FileTable,
  type LexicalShard,
  type LiveSet,
  liveSetOf,
  makeRows,
  PATH_CLASSES,
  type PathClass,
  PathPostings,
  packStrings,
  pathLength,
  pathTerms,
  SocraticodeError,
  StringTable,
  VectorIndex,
  VectorShard,
} from './internal.js';
import type { OpenedUnit } from './unit.js';
import type { ViewStats } from './view.js';

/** A unit as one view has it. */
export interface PlacedUnit extends OpenedUnit {
  /** At least one. */
  paths: readonly string[];
  pathClass: PathClass;
  centrality: number;
}

/**
 * Corpus of these units: file i is unit i, and shard i has it alone. A unit of two views stands in it twice. `averages` come
 * from the statistics of a view or of the fleet; the other statistics go to `scoreBm25f`.
 */
export function unitCorpus(
  units: readonly PlacedUnit[],
  { averages }: Pick<ViewStats, 'averages'>,
): { corpus: Corpus; vectors: VectorIndex } {
  const shards = units.map(({ lexical }) => lexical);
  const pathStart = new Uint32Array(units.length + 1);
  for (const [i, { paths }] of units.entries()) pathStart[i + 1] = pathStart[i] + paths.length;
  const table = new StringTable(packStrings(units.flatMap(({ paths }) => paths)));
  const each = Uint32Array.from(units, (_, i) => i);
  const live = liveSetOf(shards, new FileTable(shards, each, new Uint32Array(units.length), pathStart, table));
  const folders = new Map();
  const terms = units.map(({ paths }) => pathTerms(paths[0], folders));
  const corpus: Corpus = {
    live,
    averages,
    pathPostings: PathPostings.build(terms),
    pathLengths: Uint16Array.from(terms, pathLength),
    classes: Uint8Array.from(units, ({ pathClass }) => PATH_CLASSES.indexOf(pathClass)),
    centrality: Float64Array.from(units, ({ centrality }) => centrality),
  };
  return {
    corpus,
    vectors: lendRows(
      live,
      units.map(({ vectors }) => vectors),
    ),
  };
}

/** Vectors of these units: range i has the documents of unit i. */
export function unitVectors(units: readonly OpenedUnit[]): {
  vectors: VectorIndex;
  ranges: { first: number; end: number }[];
} {
  const shards = units.map(({ lexical }) => lexical);
  const each = Uint32Array.from(units, (_, i) => i);
  const none = new StringTable(packStrings([]));
  const files = new FileTable(shards, each, new Uint32Array(units.length), new Uint32Array(units.length + 1), none);
  const live = liveSetOf(shards, files);
  return {
    vectors: together(
      live,
      units.map(({ vectors }) => vectors),
    ),
    ranges: units.map((_, i) => documentsOf(live, i)),
  };
}

/**
 * Index of the vectors of all units in one matrix. With a matrix for each unit, every reading of a row looks for its unit first, and a
 * question reads thousands of rows.
 */
function together(
  { bases, fileOf, count }: LiveSet,
  shards: readonly VectorShard[],
  room: typeof makeRows = (rows, dimensions) => new Int8Array(rows * dimensions),
): VectorIndex {
  const total = fileOf.length;
  const dimensions = shards[0]?.dimensions ?? 0;
  const matrix = room(total, dimensions);
  const squares = new Uint32Array(total);
  const present = new Uint8Array(total);
  for (const [i, shard] of shards.entries()) {
    if (shard.dimensions !== dimensions || shard.count !== bases[i + 1] - bases[i])
      throw new SocraticodeError('INTERNAL', `${shard.count} vectors do not match the chunks of a unit`);
    matrix.set(shard.rows, bases[i] * dimensions);
    squares.set(shard.squares, bases[i]);
    if (shard.present === null) present.fill(1, bases[i], bases[i + 1]);
    else present.set(shard.present, bases[i]);
  }
  const rows = matrix.subarray(0, total * dimensions);
  const whole = dimensions === 0 ? null : new VectorShard({ dimensions, rows, squares, present });
  return new VectorIndex({ bases: Uint32Array.of(0, total), fileOf, count }, [whole]);
}

/** Least and most rows of a matrix in WebAssembly, and how many such matrices wait for questions: as many as are answered at a time. */
const ROWS = { least: 2_048, most: 16_384, spare: 4 } as const;
interface Matrix {
  rows: Int8Array;
  /** Room beside the rows is for queries of this size alone. */
  dimensions: number;
}

/** Matrices without a question. Each reserves address space until it is collected, so that they are used again. */
const spare: Matrix[] = [];
const lent = new WeakMap<VectorIndex, Matrix>();

/** As `together`, with rows in a matrix that `giveBack` leaves to the next question. */
function lendRows(live: LiveSet, shards: readonly VectorShard[]): VectorIndex {
  let matrix: Matrix | null = null;
  const vectors = together(live, shards, (count, dimensions) => {
    if (count > ROWS.most) return new Int8Array(count * dimensions);
    const known = spare.pop();
    const isFit = known?.dimensions === dimensions && known.rows.length >= count * dimensions;
    matrix = isFit ? known : { rows: makeRows(roundedUp(count), dimensions), dimensions };
    return matrix.rows;
  });
  if (matrix !== null) lent.set(vectors, matrix);
  return vectors;
}

const roundedUp = (count: number) => Math.max(ROWS.least, 2 ** Math.ceil(Math.log2(Math.max(1, count))));

/** Ends the use of a corpus' vectors. */
export function giveBack(vectors: VectorIndex): void {
  const matrix = lent.get(vectors);
  if (lent.delete(vectors) && matrix !== undefined && spare.length < ROWS.spare) spare.push(matrix);
}

const builtin = new WeakMap<LexicalShard, VectorShard>();

/**
 * Vectors of the built-in model, for a corpus whose chunks have those of another model. They follow from the words, and are
 * cached with the units.
 */
export function builtinVectors({ live }: Corpus): VectorIndex {
  const shards = live.shards.map((shard) => {
    const vectors = builtin.get(shard) ?? computeStaticVectors(shard);
    builtin.set(shard, vectors);
    return vectors;
  });
  return together(live, shards);
}
