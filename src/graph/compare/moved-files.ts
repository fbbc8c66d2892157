/** Matches the files before and after a change, under the same path or another one. */
import type { Graph } from '../graph.js';
import { lastNodeOf } from '../query/uses.js';

/** Minimum share of common symbols of two files if one became the other. */
const LEAST_SHARE = 0.5;
/** Minimum worth of the common names. A name that two files define is worth this much; `id` and `name` of entities are worth little. */
const LEAST_WORTH = 0.5;
/** Maximum number of files that are compared with each other, as git bounds it. */
const MAX_COMPARED = 1_000;

/**
 * Paths before the change of moved files, by the paths after it. Files with the same bytes match first, then files of one
 * language with mostly the same symbols, most similar first. Similarity is the Jaccard index of their qualified names; a
 * name that many symbols of the snapshot have counts less.
 */
export function movedFiles(before: Graph, after: Graph): Map<string, string> {
  const { newer, older } = samePaths(before, after);
  const gone = without(newer);
  const added = without(older);
  const moved = new Map<string, string>();
  const byOid = new Map(gone.map((file) => [before.tables.files[file].oid, file]));
  const left = new Set(gone);
  const rest: number[] = [];
  for (const file of added) {
    const { path, oid } = after.tables.files[file];
    const old = byOid.get(oid);
    if (old === undefined || !left.delete(old)) rest.push(file);
    else moved.set(path, before.tables.files[old].path);
  }
  if (rest.length * left.size > MAX_COMPARED ** 2) return moved;
  for (const { old, now } of alike(before, after, { gone: [...left], added: rest })) {
    const { path } = after.tables.files[now];
    if (moved.has(path) || !left.delete(old)) continue;
    moved.set(path, before.tables.files[old].path);
  }
  return moved;
}

/** Files that have no counterpart. */
function without(counterparts: Int32Array): number[] {
  const found: number[] = [];
  for (let file = 0; file < counterparts.length; file++) if (counterparts[file] < 0) found.push(file);
  return found;
}

function alike(
  before: Graph,
  after: Graph,
  { gone, added }: { gone: readonly number[]; added: readonly number[] },
): { old: number; now: number; share: number }[] {
  const names = new Map(gone.map((old) => [old, namesIn(before, old)] as const));
  const pairs: { old: number; now: number; share: number }[] = [];
  for (const now of added) {
    const own = namesIn(after, now);
    if (own.size === 0) continue;
    for (const [old, others] of names) {
      if (before.tables.files[old].language !== after.tables.files[now].language) continue;
      const share = shareOf(own, others);
      if (share >= LEAST_SHARE) pairs.push({ old, now, share });
    }
  }
  return pairs.sort((a, b) => b.share - a.share || a.now - b.now || a.old - b.old);
}

/** Qualified names with the worth of each. */
function namesIn(graph: Graph, file: number): Map<string, number> {
  const first = graph.fileNode(file);
  const found = new Map<string, number>();
  for (let node = first + 1; node < lastNodeOf(graph, first); node++)
    found.set(graph.qualifiedName(node), 1 / graph.namesakes(node).length);
  return found;
}

function shareOf(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let both = 0;
  let all = 0;
  for (const [name, worth] of a) {
    const other = b.get(name);
    if (other !== undefined) both += Math.min(worth, other);
    all += worth;
  }
  for (const [name, worth] of b) if (!a.has(name)) all += worth;
  return both < LEAST_WORTH ? 0 : both / all;
}

interface SamePaths {
  /** File after the change at the same path, by file before it; -1 for none. */
  newer: Int32Array;
  /** File before the change at the same path, by file after it; -1 for none. */
  older: Int32Array;
}

const known = new WeakMap<Graph, { after: Graph; paths: SamePaths }>();

/** One pass suffices, since both graphs have their files in the order of paths. */
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

interface MovedPaths {
  /** Paths of moved files before the change, by those after it. */
  moved: ReadonlyMap<string, string>;
  /** Path after the change of a former file; its former path if it is gone. */
  pathAfter: (file: number) => string;
}

export function movedPaths(before: Graph, after: Graph): MovedPaths {
  const moved = movedFiles(before, after);
  const now = new Map([...moved].map(([path, old]) => [old, path]));
  const pathAfter = (file: number) => {
    const { path } = before.tables.files[file];
    return now.get(path) ?? path;
  };
  return { moved, pathAfter };
}

export interface GraphVersions extends ReturnType<typeof movedPaths> {
  before: Graph;
  after: Graph;
  /** Selects the requested paths, as they are after the change. */
  accepts: (path: string) => boolean;
}

export function graphVersionsOf(before: Graph, after: Graph, accepts: (path: string) => boolean): GraphVersions {
  return { before, after, accepts, ...movedPaths(before, after) };
}
