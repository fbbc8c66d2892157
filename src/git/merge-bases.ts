/** Commits at which many branches parted from one, found with one git. */
import { type Git, NOTHING_THERE } from './process.js';

/** Commits of branches that are read: beyond, git is asked for each branch. */
const MAX_COMMITS = 200_000;

/** Merge base of `mine` with each commit of `others`, in their order; null where there is none, or history is missing. */
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
    // Several: only git knows which of them are ancestors of others.
    const one = parted !== null && parted.size <= 1;
    bases.push(one ? ([...parted][0] ?? null) : await askGit(git, mine, other, signal));
  }
  return bases;
}

interface Outside {
  /** Commits that `mine` has not, with their parents. */
  parents: ReadonlyMap<string, readonly string[]>;
}

/** Null where there are too many, or git fails. */
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

/** Commits of `mine` that are parents of those which only `tip` has. */
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

/** True if commit `a` is an ancestor of commit `b`, or `b` itself; false too for a commit that is not here. */
export async function isAncestor(git: Git, a: string, b: string): Promise<boolean> {
  const { code } = await git.run(['merge-base', '--is-ancestor', '--end-of-options', a, b], { allow: NOTHING_THERE });
  return code === 0;
}
