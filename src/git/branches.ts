/** The tips of branches. */
import type { Git } from './process.js';

export interface Branch {
  /** `main`, `origin/main`. */
  name: string;
  commit: string;
  tree: string;
}

/** Every branch, local ones and those of remotes, that with the newest commit first. */
export async function listBranches(git: Git): Promise<Branch[]> {
  const format = '%(objectname) %(tree) %(symref:lstrip=-1)%00%(refname:lstrip=2)';
  const args = ['for-each-ref', '--sort=-committerdate', `--format=${format}`, 'refs/heads', 'refs/remotes'];
  const { stdout } = await git.run(args);
  const branches: Branch[] = [];
  for (const line of stdout.toString('utf8').split('\n')) {
    const [head, name] = line.split('\0');
    const [commit, tree, symref] = head.split(' ');
    // `origin/HEAD` is another name of a branch that is listed.
    if (name !== undefined && tree !== '' && symref === '') branches.push({ name, commit, tree });
  }
  return branches;
}
