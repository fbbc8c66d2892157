/** Searching every branch at once: one snapshot that holds each file of each branch, and which branches hold a result. */
import { type Branch, listBranches } from '../../git/branches.js';
import type { ObjectReader } from '../../git/objects.js';
import type { SearchResult } from '../../search/collapse.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from './snapshot.js';

/** Distinct trees that are searched; of more, those with the newest commits. */
const MAX_TREES = 200;
/** Places of a result whose branches are looked up. */
const MAX_PLACES = 8;

export interface AllRefs {
  origin: SnapshotOrigin;
  /** Those searched, the newest first. */
  branches: Branch[];
  leftOut: number;
}

/** Every branch, local and of remotes, under the settings of HEAD (of the newest branch where HEAD has no commit). */
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

/** A result with the branches that hold it, where it stands and in its other places. */
export async function withRefs(
  result: SearchResult,
  branches: readonly Branch[],
  objects: ObjectReader,
): Promise<SearchResult> {
  const [own, ...places] = await Promise.all(
    [result, ...(result.places ?? []).slice(0, MAX_PLACES)].map(async (place) => {
      const holds = await Promise.all(
        branches.map(async ({ tree }) => (await objects.info(`${tree}:${place.path}`))?.oid === place.blob),
      );
      return { ...place, refs: branches.flatMap(({ name }, i) => (holds[i] ? [name] : [])) };
    }),
  );
  return { ...own, ...(places.length > 0 ? { places } : {}) } as SearchResult;
}
