/** Opens the repository around a directory and finds its parts. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
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
