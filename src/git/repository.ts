/**
 * The repository around a directory: finds its parts, tells without a process of git whether refs and rule files are there, and reads its
 * configuration and its work trees.
 */
import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { standingAt } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { shellWord, visibleText } from '../base/printable.js';
import { checkSpecialFiles, Git, gitFileTarget, NOTHING_THERE, reasonIn } from './process.js';

export interface Repository {
  git: Git;
  /** Git directory of this work tree. */
  gitDir: string;
  /** Git directory shared by all linked work trees, which holds the local state. */
  commonDir: string;
  /** Absolute path of the work tree; null if none belongs to this repository. */
  workTree: string | null;
  objectFormat: 'sha1' | 'sha256';
  bare: boolean;
}

/**
 * Opens the repository that contains `directory`. Without one, GIT_DIR and GIT_WORK_TREE of the environment are read here and passed to
 * git as arguments. Throws NOT_A_REPOSITORY, UNSAFE_REPOSITORY, GIT_MISSING or BAD_ARGUMENT (no such directory).
 */
export async function openRepository(directory?: string): Promise<Repository> {
  const start = resolve(directory ?? '.');
  checkDirectory(start);
  const named = directory === undefined ? process.env : {};
  checkSpecialFiles(start, named.GIT_DIR ? resolve(named.GIT_DIR) : undefined);
  const prefix = argumentsFor(named);
  const git = new Git(start, prefix);
  const questions = ['--absolute-git-dir', '--git-common-dir', '--is-bare-repository', '--show-object-format'];
  const result = await git.run(['rev-parse', ...questions, '--show-toplevel'], { allow: NOTHING_THERE });
  if (result.stdout.length === 0) throw openFailure(start, result.stderr);
  let lines = result.stdout.toString('utf8').split('\n');
  // Some path has a newline, so each answer is requested alone.
  if (lines.length > questions.length + (result.code === 0 ? 2 : 1))
    lines = await askEach(git, [...questions, '--show-toplevel']);
  const [gitDir, common, bare, format, top] = lines;
  const workTree = top && (prefix.length > 0 || belongsTo(top, gitDir)) ? top : null;
  if (top && workTree === null) warnForeign(gitDir, top);
  return {
    git: pinnedGit(gitDir, workTree, bare === 'true'),
    gitDir,
    commonDir: realpathSync(resolve(start, common)),
    workTree,
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    bare: bare === 'true',
  };
}

function warnForeign(gitDir: string, workTree: string): void {
  // Once, since a server opens the repository for every request.
  log.printOnce('warn', visibleText(`core.worktree is not followed: the .git of ${workTree} is not ${gitDir}`));
}

/**
 * Git pinned to this repository with arguments, whatever its configuration says about the work tree and whatever other repositories
 * surround it.
 */
function pinnedGit(gitDir: string, workTree: string | null, bare: boolean): Git {
  // Without `--work-tree`, git would use the configured one or the current directory.
  const args = workTree === null && bare ? [] : [`--work-tree=${workTree ?? gitDir}`];
  return new Git(workTree ?? gitDir, [`--git-dir=${gitDir}`, ...args]);
}

/**
 * Returns whether the `.git` of a work tree leads to this git directory, as in submodules and wherever git found one through the other.
 * If not, `core.worktree` named the work tree, and a repository from an archive can name any directory.
 */
function belongsTo(workTree: string, gitDir: string): boolean {
  const path = join(workTree, '.git');
  try {
    const target = statSync(path).isDirectory() ? path : gitFileTarget(path);
    return target !== null && realpathSync(target) === realpathSync(gitDir);
  } catch {
    return false;
  }
}

async function askEach(git: Git, questions: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const question of questions) {
    const { stdout } = await git.run(['rev-parse', question], { allow: NOTHING_THERE });
    answers.push(stdout.toString('utf8').replace(/\n$/, ''));
  }
  return answers;
}

function checkDirectory(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  const hint = 'Name a directory of the repository: git socraticode -C DIR COMMAND';
  if (stat === undefined) throw new SocraticodeError('BAD_ARGUMENT', `no such directory: ${path}`, { hint });
  if (!stat.isDirectory()) throw new SocraticodeError('BAD_ARGUMENT', `not a directory: ${path}`, { hint });
}

/** All refs of the index are below it. */
export const NOTES_PREFIX = 'refs/notes/socraticode';

/** Directory of this program's rebuildable state: `<common-dir>/socraticode`. */
export function localStateDirectory(repository: Repository): string {
  return join(repository.commonDir, 'socraticode');
}

function argumentsFor({ GIT_DIR, GIT_WORK_TREE }: NodeJS.ProcessEnv): string[] {
  const gitDir = GIT_DIR ? [`--git-dir=${resolve(GIT_DIR)}`] : [];
  return [...gitDir, ...(GIT_WORK_TREE ? [`--work-tree=${resolve(GIT_WORK_TREE)}`] : [])];
}

function openFailure(directory: string, stderr: string): SocraticodeError {
  if (stderr.includes('dubious ownership')) {
    return new SocraticodeError('UNSAFE_REPOSITORY', `git does not trust ${directory}: it belongs to another user`, {
      hint: `If you trust it: git config --global --add safe.directory ${shellWord(directory)}`,
    });
  }
  if (/not a git repository|must be run in a work tree/.test(stderr)) {
    const damaged = join(directory, '.git');
    if (standingAt(damaged) === undefined)
      return new SocraticodeError('NOT_A_REPOSITORY', `${directory} is not in a git repository`);
    return new SocraticodeError('NOT_A_REPOSITORY', `git takes ${damaged} for no repository`, {
      hint: '`git socraticode doctor` says what is missing there.',
    });
  }
  const hint = /bad config/.test(stderr) ? 'Correct that file in an editor.' : undefined;
  const reason = reasonIn(stderr);
  return new SocraticodeError('NOT_A_REPOSITORY', `cannot open a repository at ${directory}: ${reason}`, { hint });
}

/** Impossible branch that git writes into HEAD if refs are in a reftable. */
const NOT_IN_FILES = '.invalid';

/** Name of the branch that is checked out, even without a commit; null for a detached HEAD. Starts git only for a reftable. */
export async function headBranch({ gitDir, git }: Repository): Promise<string | null> {
  const written = /^ref: refs\/heads\/(.+)\n?$/.exec(textOf(join(gitDir, 'HEAD')))?.[1];
  if (written !== undefined && written !== NOT_IN_FILES) return written;
  const { stdout } = await git.run(['symbolic-ref', '--quiet', '--short', 'HEAD'], { allow: NOTHING_THERE });
  return stdout.toString('utf8').trim() || null;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

// Checks of git's own files that save a git process: whether refs may exist below a name, and whether rule files outside the work tree have
// changed.

/** Limit on the bytes of packed refs that are read. Beyond it git looks refs up. */
const MAX_PACKED = 16 << 20;

/** Returns false if no ref begins with one of the prefixes and a slash. With true git has to look. */
export function mayHaveRefs({ commonDir }: Pick<Repository, 'commonDir'>, prefixes: readonly string[]): boolean {
  if ([...prefixes, 'reftable'].some((name) => existsSync(join(commonDir, name)))) return true;
  const packed = join(commonDir, 'packed-refs');
  const { size = 0 } = statSync(packed, { throwIfNoEntry: false }) ?? {};
  if (size === 0 || size > MAX_PACKED) return size > 0;
  const text = readFileSync(packed);
  return prefixes.some((prefix) => text.includes(` ${prefix}/`));
}

/** The user's files: the setting that names each, and its default name. */
const USERS = [
  ['core.excludesfile', 'ignore'],
  ['core.attributesfile', 'attributes'],
] as const;

/** Detects writes to files outside the work tree whose rules decide which files git ignores or calls unchanged. */
export class RuleFiles {
  private readonly paths: readonly string[];
  private stamps: string;

  constructor(repository: Pick<Repository, 'commonDir' | 'workTree'>, config: readonly ConfigEntry[]) {
    const { commonDir, workTree } = repository;
    const users = USERS.map(([key, name]) => {
      const named = config.filter((entry) => entry.key === key).pop()?.value;
      return named ? expand(named, workTree ?? commonDir) : join(userDirectory(), name);
    });
    this.paths = [...users, join(commonDir, 'info', 'exclude'), join(commonDir, 'info', 'attributes')];
    this.stamps = this.read();
  }

  /** Returns whether one was written since the last call. Takes four `stat` calls. */
  haveChanged(): boolean {
    const before = this.stamps;
    this.stamps = this.read();
    return this.stamps !== before;
  }

  private read(): string {
    return this.paths.map(stampOf).join(' ');
  }
}

/** Expands `~/`. A file named with `~user` or `%(prefix)` counts as missing. */
function expand(path: string, base: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(base, path);
}

function userDirectory(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git');
}

function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino}-${size}-${mtimeMs}`;
  } catch {
    return '';
  }
}

// Git configuration, and settings that switch off the commands that a repository configures.

export interface ConfigEntry {
  /** Key with section and variable in lower case, as git prints it. */
  key: string;
  value: string;
  scope: 'system' | 'global' | 'local' | 'worktree' | 'command';
  origin: string;
}

/** `SCOPE NUL ORIGIN NUL KEY`, then a newline and the value if there is one, then NUL. */
const ENTRY = /([^\0]*)\0([^\0]*)\0([^\0\n]*)(?:\n([^\0]*))?\0/g;

/** Reads all configured values in git's order of precedence, lowest first. */
export async function readGitConfig(git: Git): Promise<ConfigEntry[]> {
  const { stdout } = await git.run(['config', '--list', '-z', '--show-scope', '--show-origin']);
  const entries: ConfigEntry[] = [];
  for (const [, scope, origin, key, value = 'true'] of stdout.toString('utf8').matchAll(ENTRY)) {
    // Our safety settings, which are passed with `-c`, do not count.
    if (scope !== 'command') entries.push({ key, value, scope: scope as ConfigEntry['scope'], origin });
  }
  return entries;
}

/** Returns whether a setting came with the repository and not from the user. */
export function isOfRepository({ scope }: ConfigEntry): boolean {
  return scope === 'local' || scope === 'worktree';
}

/** Returns whether a remote has promised objects that may be missing here. */
export function isPartialClone(config: readonly ConfigEntry[]): boolean {
  return config.some(({ key }) => key === 'extensions.partialclone' || /^remote\..*\.promisor$/s.test(key));
}

/**
 * Settings that switch off content filters of the repository's own configuration. Filters are commands, and a `.git/config` can come in
 * an archive. The user's global filters stay.
 */
export function withoutLocalFilters(config: readonly ConfigEntry[]): [string, string][] {
  const settings: [string, string][] = [];
  for (const { key } of config.filter(isOfRepository)) {
    const match = /^(filter\..*)\.(clean|smudge|process)$/s.exec(key);
    if (match) settings.push([key, ''], [`${match[1]}.required`, 'false']);
  }
  return settings;
}

/**
 * Settings that replace merge drivers of the repository's own configuration, which are commands, by git's three-way merge. The user's
 * global drivers stay. Renormalising is off, since it would run content filters.
 */
export function withoutLocalMergeDrivers(config: readonly ConfigEntry[]): [string, string][] {
  const drivers = config.filter((entry) => isOfRepository(entry) && /^merge\..*\.driver$/s.test(entry.key));
  return [
    ['merge.renormalize', 'false'],
    ...drivers.map(({ key }): [string, string] => [key, 'git merge-file -q %A %O %B']),
  ];
}

/**
 * Settings that switch off all configured hooks. From git 2.54 on, configuration can name commands for hooks, some of which run whenever
 * a ref is written. `core.hooksPath` does not stop them.
 */
export function withoutConfiguredHooks(config: readonly ConfigEntry[]): [string, string][] {
  const names = config.flatMap(({ key }) => /^hook\.(.+)\.(?:command|event)$/s.exec(key)?.[1] ?? []);
  return [...new Set(names)].map((name) => [`hook.${name}.enabled`, 'false']);
}

// Work trees of a repository: their list, submodules, index as a tree, and ignore rules, and the real places of the parts of their git
// directory.

export interface Worktree {
  /** Absolute path as git recorded it. It may be gone, or another repository. */
  path: string;
  /** Null before the first commit. */
  commit: string | null;
  /** Null with a detached HEAD. */
  branch: string | null;
  bare: boolean;
}

const BRANCH = /^branch (?:refs\/heads\/)?(.*)$/;
const NO_COMMIT = /^0+$/;

/** Lists all work trees, the main one first. */
export async function listWorktrees({ git }: Repository): Promise<Worktree[]> {
  // Without -z, which needs git 2.36. A path with a newline is cut at it.
  const { stdout } = await git.run(['worktree', 'list', '--porcelain']);
  return stdout
    .toString('utf8')
    .split('\n\n')
    .flatMap((entry) => {
      const lines = entry.split('\n');
      const path = /^worktree (.*)$/.exec(lines[0])?.[1];
      if (path === undefined) return [];
      const commit = lines.flatMap((line) => /^HEAD ([0-9a-f]+)$/.exec(line)?.[1] ?? [])[0] ?? null;
      const branch = lines.flatMap((line) => BRANCH.exec(line)?.[1] ?? [])[0] ?? null;
      const isUnborn = commit === null || NO_COMMIT.test(commit);
      return [{ path, commit: isUnborn ? null : commit, branch, bare: lines.includes('bare') }];
    });
}

const FILE = '.gitmodules';
const MAX_BYTES = 256 * 1024;

/** Reads paths of `.gitmodules`, relative to the work tree. Untrusted: they may lead anywhere. Empty without the file. */
export async function readSubmodulePaths({ git, workTree }: Repository): Promise<string[]> {
  if (workTree === null) return [];
  const file = join(workTree, FILE);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  // A link could name any file of the user.
  if (stat === undefined || !stat.isFile() || stat.size > MAX_BYTES) return [];
  const args = ['config', '--file', file, '--no-includes', '-z', '--get-regexp', '^submodule\\..*\\.path$'];
  // 1: no such key. 3 and 128: no configuration file.
  const { stdout } = await git.run(args, { allow: [1, 3, 128] });
  const values = stdout.toString('utf8').split('\0');
  return values.flatMap((pair) => {
    const newline = pair.indexOf('\n');
    return newline < 0 ? [] : [pair.slice(newline + 1)];
  });
}

/**
 * Writes the index (what `git add` has staged) as a tree, as the next `git commit` would, and returns its id. `git gc` removes a tree
 * that no commit names. Throws BAD_ARGUMENT for an index with conflicts.
 */
export async function writeStagedTree(git: Git): Promise<string> {
  const { code, stdout, stderr } = await git.run(['write-tree'], { allow: NOTHING_THERE });
  const oid = stdout.toString('latin1').trim();
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(oid)) return oid;
  const [problem] = stderr.toString().split('\n', 1);
  throw new SocraticodeError('BAD_ARGUMENT', `the index is no tree yet: ${problem.replace(/^(?:error|fatal): /, '')}`, {
    hint: 'Resolve the conflicts and add the files: git status',
  });
}

interface IgnoreRule {
  /** File of the rule: from the top of the work tree, or absolute for one of the user's. */
  source: string;
  line: number;
  pattern: string;
}

/** Rule that ignores a path from the top of the work tree; null if git does not ignore it. */
export async function ignoreRule(git: Git, path: string): Promise<IgnoreRule | null> {
  // Git accepts no literal paths here. A path that begins with ":" would mean something else.
  const args = ['--no-literal-pathspecs', 'check-ignore', '--verbose', '-z', '--stdin'];
  const { stdout } = await git.run(args, { allow: NOTHING_THERE, input: `./${path}\0` });
  const [source = '', line, pattern = ''] = stdout.toString('utf8').split('\0');
  return source === '' || pattern.startsWith('!') ? null : { source, line: Number(line), pattern };
}

/** Directories that name commits. Links in them count at any depth. */
const NAMES: ReadonlySet<string> = new Set(['refs', 'logs', 'reftable', 'worktrees']);
/** Entries that people make links of, and that are not read here. */
const UNREAD: ReadonlySet<string> = new Set(['hooks', 'description']);
/** Entries beyond which the search gives up. No sound repository has so many loose refs. */
const MAX_ENTRIES = 20_000;

/**
 * Real paths of the git directories and of the links in them: git follows every link, so a git directory from an archive can take refs
 * and objects from any repository of this machine. Null if a link is broken or there are too many entries.
 */
export function realParts({ gitDir, commonDir }: Pick<Repository, 'gitDir' | 'commonDir'>): string[] | null {
  const parts = new Set<string>();
  let left = MAX_ENTRIES;
  const visit = (directory: string, wants: (name: string) => boolean) => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (left-- <= 0) throw new Error('too many entries');
      if (entry.isSymbolicLink() && !UNREAD.has(entry.name)) parts.add(realpathSync(path));
      else if (entry.isDirectory() && wants(entry.name)) visit(path, () => true);
    }
  };
  try {
    for (const directory of new Set([gitDir, commonDir])) {
      parts.add(realpathSync(directory));
      visit(directory, (name) => NAMES.has(name));
    }
    return [...parts];
  } catch {
    return null;
  }
}

function entriesOf(directory: string): Dirent[] {
  return readdirSync(directory, { withFileTypes: true });
}
