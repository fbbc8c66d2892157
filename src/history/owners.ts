/** Owners of files by history: the authors who changed them most, with newer commits weighing more. */
import { readCommit } from '../git/commit.js';
import type { ObjectReader } from '../git/objects.js';
import { type LoggedCommit, weightOf } from './change-log.js';

export interface Owner {
  /** Name as in the commits. */
  author: string;
  commits: number;
  /** Share of all commits that changed the files, weighed by their age: 0 to 1. */
  share: number;
  /** Date of the newest of them, ISO 8601; null if it is invalid. */
  last: string | null;
}

/** Most commits whose authors are read. */
const MAX_COMMITS = 500;

/** The busiest first. `log`: newest first. */
export async function ownersOf(
  log: readonly LoggedCommit[],
  paths: ReadonlySet<string>,
  objects: ObjectReader,
): Promise<Owner[]> {
  const touching = log.filter((commit) => commit.paths.some((path) => paths.has(path))).slice(0, MAX_COMMITS);
  const authored = await Promise.all(touching.map(({ commit }) => readCommit(objects, commit)));
  const found = new Map<string, Owner>();
  let total = 0;
  for (const [i, commit] of touching.entries()) {
    const info = authored[i];
    if (info === null) continue;
    const weight = weightOf(commit);
    total += weight;
    const owner = found.get(info.author) ?? { author: info.author, commits: 0, share: 0, last: info.date };
    found.set(info.author, { ...owner, commits: owner.commits + 1, share: owner.share + weight });
  }
  const owners = [...found.values()].map((owner) => ({ ...owner, share: owner.share / total }));
  return owners.sort((a, b) => b.share - a.share || (a.author < b.author ? -1 : 1));
}
