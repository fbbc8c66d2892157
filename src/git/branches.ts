/** Branches and their tips. */
import type { Git } from './process.js';

export interface Branch {
  /** `main`, `origin/main`. */
  name: string;
  commit: string;
  tree: string;
}

/** All local and remote-tracking branches, newest commit first. */
export async function listBranches(git: Git): Promise<Branch[]> {
  const format = '%(objectname) %(tree) %(symref:lstrip=-1)%00%(refname:lstrip=2)';
  const args = ['for-each-ref', '--sort=-committerdate', `--format=${format}`, 'refs/heads', 'refs/remotes'];
  const { stdout } = await git.run(args);
  const branches: Branch[] = [];
  for (const line of stdout.toString('utf8').split('\n')) {
    const [head, name] = line.split('\0');
    const [commit, tree, symref] = head.split(' ');
    // `origin/HEAD` is an alias of a listed branch.
    if (name !== undefined && tree !== '' && symref === '') branches.push({ name, commit, tree });
  }
  return branches;
}
