/** Branches and their tips. */
import type { Git } from './process.js';

export interface Branch {
  /** `main`, `origin/main`. */
  name: string;
  commit: string;
  tree: string;
}

/**
 * All local and remote-tracking branches, newest commit first. Commits are read once each, by one git: sorted by `for-each-ref`, a
 * million branches of 100,000 commits would be read ten times.
 */
export async function listBranches(git: Git): Promise<Branch[]> {
  const format = '%(objectname) %(symref:lstrip=-1)%00%(refname:lstrip=2)';
  const { stdout } = await git.run(['for-each-ref', `--format=${format}`, 'refs/heads', 'refs/remotes']);
  const names = new Map<string, string[]>();
  // `origin/HEAD` is an alias of a listed branch.
  for (const [, commit, name] of stdout.toString('utf8').matchAll(/^([0-9a-f]+) \0(.*)$/gm)) {
    const known = names.get(commit);
    if (known === undefined) names.set(commit, [name]);
    else known.push(name);
  }
  const tips = await readTips(git, [...names.keys()]);
  // A fetch of tags as branches makes refs of annotated tags: git peels those, so that what it prints is no ref's own object.
  return tips.flatMap(({ commit, tree }) => (names.get(commit) ?? []).map((name) => ({ name, commit, tree })));
}

/** Commits with their trees, newest first. Objects that are missing, or no commits, are left out. */
async function readTips(git: Git, oids: readonly string[]): Promise<{ commit: string; tree: string }[]> {
  const args = ['rev-list', '--no-walk', '--ignore-missing', '--format=%H %T', '--stdin'];
  const { stdout } = await git.run(args, { input: `${oids.join('\n')}\n` });
  // Each is preceded by a line `commit OID`.
  const found = stdout.toString('latin1').matchAll(/^([0-9a-f]+) ([0-9a-f]+)$/gm);
  return Array.from(found, ([, commit, tree]) => ({ commit, tree }));
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
    const [own = '', target = '', name = ''] = line.split('\0');
    const commit = [own, target].map((each) => each.split(' ')).find(([type]) => type === 'commit')?.[1];
    if (commit !== undefined) tags.push({ name, commit });
  }
  return tags;
}
