/** Searches every branch at once: one snapshot with the files of all branches, and the branches that contain each result. */
import { type Branch, listBranches } from '../../git/branches.js';
import type { ObjectReader } from '../../git/objects.js';
import type { SearchResult } from '../../search/collapse.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from './snapshot.js';

/** Highest number of distinct trees searched; trees with newer commits come first. */
const MAX_TREES = 200;
/** Highest number of places of a result whose branches are looked up. */
const MAX_PLACES = 8;

export interface AllRefs {
  origin: SnapshotOrigin;
  /** Searched branches, the newest first. */
  branches: Branch[];
  leftOut: number;
}

/** Lists every local and remote-tracking branch, under the settings of HEAD, or of the newest branch if HEAD has no commit. */
export async function readAllRefs(session: Session): Promise<AllRefs> {
  const all = await listBranches(session.repository.git);
  const trees = new Set([...new Set(all.map(({ tree }) => tree))].slice(0, MAX_TREES));
  const branches = all.filter(({ tree }) => trees.has(tree));
  const head = await session.objects.info('HEAD^{commit}');
  const base = await session.origin(head === null ? branches[0]?.commit : undefined);
  trees.delete(base.resolved.tree);
  const others = [...trees].sort();
  const resolved = { ...base.resolved, ref: 'all branches', commit: null };
  const origin = { ...base, resolved, trees: others, key: JSON.stringify([base.key, others]) };
  return { origin, branches, leftOut: all.length - branches.length };
}

/** Adds to a result, and to its other places, the branches that contain it. */
export async function withRefs(
  result: SearchResult,
  branches: readonly Branch[],
  objects: ObjectReader,
): Promise<SearchResult> {
  const [own, ...places] = await Promise.all(
    [result, ...(result.places ?? []).slice(0, MAX_PLACES)].map(async (place) => ({
      ...place,
      refs: await branchesWith(place, branches, objects),
    })),
  );
  return { ...own, ...(places.length > 0 ? { places } : {}) } as SearchResult;
}

/** Names of the branches that hold a blob at a path. */
export async function branchesWith(
  { path, blob }: { path: string; blob?: string },
  branches: readonly Branch[],
  objects: ObjectReader,
): Promise<string[]> {
  const holds = await Promise.all(
    branches.map(async ({ tree }) => (await objects.info(`${tree}:${path}`))?.oid === blob),
  );
  return branches.flatMap(({ name }, i) => (holds[i] ? [name] : []));
}
