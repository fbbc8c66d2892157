/** Listing of several trees in which shared entries appear once. */
import { diffTrees } from './diff.js';
import type { Git } from './process.js';
import type { SnapshotReader } from './reader.js';
import type { TreeEntry } from './snapshot.js';

const DIFFS_AT_ONCE = 4;

/** An executable file is a file: its content is searched alike. */
const kindOf = (type: TreeEntry['type'] | null) => (type === 'executable' ? 'file' : type);

/** Lists the entries of a tree, and those of others that differ from it; a path appears once per blob, whatever its mode. */
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
    for (const { path, oldOid, oldType, newOid, newType } of diffs.flat()) {
      if (newOid === null || newType === null) continue;
      // A file that only became executable, or no longer is: the tree has this very blob there.
      if (oldOid === newOid && kindOf(oldType) === kindOf(newType)) continue;
      const key = `${kindOf(newType)} ${newOid} ${path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      entries.push({ path, oid: newOid, type: newType });
    }
  }
  return entries;
}
