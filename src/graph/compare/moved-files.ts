/** Files that are the same file before and after a change, under the same path or another one. */
import type { Graph } from '../graph.js';
import { lastNodeOf } from '../query/uses.js';

/** Least share of symbols that two files have in common if one became the other. */
const LEAST_SHARE = 0.5;
/** Names in common must be worth one that two files define: `id` and `name` of an entity say nothing. */
const LEAST_WORTH = 0.5;
/** Comparing each file that is gone with each that is new is bounded, as git bounds it. */
const MAX_COMPARED = 1_000;

/**
 * The path before, by the path after. Files with the same bytes belong together; then those of one language that define
 * mostly the same symbols, the most alike first: by the Jaccard index of their qualified names, each of which counts the less
 * the more symbols of the snapshot have that name.
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

interface MovedPaths {
  /** Paths before, by those after. */
  moved: ReadonlyMap<string, string>;
  /** Path that a file of the older graph has after the change; its own where it is gone. */
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
  /** Paths after the change that are asked about. */
  accepts: (path: string) => boolean;
}

export function graphVersionsOf(before: Graph, after: Graph, accepts: (path: string) => boolean): GraphVersions {
  return { before, after, accepts, ...movedPaths(before, after) };
}
