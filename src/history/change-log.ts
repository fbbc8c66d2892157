/** The recent commits of a history with the paths that each changed: what change coupling and ownership are counted from. */
import { type CommitChanges, walkHistory } from '../git/log.js';
import type { Git } from '../git/process.js';

export interface LoggedCommit {
  commit: string;
  /** Commits of the log that are newer. */
  age: number;
  paths: readonly string[];
}

export interface ChangeLogOptions {
  /** Newest commit. */
  tip: string;
  maxCommits: number;
  /** Commits whose parents are missing in a shallow clone. */
  shallow?: ReadonlySet<string>;
  signal?: AbortSignal;
}

/**
 * A commit of more files says nothing of any two of them: a reformatting, a rename of a folder, a merge by hand.
 * Zimmermann et al., "Mining Version Histories to Guide Software Changes" (ICSE 2004), leave out the same, from 30 files on.
 */
export const MAX_FILES = 30;
/** Commits after which a change counts half as much: what was true of the code years ago says little. */
const HALF_LIFE = 500;

/** Newest first, without merges and commits of more than `MAX_FILES` files. Throws GIT_FAILED or CANCELLED. */
export async function readChangeLog(git: Git, options: ChangeLogOptions): Promise<LoggedCommit[]> {
  const log: LoggedCommit[] = [];
  let age = 0;
  await walkHistory(git, options, ({ commit, changes }: CommitChanges) => {
    const isMerge = changes.some(({ oldOids }) => oldOids.length > 1);
    if (!isMerge && changes.length > 0 && changes.length <= MAX_FILES)
      log.push({ commit, age, paths: changes.map(({ path }) => path) });
    age++;
  });
  return log;
}

/** Weight of a commit: 1 for the newest, half of it every `HALF_LIFE` commits. */
export function weightOf({ age }: LoggedCommit): number {
  return 0.5 ** (age / HALF_LIFE);
}
