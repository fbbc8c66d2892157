/** Branches and their tips. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './process.js';
import type { Repository } from './repository.js';

/** Git writes this branch, which cannot be, where its refs are in a reftable. */
const NOT_IN_FILES = '.invalid';

/** Name of the branch that is checked out, with or without a commit; null for a detached HEAD. Starts git only for a reftable. */
export async function headBranch({ gitDir, git }: Repository): Promise<string | null> {
  const written = /^ref: refs\/heads\/(.+)\n?$/.exec(textOf(join(gitDir, 'HEAD')))?.[1];
  if (written !== undefined && written !== NOT_IN_FILES) return written;
  const { stdout } = await git.run(['symbolic-ref', '--quiet', '--short', 'HEAD'], { allow: [1, 128] });
  return stdout.toString('utf8').trim() || null;
}

/** Empty for a file that cannot be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

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
