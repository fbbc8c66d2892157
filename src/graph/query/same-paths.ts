/** Files of two graphs that have the same path. */
import type { Graph } from '../graph.js';

interface SamePaths {
  /** By file of the older graph: the newer one at its path, -1 if there is none. */
  newer: Int32Array;
  /** By file of the newer graph: the older one at its path, -1 if there is none. */
  older: Int32Array;
}

const known = new WeakMap<Graph, { after: Graph; paths: SamePaths }>();

/** Both graphs have their files in the order of paths, so that one pass finds all. */
export function samePaths(before: Graph, after: Graph): SamePaths {
  const last = known.get(before);
  if (last?.after === after) return last.paths;
  const [old, now] = [before.tables.files, after.tables.files];
  const paths = { newer: new Int32Array(old.length).fill(-1), older: new Int32Array(now.length).fill(-1) };
  for (let a = 0, b = 0; a < old.length && b < now.length; ) {
    if (old[a].path === now[b].path) {
      paths.newer[a] = b;
      paths.older[b++] = a++;
    } else if (old[a].path < now[b].path) a++;
    else b++;
  }
  known.set(before, { after, paths });
  return paths;
}
