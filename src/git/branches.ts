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

export interface Tag {
  name: string;
  /** The commit that the tag leads to. */
  commit: string;
}

/** Tags of commits, newest first. */
export async function listTags(git: Git): Promise<Tag[]> {
  const format = '%(objecttype) %(objectname)%00%(*objecttype) %(*objectname)%00%(refname:lstrip=2)';
  const { stdout } = await git.run(['for-each-ref', '--sort=-creatordate', `--format=${format}`, 'refs/tags']);
  const tags: Tag[] = [];
  for (const line of stdout.toString('utf8').split('\n')) {
    const [own = '', target = '', name] = line.split('\0');
    const commit = [own, target].map((each) => each.split(' ')).find(([type]) => type === 'commit')?.[1];
    if (name !== undefined && commit !== undefined) tags.push({ name, commit });
  }
  return tags;
}
