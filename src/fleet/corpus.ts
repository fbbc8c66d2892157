/** Makes a corpus of candidate units, so that `search/rank` orders them as it orders the chunks of a local snapshot. */
import type { Corpus } from '../search/corpus.js';
import { PATH_CLASSES, type PathClass } from '../search/corpus.js';
import { PathPostings, pathLength, pathTerms } from '../search/paths.js';
import { FileTable, liveSetOf } from '../shard/live.js';
import { VectorIndex } from '../shard/nearest.js';
import { packStrings, StringTable } from '../shard/strings.js';
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
 * Corpus of these units: file i is unit i, and shard i has it alone. A unit that two views have is given twice. `averages`
 * come from the statistics of a view or of the fleet; pass the other statistics to `scoreBm25f`.
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
  const vectors = new VectorIndex(
    live,
    units.map((unit) => unit.vectors),
  );
  return { corpus, vectors };
}
