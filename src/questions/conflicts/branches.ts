/**
 * Branches, fetched remote branches and other work trees, each as one commit and compared with the checked-out one: merge base, what both
 * changed since, and whether git can merge them. `askMerged` asks another question about the tree that several of them make together.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { mapConcurrently } from '../../base/async.js';
import { textAt } from '../../base/atomic.js';
import { cacheKey, type StateFiles } from '../../base/cache.js';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { signs, visibleLine } from '../../base/printable.js';
import { mergeBases } from '../../git/branches.js';
import { diffTreePairs, diffTrees, type TreeChange } from '../../git/diff.js';
import { readShallow } from '../../git/log.js';
import { type Merged, mergeInOrder, mergeTrees, openScratch, type Scratch } from '../../git/merge.js';
import type { Git } from '../../git/process.js';
import {
  type ConfigEntry,
  listWorktrees,
  openRepository,
  type Repository,
  readGitConfig,
  withoutLocalFilters,
  withoutLocalMergeDrivers,
} from '../../git/repository.js';
import { readChanges, type WorkTreeChange } from '../../git/status.js';
import type { FileVersion } from '../../history/file-versions.js';
import { pathOf } from '../../overlay/worktree-file.js';
import { commandText } from '../../params/param.js';
import { pathMatcher } from '../../search/filter.js';
import type { Session } from '../../session/session.js';
import { MERGES } from '../../session/state-kinds.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import type { BranchOverlap } from './question.js';

export interface Other {
  name: string;
  kind: BranchOverlap['kind'];
  alias: string[];
  commit: string;
  /** Work tree in which it is checked out, if that is another one than the question's. */
  worktree: Repository | null;
}

/** Branches and work trees to compare with, and how many branches are left out for each reason. */
export interface Others {
  /** The newest first, then work trees without a branch. */
  list: Other[];
  /** Branches that the commit has already. */
  merged: number;
  old: number;
  /** Remote branches that a local branch follows and has all of. */
  contained: number;
  /** Branches after the newest `MAX_BRANCHES`. */
  beyond: number;
}

interface Tip {
  ref: string;
  name: string;
  isRemote: boolean;
  commit: string;
  /** Seconds since 1970. */
  date: number;
  /** Upstream, if this branch contains all of it; else empty. */
  containing: string;
}

/** Most branches that are compared: each takes some ten milliseconds. */
const MAX_BRANCHES = 200;
const SECONDS_PER_DAY = 86_400;

interface OthersOptions {
  /** The commit to compare with. */
  commit: string;
  globs: readonly string[] | undefined;
  maxAge: number;
}

/** Lists others, newest first. Leaves out stale ones: merged branches, and those older than `maxAge` days. */
export async function listOthers(repository: Repository, { commit, globs, maxAge }: OthersOptions): Promise<Others> {
  const { git } = repository;
  const [tips, merged, worktrees] = await Promise.all([
    listTips(git),
    mergedInto(git, commit),
    otherWorktrees(repository),
  ]);
  // Branch names are matched like paths.
  const accepts = globs?.length ? pathMatcher(globs) : () => true;
  const named = tips.filter(({ name }) => accepts(name));
  // A remote branch is left out if a local branch contains all of it.
  const contained = new Set(named.map(({ containing }) => containing));
  const newest = Math.max(0, ...tips.map(({ date }) => date));
  const oldest = newest - maxAge * SECONDS_PER_DAY;
  // A branch that another work tree has checked out is never stale.
  const staleness = ({ commit: tip, date, isRemote, ref }: Tip, isCheckedOut: boolean) => {
    if (!isCheckedOut && merged.has(tip)) return 'merged';
    if (!isCheckedOut && date < oldest) return 'old';
    return isRemote && contained.has(ref) ? 'contained' : null;
  };
  const others: Others = { list: [], merged: 0, old: 0, contained: 0, beyond: 0 };
  const byCommit = new Map<string, Other>();
  for (const branch of named) {
    const { name, isRemote, commit: tip } = branch;
    const worktree = worktrees.get(name) ?? null;
    // The work trees that no branch takes out are listed below.
    worktrees.delete(name);
    const known = byCommit.get(tip);
    if (worktree === null && tip === commit) continue;
    const reason = staleness(branch, worktree !== null);
    if (reason !== null) others[reason]++;
    else if (worktree === null && known !== undefined) known.alias.push(name);
    else if (others.list.length >= MAX_BRANCHES) others.beyond++;
    else {
      const other: Other = { name, kind: isRemote ? 'remote' : 'branch', alias: [], commit: tip, worktree };
      byCommit.set(tip, known ?? other);
      others.list.push(other);
    }
  }
  for (const [name, worktree] of worktrees) {
    const head = await headOf(worktree.git);
    if (head !== null && accepts(name)) others.list.push({ name, kind: 'worktree', alias: [], commit: head, worktree });
  }
  return others;
}

/** Branch, work tree or commit of that name. Throws UNKNOWN_REF. */
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

/** All branches, the one with the newest commit first. */
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

/**
 * Other work trees by branch, or by path if HEAD is detached. Leaves out directories that git does not accept as work trees of this
 * repository.
 */
async function otherWorktrees(repository: Repository): Promise<Map<string, Repository>> {
  const found = new Map<string, Repository>();
  for (const { path, bare, commit, branch } of await listWorktrees(repository)) {
    if (bare || commit === null) continue;
    const opened = await openOwn(path, repository);
    if (opened !== null) found.set(branch ?? path, opened);
  }
  return found;
}

/** Opens a work tree if it and the repository name each other: the path is written in the git directory, which may come from an archive. */
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

// A work tree as one commit. Uncommitted files are written into a scratch repository.

export interface MergeInput {
  /** Commit to merge: of the scratch repository if something is uncommitted. */
  commit: string;
  tree: string;
  /** Commit in the repository. */
  head: string;
  /** Number of uncommitted files. */
  uncommitted: number;
  /** Reasons why the commit lacks something. */
  unknown: string[];
}

export interface WorkTreeOptions {
  scratch: Scratch;
  /** Selects files, untracked ones included. */
  accepts: (path: string) => boolean;
  signal: AbortSignal;
}

/** Limit of a file's size. People do not merge longer ones, and a copy would fill the temporary folder. */
const MAX_FILE_BYTES = 16 << 20;
const MAX_FILES = 5_000;

/** Reads a work tree as a commit. `config` is its git configuration, if known. */
export async function workTreeInput(
  repository: Repository,
  { commit: head, tree }: { commit: string; tree: string },
  { scratch, accepts, signal }: WorkTreeOptions,
  config?: readonly ConfigEntry[],
): Promise<MergeInput> {
  const committed: MergeInput = { commit: head, tree, head, uncommitted: 0, unknown: [] };
  try {
    const settings = config ?? (await readGitConfig(repository.git));
    const changes = await readChanges(repository, settings, [], signal);
    if (changes.commit !== head) return { ...committed, unknown: ['its HEAD moved while it was read'] };
    const wanted = changes.list.filter(({ path, headOid }) => headOid !== null || accepts(path));
    const files = wanted.filter((change) => isSmall(repository, change)).slice(0, MAX_FILES);
    const leftOut = wanted.length - files.length;
    const unknown = leftOut > 0 ? [`${leftOut} uncommitted files are too large or too many`] : [];
    if (files.length === 0) return { ...committed, unknown };
    const names = files.map(({ name }) => name);
    const made = await scratch.commitFiles(repository, { parent: head, names, config: settings });
    return { ...made, head, uncommitted: files.length, unknown };
  } catch (error) {
    if (!isSocraticodeError(error) || error.code === 'CANCELLED') throw error;
    return { ...committed, unknown: [`its uncommitted changes could not be read: ${error.message}`] };
  }
}

function isSmall({ workTree }: Repository, { name, isFile }: WorkTreeChange): boolean {
  if (!isFile || workTree === null) return true;
  const root = realpathSync.native(workTree, { encoding: 'buffer' });
  const stat = lstatSync(pathOf(root, name), { throwIfNoEntry: false });
  return stat === undefined || stat.size <= MAX_FILE_BYTES;
}

/** Another branch beside this one, which is `mine` everywhere. */
export interface ComparedPair {
  other: Other;
  theirs: MergeInput;
  /** Commit at which they parted; null if it is not known. */
  base: string | null;
  /** Null if the trees cannot be compared. */
  files: { mine: ChangedFiles; theirs: ChangedFiles } | null;
  /** Trial merge; null where none was made, since the files are not known or cannot conflict. */
  merged: Merged | null;
  /** Reasons why something about the pair is not known. */
  unknown: string[];
}

interface PairOptions {
  /** git with safe settings, which may write objects. */
  git: Git;
  session: Session;
  mine: MergeInput;
  signal: AbortSignal;
}

/** Commands of git that run at once. */
const AT_ONCE = 4;

/** Compares this branch with each of the others. `inputs` are those of `others`, in their order. */
export async function comparePairs(
  options: PairOptions,
  others: readonly Other[],
  inputs: readonly MergeInput[],
): Promise<ComparedPair[]> {
  const { git, session, mine, signal } = options;
  const heads = inputs.map(({ head }) => head);
  const bases = await mergeBases(git, mine.head, heads, signal);
  const isShallow = readShallow(session.repository).size > 0;
  const why = isShallow ? 'this clone is shallow: git fetch --unshallow' : 'they have no common ancestor';
  const pairs = others.map((other, i): ComparedPair => {
    const [base, theirs] = [bases[i], inputs[i]];
    const unknown = base === null ? [`where they parted is not known, since ${why}`] : [];
    return { other, theirs, base, files: null, merged: null, unknown: [...theirs.unknown, ...unknown] };
  });
  await compareFiles(options, pairs);
  const risky = pairs.filter(({ files }) => files !== null && mayConflict(files.mine, files.theirs));
  for (const [i, merged] of (await mergeRisky(options, risky)).entries()) {
    risky[i].merged = merged;
    if ('failure' in merged) risky[i].unknown.push(`git could not merge it: ${merged.failure}`);
  }
  return pairs;
}

type Verdict = Exclude<Merged, { failure: string }>;

/** Merges that are remembered, and conflicts in all of them together: a file of conflicts takes a hundred bytes. */
const MAX_MERGES = 1_000;
const MAX_CONFLICTS = 50_000;

/** Merges by trial what no question has merged before. Merging a branch with thousands of changed files takes seconds. */
async function mergeRisky(options: PairOptions, risky: readonly ComparedPair[]): Promise<Merged[]> {
  const { git, mine, session, signal } = options;
  const { state } = session;
  if (risky.length === 0) return [];
  const rules = await mergeRules(git, session);
  const known = rules === null ? new Map<string, Verdict>() : state.readMap<Verdict>(MERGES);
  const keys = risky.map(({ base, theirs }) => cacheKey(rules, base, mine.commit, theirs.commit));
  const open = keys.map((_, i) => i).filter((i) => !known.has(keys[i]));
  const merges = open.map((i) => ({ base: risky[i].base ?? '', ours: mine.commit, theirs: risky[i].theirs.commit }));
  // Two processes of git, since each merges one pair after the other.
  const half = Math.ceil(merges.length / 2);
  const parts = [merges.slice(0, half), merges.slice(half)].map((part) => mergeTrees(git, part, signal));
  const made = new Map((await Promise.all(parts)).flat().map((merged, i) => [open[i], merged]));
  const all = keys.map((key, i) => made.get(i) ?? known.get(key) ?? { failure: 'git ended early' });
  if (rules !== null && made.size > 0) keepMerges(state, keys, { all, known });
  return all;
}

type Kept = [key: string, verdict: Verdict][];

/** Keeps the verdicts of this question, and as many of the others as fit. */
function keepMerges(
  state: StateFiles,
  keys: readonly string[],
  { all, known }: { all: readonly Merged[]; known: ReadonlyMap<string, Verdict> },
): void {
  const newest = keys.flatMap((key, i): Kept => ('failure' in all[i] ? [] : [[key, all[i]]]));
  let room = MAX_CONFLICTS;
  const kept = [...new Map([...newest, ...known])].slice(0, MAX_MERGES).filter(([, { conflicts }]) => {
    room -= conflicts.length;
    return room >= 0;
  });
  state.write(MERGES, '', Buffer.from(JSON.stringify(kept)));
}

/**
 * Identity of everything that a merge of two commits depends on beside them: git, its settings, and attributes, which git reads from the
 * work tree. Null if attributes are uncommitted there: then nothing is remembered.
 */
async function mergeRules(git: Git, session: Session): Promise<string | null> {
  const { gitConfig, repository } = session;
  const changes = await session.readChanges?.();
  if (changes?.list.some(({ path }) => path.endsWith('.gitattributes'))) return null;
  const settings = gitConfig.filter(({ key }) => /^(?:merge|diff|core|attr)\./.test(key));
  const named = settings
    .filter(({ key }) => key === 'core.attributesfile')
    .at(-1)
    ?.value.replace(/^~(?=\/)/, homedir());
  const user = join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', 'attributes');
  const files = [join(repository.commonDir, 'info', 'attributes'), named ?? user, '/etc/gitattributes'];
  const version = await git.text(['version']);
  const shallow = [...readShallow(repository)];
  return cacheKey(
    version,
    changes?.commit,
    settings.map(({ key, value }) => [key, value]),
    files.map(textAt),
    shallow,
  );
}

/** Adds the changed files of both branches. */
async function compareFiles(
  { git, session, mine, signal }: PairOptions,
  pairs: readonly ComparedPair[],
): Promise<void> {
  const wanted = new Map<string, [from: string, to: string]>();
  const keyOf = (base: string, tree: string) => `${base} ${tree}`;
  for (const { base, theirs } of pairs) {
    if (base === null) continue;
    const from = (await session.objects.info(`${base}^{tree}`))?.oid ?? base;
    for (const { tree } of [mine, theirs]) wanted.set(keyOf(base, tree), [from, tree]);
  }
  const keys = [...wanted.keys()];
  const lists = await diffAll(git, [...wanted.values()], signal);
  const found = new Map(keys.map((key, i) => [key, lists[i]]));
  for (const pair of pairs) {
    const { base, theirs } = pair;
    if (base === null) continue;
    const [own, their] = [mine.tree, theirs.tree].map((tree) => found.get(keyOf(base, tree)));
    if (own instanceof Map && their instanceof Map) pair.files = { mine: own, theirs: their };
    else pair.unknown.push(`its files could not be compared: ${[own, their].find((each) => typeof each === 'string')}`);
  }
}

/** Changed files of each pair of trees, or the reason why they are unknown. */
async function diffAll(
  git: Git,
  pairs: readonly [from: string, to: string][],
  signal: AbortSignal,
): Promise<(ChangedFiles | string)[]> {
  try {
    const found: ChangedFiles[] = [];
    for await (const changes of diffTreePairs(git, pairs, { renames: true, signal })) found.push(changedFiles(changes));
    return found;
  } catch (error) {
    if (!isSocraticodeError(error) || error.code === 'CANCELLED') throw error;
  }
  // One pair failed, for example in a partial clone that lacks a blob: then each runs by itself.
  return mapConcurrently(pairs, AT_ONCE, async ([from, to]) => {
    try {
      return changedFiles(await diffTrees(git, from, to, { renames: true, signal }));
    } catch (error) {
      if (!isSocraticodeError(error) || error.code === 'CANCELLED') throw error;
      return error.message;
    }
  });
}

// Files that two branches changed since their merge base.

/** A file that a branch changed. Null if it does not exist there, or is no regular file. */
export interface ChangedFile {
  before: FileVersion | null;
  after: FileVersion | null;
}

/** By path at the merge base; an added file by its own path. */
export type ChangedFiles = ReadonlyMap<string, ChangedFile>;

export function changedFiles(changes: readonly TreeChange[]): ChangedFiles {
  return new Map(changes.map((change) => [change.oldPath ?? change.path, fileOf(change)]));
}

function fileOf({ path, oldPath = path, oldOid, newOid, oldType, newType }: TreeChange): ChangedFile {
  const isText = (type: TreeChange['oldType']) => type === 'file' || type === 'executable';
  return {
    before: oldOid !== null && isText(oldType) ? { oid: oldOid, path: oldPath } : null,
    after: newOid !== null && isText(newType) ? { oid: newOid, path } : null,
  };
}

/**
 * True if a merge can conflict: both change a path, one has a file where the other has a folder, or one adds to a folder whose files the
 * other moves away, since git then takes the folder for renamed.
 */
export function mayConflict(mine: ChangedFiles, theirs: ChangedFiles): boolean {
  const [small, large] = mine.size < theirs.size ? [mine, theirs] : [theirs, mine];
  const paths = pathsOf(large);
  for (const path of pathsOf(small)) if (paths.has(path)) return true;
  return meetInFolders(mine, theirs) || meetInFolders(theirs, mine);
}

function pathsOf(files: ChangedFiles): Set<string> {
  const paths = new Set(files.keys());
  for (const { after } of files.values()) if (after !== null) paths.add(after.path);
  return paths;
}

/** True if `adding` brings a file into a folder that `leaving` takes a file out of, or below a path at which `leaving` has a file. */
function meetInFolders(adding: ChangedFiles, leaving: ChangedFiles): boolean {
  const left = new Set<string>();
  const files = new Set<string>();
  for (const [path, { after }] of leaving) {
    if (after?.path !== path) left.add(folderOf(path));
    if (after !== null) files.add(after.path);
  }
  for (const [path, { before, after }] of adding) {
    if (after === null || (before !== null && after.path === path)) continue;
    if (left.has(folderOf(after.path))) return true;
    for (let at = folderOf(after.path); at !== ''; at = folderOf(at)) if (files.has(at)) return true;
  }
  return false;
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

// Questions about the tree that branches make when they are merged, before anybody merges them.

interface MergedValues {
  ref?: string;
  committed?: boolean;
  in?: string;
  allRefs?: boolean;
  merged?: readonly string[];
}

/**
 * Asks about the tree of `ref` (default: what is checked out, with its uncommitted files unless `committed`) with all of `merged` merged
 * in. The tree is written into the repository, where no ref leads to it. Throws BAD_ARGUMENT if they do not merge, and UNKNOWN_REF.
 */
export async function askMerged<Document extends object>(
  at: Asker,
  values: MergedValues,
  ask: (at: Asker, values: MergedValues) => Promise<Document>,
): Promise<Document> {
  const { merged = [], ref, committed, ...rest } = values;
  if (values.in !== undefined || values.allRefs) {
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      'what branches make together is one tree: merged, in and allRefs exclude each other',
    );
  }
  const tree = await mergedTree(at, { ref, committed, merged });
  const document = await ask(at, { ...rest, ref: tree });
  const name = [ref ?? 'HEAD', ...merged].join(' + ');
  return 'ref' in document && document.ref === tree ? { ...document, ref: name } : document;
}

async function mergedTree(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  { ref, committed, merged }: { ref?: string; committed?: boolean; merged: readonly string[] },
): Promise<string> {
  const scratch = openScratch(session.repository, { isKept: true });
  try {
    const inputs: { commit: string; tree: string }[] = [];
    const isWorkTree = ref === undefined && committed !== true && session.repository.workTree !== null;
    inputs.push(await inputOf(session, ref ?? 'HEAD', { scratch, isWorkTree, signal }));
    for (const name of merged) inputs.push(await inputOf(session, name, { scratch, signal }));
    const [first, ...others] = inputs;
    const safe = safeGit(session, scratch);
    const found = await mergeInOrder(scratch, { first, others: others.map(({ commit }) => commit), safe }, signal);
    if ('tree' in found) return found.tree;
    throw notMerged([ref ?? 'HEAD', ...merged], found.at, found.why);
  } finally {
    scratch.close();
  }
}

/** Git that runs no filter and no merge driver of the repository's own configuration. */
export function safeGit({ gitConfig }: Pick<Session, 'gitConfig'>, scratch: Scratch): Scratch['git'] {
  return scratch.git.withConfig([...withoutLocalFilters(gitConfig), ...withoutLocalMergeDrivers(gitConfig)]);
}

async function inputOf(
  session: Session,
  name: string,
  { scratch, signal, isWorkTree = false }: { scratch: Scratch; signal: AbortSignal; isWorkTree?: boolean },
): Promise<{ commit: string; tree: string }> {
  const reading = { scratch, accepts: () => true, signal };
  if (isWorkTree) {
    const { commit, tree } = await session.objects.resolve('HEAD');
    if (commit !== null)
      return readAll(name, await workTreeInput(session.repository, { commit, tree }, reading, session.gitConfig));
  }
  const { commit, worktree } = await namedOther(session, name);
  const tree = (await session.objects.info(`${commit}^{tree}`))?.oid ?? '';
  return worktree === null ? { commit, tree } : readAll(name, await workTreeInput(worktree, { commit, tree }, reading));
}

/** A work tree without some of its changes would be another tree than the one that is asked about. */
function readAll<T extends { unknown: readonly string[] }>(name: string, input: T): T {
  if (input.unknown.length === 0) return input;
  throw new SocraticodeError('BAD_ARGUMENT', `${visibleLine(name)} cannot be merged as it is: ${input.unknown[0]}`, {
    hint: 'Commit there, and name the branch.',
  });
}

/** Paths of conflicts that a message names. */
const NAMED = 3;

function notMerged(names: readonly string[], at: number, why: Merged): SocraticodeError {
  const [before, name] = [
    names
      .slice(0, at + 1)
      .map(visibleLine)
      .join(' + '),
    visibleLine(names[at + 1]),
  ];
  if ('failure' in why) return new SocraticodeError('BAD_ARGUMENT', `git could not merge ${name}: ${why.failure}`);
  if (why.conflicts.length === 0)
    return new SocraticodeError('BAD_ARGUMENT', 'this git merges only in a work tree', {
      hint: 'Install git 2.39 or newer.',
    });
  const paths = why.conflicts.slice(0, NAMED).map(({ path }) => visibleLine(path));
  const rest = why.conflicts.length > NAMED ? `, ${signs.cut}` : '';
  const found = formatCount(why.conflicts.length, 'conflict');
  return new SocraticodeError(
    'BAD_ARGUMENT',
    `${name} does not merge into ${before}: ${found} (${paths.join(', ')}${rest})`,
    {
      hint: `${commandText('conflicts', { plan: true })} names what to merge first, and what to leave out.`,
    },
  );
}
