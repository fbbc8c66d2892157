/** Files that have another path on the other side of a change. */
import type { Graph } from '../graph.js';
import { samePaths } from './same-paths.js';
import { lastNodeOf } from './uses.js';

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
