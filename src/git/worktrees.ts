/** Work trees of a repository, as its git directory lists them. */
import type { Repository } from './repository.js';

export interface Worktree {
  /** Absolute path, as recorded by git; it may be gone, or another repository. */
  path: string;
  /** Null before the first commit. */
  commit: string | null;
  /** Null with a detached HEAD. */
  branch: string | null;
  bare: boolean;
}

const BRANCH = /^branch (?:refs\/heads\/)?(.*)$/;
const NO_COMMIT = /^0+$/;

/** Lists all work trees, the main one first. */
export async function listWorktrees({ git }: Repository): Promise<Worktree[]> {
  // Without -z, which needs git 2.36; a path with a newline is cut there.
  const { stdout } = await git.run(['worktree', 'list', '--porcelain']);
  return stdout
    .toString('utf8')
    .split('\n\n')
    .flatMap((entry) => {
      const lines = entry.split('\n');
      const path = /^worktree (.*)$/.exec(lines[0])?.[1];
      if (path === undefined) return [];
      const commit = lines.flatMap((line) => /^HEAD ([0-9a-f]+)$/.exec(line)?.[1] ?? [])[0] ?? null;
      const branch = lines.flatMap((line) => BRANCH.exec(line)?.[1] ?? [])[0] ?? null;
      const isUnborn = commit === null || NO_COMMIT.test(commit);
      return [{ path, commit: isUnborn ? null : commit, branch, bare: lines.includes('bare') }];
    });
}
