/** Makes a corpus of candidate units, so that `search/scoring` orders them as it orders the chunks of a local snapshot. */
import {
  type Corpus,
  computeStaticVectors,
  documentsOf,
  FileTable,
  type LexicalShard,
  type LiveSet,
  liveSetOf,
  PATH_CLASSES,
  type PathClass,
  PathPostings,
  packStrings,
  pathLength,
  pathTerms,
  StringTable,
  VectorIndex,
  type VectorShard,
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
  return { corpus, vectors: vectorsOf(live, units) };
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
  return { vectors: vectorsOf(live, units), ranges: units.map((_, i) => documentsOf(live, i)) };
}

const vectorsOf = (live: LiveSet, units: readonly OpenedUnit[]) =>
  new VectorIndex(
    live,
    units.map((unit) => unit.vectors),
  );

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
  return new VectorIndex(live, shards);
}
