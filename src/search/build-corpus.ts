/** Builds a corpus from a live set, with the centrality of its files. A file of its own, since a cached view needs none of this. */
import { stem } from '../extract/terms.js';
import type { CatalogFile, LiveSet } from '../shard/live-set.js';
import { unionEntries } from '../shard/merge.js';
import { averageLengths, type Corpus, PATH_CLASSES, PathPostings, pathLength, pathTerms } from './corpus.js';
import { classifyFiles } from './path-classes.js';

/**
 * Builds the corpus. `entries`: catalog entries of the live set's files. `isFragment`: most files are still to come. Then all files count
 * as equally central, since edges among the few would say little and take longer than everything else.
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

const MAX_DEFINING_FILES = 2;
/** Share of all files beyond which the users of a name do not count: it is a common word of the language or the repository. */
const MAX_USING_SHARE = 0.25;
const MIN_NAME_LENGTH = 3;
const DAMPING = 0.85;
const ITERATIONS = 20;

export interface Edges {
  from: number[];
  to: number[];
  weight: number[];
}

/**
 * Returns how central each file is: PageRank (Brin and Page, 1998) over the relation "uses a name that is defined there". Names defined
 * in more than two files are skipped, since a use does not show which file is meant, and so are names used nearly everywhere. The values
 * sum to 1 (empty for no files).
 */
export function fileCentrality(live: LiveSet): Float64Array {
  const edges = nameEdges(live);
  return pageRank(live.files.length, edges);
}

/**
 * Edges between files. Their order depends only on the live set, not on other content of the shards, because floating-point sums depend
 * on it.
 */
function nameEdges(live: LiveSet): Edges {
  const edges: Edges = { from: [], to: [], weight: [] };
  const stamp = new Int32Array(live.files.length).fill(-1);
  let round = 0;
  for (const { entry: name, indexes } of unionEntries(live.shards.map((shard) => shard.names))) {
    if (name.length < MIN_NAME_LENGTH) continue;
    const definers = definingFiles(live, indexes);
    if (definers.length === 0 || definers.length > MAX_DEFINING_FILES) continue;
    const users = usersOf(live, name, stamp, round);
    round += 2;
    if (users.length > live.files.length * MAX_USING_SHARE) continue;
    definers.sort((a, b) => a - b);
    const weight = 1 / (definers.length * Math.sqrt(users.length));
    for (const user of users.sort((a, b) => a - b)) {
      if (definers.includes(user)) continue;
      for (const definer of definers) {
        edges.from.push(user);
        edges.to.push(definer);
        edges.weight.push(weight);
      }
    }
  }
  return edges;
}

/** Files that define a name, up to one more than count. `indexes`: the name's index in each shard, -1 for a shard that lacks it. */
function definingFiles(live: LiveSet, indexes: readonly number[]): number[] {
  const files: number[] = [];
  for (let i = 0; i < indexes.length && files.length <= MAX_DEFINING_FILES; i++) {
    if (indexes[i] < 0) continue;
    live.shards[i].eachDefinition(indexes[i], (document) => {
      const file = live.fileOf[live.bases[i] + document];
      if (file >= 0 && !files.includes(file)) files.push(file);
      return files.length <= MAX_DEFINING_FILES;
    });
  }
  return files;
}

/** Files that use a name. A name of several parts is a term itself; a name of one part is found by its stem. */
function usersOf(live: LiveSet, name: string, stamp: Int32Array, round: number): number[] {
  const users = usingFiles(live, name, stamp, round);
  return users.length > 0 ? users : usingFiles(live, stem(name), stamp, round + 1);
}

/** Files with the term in a body; `stamp` marks files already listed in this `round`. */
function usingFiles(live: LiveSet, term: string, stamp: Int32Array, round: number): number[] {
  const files: number[] = [];
  for (const [i, shard] of live.shards.entries()) {
    const index = shard.findTerm(term);
    if (index < 0) continue;
    const base = live.bases[i];
    shard.eachPosting(index, (document, body) => {
      const file = live.fileOf[base + document];
      if (file < 0 || body === 0 || stamp[file] === round) return;
      stamp[file] = round;
      files.push(file);
    });
  }
  return files;
}

/**
 * PageRank of `count` nodes; the values sum to 1. `starts`: probability of starting at each node, with the sum 1; default: the same for
 * all.
 */
export function pageRank(count: number, edges: Edges, starts?: Float64Array): Float64Array {
  const out = new Float64Array(count);
  for (let i = 0; i < edges.from.length; i++) out[edges.from[i]] += edges.weight[i];
  let rank = new Float64Array(count).fill(1 / Math.max(1, count));
  for (let round = 0; round < ITERATIONS; round++) {
    const next = new Float64Array(count);
    let dangling = 0;
    for (let i = 0; i < count; i++) if (out[i] === 0) dangling += rank[i];
    for (let i = 0; i < edges.from.length; i++) {
      next[edges.to[i]] += (rank[edges.from[i]] * edges.weight[i]) / out[edges.from[i]];
    }
    const jumps = 1 - DAMPING + DAMPING * dangling;
    const base = jumps / count;
    for (let i = 0; i < count; i++) next[i] = (starts === undefined ? base : jumps * starts[i]) + DAMPING * next[i];
    rank = next;
  }
  return rank;
}
