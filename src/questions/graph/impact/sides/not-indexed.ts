/** Counts files that differ and that no graph knows, such as lock files and pictures: a change of them alone is no empty one. */
import { diffTrees } from '../../../../git/diff.js';
import type { PreparedGraph } from '../../../../session/graph/prepare.js';
import type { Session } from '../../../../session/session.js';

interface Sides {
  /** The older side; null stands for the empty tree. */
  tree: string | null;
  isWorkTree: boolean;
  /** Paths of the indexed files that differ. */
  indexed: ReadonlySet<string>;
  signal?: AbortSignal;
}

/** Throws as `diffTrees` does. */
export async function countNotIndexed(
  session: Session,
  { graph, origin }: PreparedGraph,
  { tree, isWorkTree, indexed, signal }: Sides,
): Promise<number> {
  const now = origin.resolved.tree;
  const [committed, changes] = await Promise.all([
    tree === now ? [] : diffTrees(session.repository.git, tree, now, { signal }),
    isWorkTree ? session.readChanges?.() : undefined,
  ]);
  const differing = [...committed, ...(changes?.list ?? [])].map(({ path }) => path);
  return new Set(differing.filter((path) => !indexed.has(path) && graph.findFile(path) < 0)).size;
}
