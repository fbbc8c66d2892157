/** Builds a corpus from a live set. Apart from `corpus.ts`, since a cached view needs none of this: it saves 28 modules of a search. */
import type { CatalogFile, LiveSet } from '../shard/live.js';
import { fileCentrality } from './centrality.js';
import { averageLengths, type Corpus, PATH_CLASSES } from './corpus.js';
import { classifyFiles } from './path-classes.js';
import { PathPostings, pathLength, pathTerms } from './paths.js';

/**
 * Builds the corpus. `entries` are the catalog entries of the live set's files. `isFragment` says that most files are
 * still to come: then all files count as equally central, because edges among the few would say little and take longer
 * than everything else.
 */
export function createCorpus(live: LiveSet, entries: readonly CatalogFile[], { isFragment = false } = {}): Corpus {
  const folders = new Map();
  const paths = entries.map((entry) => pathTerms(entry.path, folders));
  const pathLengths = Uint16Array.from(paths, pathLength);
  return {
    live,
    averages: averageLengths(live, pathLengths),
    pathPostings: PathPostings.build(paths),
    pathLengths,
    classes: Uint8Array.from(classifyFiles(live, entries), (name) => PATH_CLASSES.indexOf(name)),
    centrality: isFragment ? new Float64Array(live.files.length).fill(1 / live.files.length) : fileCentrality(live),
  };
}
