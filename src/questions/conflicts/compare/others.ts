/** Sides to compare with: branches, fetched remote branches and other work trees, without those that are stale. */
import { realpathSync } from 'node:fs';
import { isSocraticodeError, SocraticodeError } from '../../../base/errors.js';
import type { Git } from '../../../git/process.js';
import { openRepository, type Repository } from '../../../git/repository.js';
import { listWorktrees } from '../../../git/worktrees.js';
import { pathMatcher } from '../../../search/filter.js';
import type { Session } from '../../../session/session.js';
import type { BranchOverlap } from '../output.js';

export interface Other {
  name: string;
  kind: BranchOverlap['kind'];
  alias: string[];
  commit: string;
  /** Work tree that is checked out there, if it is another one than that of the question. */
  worktree: Repository | null;
}

export interface Others {
  list: Other[];
  merged: number;
  old: number;
  contained: number;
  beyond: number;
}

interface Tip {
  ref: string;
  name: string;
  isRemote: boolean;
  commit: string;
  /** Seconds since 1970. */
  date: number;
  /** Upstream that has nothing which this branch lacks; else empty. */
  containing: string;
}

/** Most branches that are compared: each costs some ten milliseconds. */
const MAX_BRANCHES = 200;
const SECONDS_PER_DAY = 86_400;

interface OthersOptions {
  /** Commit of this side. */
  commit: string;
  globs: readonly string[] | undefined;
  maxAge: number;
}

/** Lists them, the newest first. Stale are branches that this side has merged, and those older than `maxAge` days. */
export async function listOthers(repository: Repository, { commit, globs, maxAge }: OthersOptions): Promise<Others> {
  const { git } = repository;
  const [tips, merged, worktrees] = await Promise.all([
    listTips(git),
    mergedInto(git, commit),
    otherWorktrees(repository),
  ]);
  // Names of branches look like paths.
  const accepts = globs?.length ? pathMatcher(globs) : () => true;
  const named = tips.filter(({ name }) => accepts(name));
  // A remote branch whose local follower is ahead brings nothing that the follower lacks.
  const contained = new Set(named.map(({ containing }) => containing));
  const newest = Math.max(0, ...tips.map(({ date }) => date));
  const others: Others = { list: [], merged: 0, old: 0, contained: 0, beyond: 0 };
  const byCommit = new Map<string, Other>();
  for (const { ref, name, isRemote, commit: tip, date } of named) {
    const worktree = worktrees.get(name) ?? null;
    worktrees.delete(name);
    const known = byCommit.get(tip);
    if (tip === commit && worktree === null) continue;
    if (merged.has(tip) && worktree === null) others.merged++;
    else if (date < newest - maxAge * SECONDS_PER_DAY && worktree === null) others.old++;
    else if (isRemote && contained.has(ref)) others.contained++;
    else if (known !== undefined && worktree === null) known.alias.push(name);
    else if (others.list.length >= MAX_BRANCHES) others.beyond++;
    else {
      const other: Other = { name, kind: isRemote ? 'remote' : 'branch', alias: [], commit: tip, worktree };
      byCommit.set(tip, known ?? other);
      others.list.push(other);
    }
  }
  // Work trees without a branch.
  for (const [name, worktree] of worktrees) {
    const head = await headOf(worktree.git);
    if (head !== null && accepts(name)) others.list.push({ name, kind: 'worktree', alias: [], commit: head, worktree });
  }
  return others;
}

/** The branch, work tree or commit that is named. Throws UNKNOWN_REF. */
export async function namedOther(session: Session, name: string): Promise<Other> {
  const { repository, objects } = session;
  const worktrees = await otherWorktrees(repository);
  for (const [key, worktree] of worktrees) {
    if (key !== name && worktree.workTree !== name) continue;
    const commit = await headOf(worktree.git);
    if (commit !== null) return { name: key, kind: 'worktree', alias: [], commit, worktree };
  }
  const { commit } = await objects.resolve(name);
  if (commit === null) throw new SocraticodeError('UNKNOWN_REF', `${name} names no commit`);
  const tip = (await listTips(repository.git)).find((each) => each.name === name);
  const kind = tip === undefined ? 'commit' : tip.isRemote ? 'remote' : 'branch';
  return { name, kind, alias: [], commit, worktree: null };
}

/** All branches, the newest commit first. */
async function listTips(git: Git): Promise<Tip[]> {
  const fields = ['objectname', 'objecttype', 'committerdate:unix', 'symref', 'upstream', 'upstream:track,nobracket'];
  const format = [...fields, 'refname'].map((field) => `%(${field})`).join('%00');
  const args = ['for-each-ref', '--sort=-committerdate', `--format=${format}`, 'refs/heads', 'refs/remotes'];
  const lines = (await git.run(args)).stdout.toString('utf8').split('\n');
  const rows = lines.map((line) => line.split('\0')).filter((row) => row.length === fields.length + 1);
  return rows.flatMap(([commit, type, date, symref, upstream, track, ref]): Tip[] => {
    if (type !== 'commit' || symref !== '') return [];
    const isRemote = ref.startsWith('refs/remotes/');
    const name = ref.replace(/^refs\/(?:heads|remotes)\//, '');
    const containing = /^(?:ahead \d+)?$/.test(track) ? upstream : '';
    return [{ ref, name, isRemote, commit, date: Number(date), containing }];
  });
}

/** Tips that are ancestors of a commit. */
async function mergedInto(git: Git, commit: string): Promise<Set<string>> {
  const args = ['for-each-ref', `--merged=${commit}`, '--format=%(objectname)', 'refs/heads', 'refs/remotes'];
  return new Set((await git.text(args)).split('\n'));
}

/** By branch; by path where HEAD is detached. What git does not take for a work tree of this repository is left out. */
async function otherWorktrees(repository: Repository): Promise<Map<string, Repository>> {
  const found = new Map<string, Repository>();
  for (const { path, bare, commit, branch } of await listWorktrees(repository)) {
    if (bare || commit === null) continue;
    const opened = await openOwn(path, repository);
    if (opened !== null) found.set(branch ?? path, opened);
  }
  return found;
}

/** The path stands in the git directory, which can come in an archive: both sides must name each other. */
async function openOwn(path: string, { commonDir, workTree }: Repository): Promise<Repository | null> {
  try {
    const opened = await openRepository(path);
    if (opened.workTree === null || realpathSync(opened.commonDir) !== realpathSync(commonDir)) return null;
    return workTree !== null && realpathSync(opened.workTree) === realpathSync(workTree) ? null : opened;
  } catch (error) {
    if (isSocraticodeError(error, 'CANCELLED')) throw error;
    return null;
  }
}

async function headOf(git: Git): Promise<string | null> {
  const { stdout, code } = await git.run(['rev-parse', '--verify', '-q', 'HEAD^{commit}'], { allow: [1, 128] });
  return code === 0 ? stdout.toString('utf8').trim() : null;
}
