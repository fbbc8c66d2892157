/**
 * Pipes and devices in place of git's own files. Git opens what has the right name: of a named pipe it waits for ever, a
 * device has no end. A repository that came in an archive may hold both, and one `stat` each says so.
 */
import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SocraticodeError } from '../base/errors.js';
import { visibleText } from '../base/hygiene.js';

/** What git reads of a directory before it knows whether that is a git directory. */
const PROBED = ['HEAD', 'commondir'];
/** What it reads in every command or in some, of a work tree's git directory and of the common one. */
const READ = [
  ...['HEAD', 'commondir', 'gitdir', 'config', 'config.worktree', 'index', 'packed-refs', 'shallow', 'refs', 'logs'],
  ...['info', 'info/attributes', 'info/exclude', 'info/grafts', 'info/sparse-checkout', 'objects', 'objects/info'],
  ...['objects/info/alternates', 'objects/info/commit-graph', 'objects/info/commit-graphs/commit-graph-chain'],
  ...['objects/pack', 'objects/pack/multi-pack-index'],
];
const READ_IN_WORK_TREE = ['.gitattributes', '.gitignore', '.gitmodules', '.mailmap'];
/** These are read whole, into memory. */
const SMALL = new Set(['HEAD', 'commondir', 'gitdir']);
const MAX_SMALL_BYTES = 64 * 1024;

const HINT = 'Remove it (git makes no such files), and look twice at where this repository came from.';
/** Entries looked at to name the file that a git which had to be ended was reading. */
const MAX_LOOKED_AT = 20_000;

/**
 * Throws UNSAFE_REPOSITORY if the repository around `start`, or `gitDir` where that is said, has a pipe or a device where
 * git expects a file. Some twenty `stat`, no process.
 */
export function checkSpecialFiles(start: string, gitDir?: string): void {
  for (let at = start; gitDir === undefined; at = dirname(at)) {
    const dotGit = join(at, '.git');
    const stat = statOf(dotGit);
    refuse(dotGit, stat);
    if (stat?.isDirectory()) gitDir = dotGit;
    else if (stat?.isFile()) gitDir = namedIn(dotGit, stat, /^gitdir: (.*?)[\r\n]*$/s) ?? undefined;
    if (gitDir !== undefined) checkNames(at, READ_IN_WORK_TREE);
    else {
      checkNames(at, PROBED);
      if (['HEAD', 'objects', 'refs'].every((name) => statOf(join(at, name)) !== undefined)) gitDir = at;
      else if (dirname(at) === at) return;
    }
  }
  checkNames(gitDir, READ);
  checkPacks(gitDir);
  const file = join(gitDir, 'commondir');
  const stat = statOf(file);
  const common = stat?.isFile() ? namedIn(file, stat, /^(.*?)[\r\n]*$/s) : null;
  if (common === null) return;
  checkNames(common, READ);
  checkPacks(common);
}

function checkNames(directory: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(directory, name);
    const stat = statOf(path);
    refuse(path, stat);
    if (SMALL.has(name) && stat?.isFile() && stat.size > MAX_SMALL_BYTES) {
      throw unsafe(`${path} has ${stat.size} bytes, where git keeps a line`);
    }
  }
}

/** Git opens the index of every pack there is. */
function checkPacks(gitDir: string): void {
  const special = specialIn(join(gitDir, 'objects', 'pack'));
  if (special !== null) refuse(special, statOf(special));
}

function refuse(path: string, stat: Stats | undefined): void {
  const kind = stat === undefined ? null : specialKind(stat);
  if (kind !== null) throw unsafe(`${path} is a ${kind}, which git would wait for or read without end`);
}

function specialKind(stat: Stats | Dirent): string | null {
  if (stat.isFIFO()) return 'named pipe';
  if (stat.isSocket()) return 'socket';
  return stat.isCharacterDevice() || stat.isBlockDevice() ? 'device' : null;
}

/** Links are followed, as git follows them. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // What cannot be looked at, git cannot open.
    return undefined;
  }
}

/** The path that a small file holds, from where the file is; null where it holds none. */
function namedIn(file: string, { size }: Stats, pattern: RegExp): string | null {
  if (size > MAX_SMALL_BYTES) throw unsafe(`${file} has ${size} bytes, where git keeps a line`);
  try {
    const name = pattern.exec(readFileSync(file, 'utf8'))?.[1];
    return name ? resolve(dirname(file), name) : null;
  } catch {
    return null;
  }
}

export function unsafe(message: string): SocraticodeError {
  return new SocraticodeError('UNSAFE_REPOSITORY', visibleText(message), { hint: HINT });
}

/** The first pipe or device directly in a directory, of those names, or null. */
function specialIn(directory: string, isRead: (name: string) => boolean = () => true): string | null {
  for (const entry of entriesOf(directory)) {
    if (!isRead(entry.name)) continue;
    const path = join(directory, entry.name);
    const stat = entry.isSymbolicLink() ? statOf(path) : entry;
    if (stat !== undefined && specialKind(stat) !== null) return path;
  }
  return null;
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Where a git may have come across a file that is none. */
export interface Places {
  gitDirs: readonly string[];
  /** Only what git reads by its name counts in there: other pipes are somebody's own. */
  workTree: string;
}

/** A pipe or device that git may have been reading, at any depth, or null. Bounded. */
export function findSpecialFile({ gitDirs, workTree }: Places): string | null {
  const waiting = [...gitDirs.map((path) => ({ path, isGit: true })), { path: workTree, isGit: false }];
  let left = MAX_LOOKED_AT;
  for (const { path, isGit } of waiting) {
    const special = specialIn(path, isGit ? undefined : (name) => READ_IN_WORK_TREE.includes(name));
    if (special !== null) return special;
    for (const entry of entriesOf(path)) {
      if (left-- <= 0) return null;
      // Of loose objects there are as many as there are, each found by its name.
      if (!entry.isDirectory() || (isGit ? /^[0-9a-f]{2}$/ : /^\.git$/).test(entry.name)) continue;
      waiting.push({ path: join(path, entry.name), isGit });
    }
  }
  return null;
}
