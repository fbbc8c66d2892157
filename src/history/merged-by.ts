/** Merges that brought commits to the branch of a log: the first one on the line of first parents that has them. */
import type { ChangeLog, LoggedCommit } from './change-log.js';

/** Commit to the merge that brought it; commits that were made on the branch itself have none. */
export function mergesOf({ commits }: Pick<ChangeLog, 'commits'>): ReadonlyMap<string, LoggedCommit> {
  const known = new Map(commits.map((commit) => [commit.commit, commit]));
  const trunk: LoggedCommit[] = [];
  for (let at = commits[0]; at !== undefined; at = known.get(at.parents[0]) as LoggedCommit) trunk.push(at);
  const reached = new Set(trunk.map(({ commit }) => commit));
  const merges = new Map<string, LoggedCommit>();
  for (const merge of trunk.reverse()) {
    const waiting = merge.parents.slice(1);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const commit = reached.has(next) ? undefined : known.get(next);
      if (commit === undefined) continue;
      reached.add(next);
      merges.set(next, merge);
      waiting.push(...commit.parents);
    }
  }
  return merges;
}
