/** Listing of several trees in which shared entries appear once. */
import { withinBounds } from './bounded.js';
import { diffTreePairs, type TreeChange } from './diff.js';
import type { Git } from './process.js';
import type { SnapshotReader } from './reader.js';
import type { TreeEntry } from './snapshot.js';

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
  const add = ({ path, oldOid, oldType, newOid, newType }: TreeChange) => {
    if (newOid === null || newType === null) return;
    // A file that only became executable, or no longer is: the tree has this very blob there.
    if (oldOid === newOid && kindOf(oldType) === kindOf(newType)) return;
    const key = `${kindOf(newType)} ${newOid} ${path}`;
    if (seen.has(key)) return;
    seen.add(key);
    entries.push({ path, oid: newOid, type: newType });
  };
  const pairs = others.map((other) => [tree, other] as const);
  await withinBounds(git, [tree, ...others], async (signal) => {
    for await (const changes of diffTreePairs(git, pairs, { renames: false, signal })) changes.forEach(add);
  });
  return entries;
}
