/**
 * Work trees of a repository: their list, submodules, index as a tree, and ignore rules, and the real places of the parts of their git
 * directory.
 */
import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SocraticodeError } from '../base/errors.js';
import { type Git, NOTHING_THERE } from './process.js';
import type { Repository } from './repository.js';

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
