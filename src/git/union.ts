/** Listing of several trees in which shared entries appear once. */
import { diffTrees } from './diff.js';
import type { Git } from './process.js';
import type { SnapshotReader } from './reader.js';
import type { TreeEntry } from './snapshot.js';

const DIFFS_AT_ONCE = 4;

/** Lists the entries of a tree, and those of others that differ from it; a path appears once per blob. */
export async function listUnion(
  { git, objects }: { git: Git; objects: SnapshotReader },
  tree: string,
  others: readonly string[],
): Promise<TreeEntry[]> {
  const entries = await objects.list(tree);
  const seen = new Set<string>();
  for (let i = 0; i < others.length; i += DIFFS_AT_ONCE) {
    const some = others.slice(i, i + DIFFS_AT_ONCE);
    const diffs = await Promise.all(some.map((other) => diffTrees(git, tree, other)));
    for (const { path, newOid, newType } of diffs.flat()) {
      if (newOid === null || newType === null || seen.has(`${newOid} ${path}`)) continue;
      seen.add(`${newOid} ${path}`);
      entries.push({ path, oid: newOid, type: newType });
    }
  }
  return entries;
}
