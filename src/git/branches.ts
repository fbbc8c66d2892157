/** Branches and tags: their tips, the commits at which branches parted, one listing of the trees of several, and the remotes. */
import { SocraticodeError } from '../base/errors.js';
import { addTo } from '../base/lists.js';
import { groupDigits } from '../base/printable.js';
import { diffTreePairs, type TreeChange, withinBounds } from './diff.js';
import type { SnapshotReader, TreeEntry } from './objects.js';
import { type Git, gitEnvironment, NOTHING_THERE, SAFE_SETTINGS } from './process.js';
import { headBranch, type Repository } from './repository.js';

export interface Branch {
  /** `main`, `origin/main`. */
  name: string;
  commit: string;
  tree: string;
}

/**
 * Lists all local and remote-tracking branches, newest commit first. One git reads each commit once: `for-each-ref` would sort a million
 * branches of 100,000 commits by reading each ten times.
 */
export async function listBranches(git: Git): Promise<Branch[]> {
  const format = '%(objectname) %(symref:lstrip=-1)%00%(refname:lstrip=2)';
  const { stdout } = await git.run(['for-each-ref', `--format=${format}`, 'refs/heads', 'refs/remotes']);
  const names = new Map<string, string[]>();
  // `origin/HEAD` is an alias of a listed branch.
  for (const [, commit, name] of stdout.toString('utf8').matchAll(/^([0-9a-f]+) \0(.*)$/gm)) addTo(names, commit, name);
  const tips = await readTips(git, [...names.keys()]);
  // If tags were fetched as branches, a ref can name an annotated tag. Git prints the tag's commit, under an id that no ref has.
  return tips.flatMap(({ commit, tree }) => (names.get(commit) ?? []).map((name) => ({ name, commit, tree })));
}

/** Reads commits with their trees, newest first. Missing objects and other objects than commits are left out. */
async function readTips(git: Git, oids: readonly string[]): Promise<{ commit: string; tree: string }[]> {
  const args = ['rev-list', '--no-walk', '--ignore-missing', '--format=%H %T', '--stdin'];
  const { stdout } = await git.run(args, { input: `${oids.join('\n')}\n` });
  // A line `commit OID` precedes each.
  const found = stdout.toString('latin1').matchAll(/^([0-9a-f]+) ([0-9a-f]+)$/gm);
  return Array.from(found, ([, commit, tree]) => ({ commit, tree }));
}

interface Tag {
  name: string;
  /** Commit that the tag leads to, through other tags. */
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

/** Limit on the commits of branches that are read. Beyond it git is run for each branch. */
const MAX_COMMITS = 200_000;

/**
 * Merge base of `mine` with each commit of `others`, in their order, mostly found by one git; null if there is none, or if history is
 * missing.
 */
export async function mergeBases(
  git: Git,
  mine: string,
  others: readonly string[],
  signal?: AbortSignal,
): Promise<(string | null)[]> {
  const known = await commitsOutside(git, mine, others, signal);
  const bases: (string | null)[] = [];
  for (const other of others) {
    const parted = known === null ? null : partingOf(known, other);
    // With several, only git knows which are ancestors of others.
    const one = parted !== null && parted.size <= 1;
    bases.push(one ? ([...parted][0] ?? null) : await askGit(git, mine, other, signal));
  }
  return bases;
}

interface Outside {
  /** Commits outside the history of `mine`, with their parents. */
  parents: ReadonlyMap<string, readonly string[]>;
}

/** Null if there are too many, or if git fails. */
async function commitsOutside(git: Git, mine: string, others: readonly string[], signal?: AbortSignal) {
  const args = ['rev-list', '--parents', `--max-count=${MAX_COMMITS}`, '--stdin'];
  const { stdout, code } = await git.run(args, {
    input: [...others, `^${mine}`].map((commit) => `${commit}\n`).join(''),
    allow: NOTHING_THERE,
    signal,
  });
  if (code !== 0) return null;
  const lines = stdout.toString('latin1').split('\n');
  if (lines.length > MAX_COMMITS) return null;
  const parents = new Map<string, readonly string[]>();
  for (const line of lines) {
    const [commit, ...above] = line.split(' ');
    if (commit !== '') parents.set(commit, above);
  }
  return { parents };
}

/** Branches and tags with commits that the history of a commit lacks, newest first. */
export interface SideRefs {
  branches: Tag[];
  tags: Tag[];
  /** Names of the branches that have a commit which that history lacks; of the tags if no branch has it. */
  having(commit: string): string[];
}

/** Throws GIT_FAILED if the commits are too many, or if one is missing. */
export async function readSideRefs(git: Git, mine: string, signal?: AbortSignal): Promise<SideRefs> {
  const all = [await listBranches(git), await listTags(git)];
  const known = await commitsOutside(git, mine, [...new Set(all.flat().map(({ commit }) => commit))], signal);
  if (known === null) {
    throw new SocraticodeError('GIT_FAILED', 'the commits that only other branches and tags have cannot be listed', {
      hint: `There are more than ${groupDigits(MAX_COMMITS)}, or one is missing here: name one branch.`,
    });
  }
  const [branches, tags] = all.map((refs) => refs.filter(({ commit }) => known.parents.has(commit)));
  const children = new Map<string, string[]>();
  for (const [commit, parents] of known.parents) for (const parent of parents) addTo(children, parent, commit);
  const having = (commit: string): string[] => {
    if (!known.parents.has(commit)) return [];
    const above = new Set([commit]);
    for (const each of above) for (const child of children.get(each) ?? []) above.add(child);
    const found = [branches, tags].map((refs) => refs.filter((ref) => above.has(ref.commit)).map(({ name }) => name));
    return found.find((names) => names.length > 0) ?? [];
  };
  return { branches, tags, having };
}

/** Commits of `mine` that are parents of commits which only `tip` has. */
function partingOf({ parents }: Outside, tip: string): Set<string> {
  const found = new Set<string>();
  const seen = new Set([tip]);
  for (const commit of seen) {
    const above = parents.get(commit);
    if (above === undefined) found.add(commit);
    else for (const parent of above) seen.add(parent);
  }
  return found;
}

async function askGit(git: Git, a: string, b: string, signal?: AbortSignal): Promise<string | null> {
  const { stdout } = await git.run(['merge-base', '--end-of-options', a, b], { allow: NOTHING_THERE, signal });
  return stdout.toString('latin1').trim() || null;
}

/** Returns whether commit `a` is `b` or an ancestor of it; false for a commit that is not here. */
export async function isAncestor(git: Git, a: string, b: string): Promise<boolean> {
  const { code } = await git.run(['merge-base', '--is-ancestor', '--end-of-options', a, b], { allow: NOTHING_THERE });
  return code === 0;
}

/** An executable file counts as a file: its content is searched alike. */
const kindOf = (type: TreeEntry['type'] | null) => (type === 'executable' ? 'file' : type);

/** Lists the entries of a tree, and those of other trees that differ from it. A path appears once per blob, whatever its mode. */
export async function listUnion(
  { git, objects }: { git: Git; objects: SnapshotReader },
  tree: string,
  others: readonly string[],
): Promise<TreeEntry[]> {
  const entries = await objects.list(tree);
  const seen = new Set<string>();
  const add = ({ path, oldOid, oldType, newOid, newType }: TreeChange) => {
    if (newOid === null || newType === null) return;
    // Only the executable bit differs; the tree has the same blob there.
    if (oldOid === newOid && kindOf(oldType) === kindOf(newType)) return;
    const key = `${kindOf(newType)} ${newOid} ${path}`;
    if (seen.has(key)) return;
    seen.add(key);
    entries.push({ path, oid: newOid, type: newType });
  };
  const pairs = others.map((other) => [tree, other] as const);
  await withinBounds(git, [tree, ...others], async (signal) => {
    for await (const changes of diffTreePairs(git, pairs, { renames: false, signal })) changes.forEach(add);
  });
  return entries;
}

// Remotes through simple-git, which suits short text answers. All other commands need streams, paths as bytes and memory bounds, which it
// does not offer (`process`).

interface BranchAndRemotes {
  /** Null with a detached HEAD. */
  branch: string | null;
  remotes: string[];
}

/** Variables with the user's paths of configuration. simple-git accepts only those that are named. */
const CONFIG_PATHS = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];

export async function readBranchAndRemotes(repository: Repository): Promise<BranchAndRemotes> {
  const { simpleGit } = await import('simple-git');
  const git = simpleGit({
    baseDir: repository.workTree ?? repository.gitDir,
    config: SAFE_SETTINGS,
    // simple-git calls these settings unsafe whatever their values; ours switch the features off.
    unsafe: {
      ...{ allowUnsafeFsMonitor: true, allowUnsafeHooksPath: true, allowUnsafeProtocolOverride: true },
      allowUnsafeConfigPaths: true,
    },
    allowEnvironment: [...CONFIG_PATHS, 'GIT_DIR'],
  }).env({ ...porcelainEnvironment(), GIT_DIR: repository.gitDir });
  const [branch, remotes] = await Promise.all([headBranch(repository), git.getRemotes()]);
  return { branch, remotes: remotes.map(({ name }) => name) };
}

/** Leaves out variables that name programs (editor, pager, ssh): simple-git refuses them, and none is needed here. */
function porcelainEnvironment(): Record<string, string> {
  const wanted = ['PATH', 'HOME', 'LC_ALL', 'SystemRoot', ...CONFIG_PATHS];
  const env = gitEnvironment();
  return Object.fromEntries(wanted.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
