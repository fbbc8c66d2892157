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
  for (const line of stdout.toString('utf8').split('\n')) {
    const [space, end] = [line.indexOf(' '), line.indexOf('\0')];
    // `origin/HEAD` is an alias of a listed branch.
    if (end !== space + 1) continue;
    const commit = line.slice(0, space);
    const known = names.get(commit);
    if (known === undefined) names.set(commit, [line.slice(end + 1)]);
    else known.push(line.slice(end + 1));
  }
  const tips = await readTips(git, [...names.keys()]);
  return tips.flatMap(({ commit, tree }) => (names.get(commit) ?? []).map((name) => ({ name, commit, tree })));
}

/** Commits with their trees, newest first. Objects that are missing, or no commits, are left out. */
async function readTips(git: Git, oids: readonly string[]): Promise<{ commit: string; tree: string }[]> {
  if (oids.length === 0) return [];
  const args = ['rev-list', '--no-walk', '--ignore-missing', '--format=%H %T', '--stdin'];
  const { stdout } = await git.run(args, { input: `${oids.join('\n')}\n` });
  const lines = stdout.toString('latin1').split('\n');
  // Each is preceded by a line `commit OID`.
  return lines.flatMap((line, i) =>
    i % 2 === 1 ? [{ commit: line.slice(0, line.indexOf(' ')), tree: line.slice(line.indexOf(' ') + 1) }] : [],
  );
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
