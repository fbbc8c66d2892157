/**
 * Named pipes and devices under names that git opens. Git waits for a pipe for ever and reads a device without end; a
 * repository unpacked from an archive can hold both.
 */
import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { namesIn } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { visibleText } from '../base/hygiene.js';

/** Files that git reads in a directory to find out whether it is a git directory. */
const PROBED = ['HEAD', 'commondir'];
/** Files that git reads in the git directory of a work tree and in the common one. */
const IN_GIT_DIR = [
  ...['HEAD', 'commondir', 'gitdir', 'config', 'config.worktree', 'index', 'packed-refs', 'shallow', 'refs', 'logs'],
  ...['info', 'info/attributes', 'info/exclude', 'info/grafts', 'info/sparse-checkout', 'objects', 'objects/info'],
  ...['objects/info/alternates', 'objects/info/commit-graph', 'objects/info/commit-graphs/commit-graph-chain'],
  ...['objects/pack', 'objects/pack/multi-pack-index', 'reftable', 'reftable/tables.list'],
];
const IN_WORK_TREE = ['.gitattributes', '.gitignore', '.gitmodules', '.mailmap'];
/** Files of one line, which git reads whole into memory. */
const ONE_LINE = /(?:^|\/)(?:\.git|HEAD|commondir|gitdir)$/;
const MAX_LINE_BYTES = 64 * 1024;
const HINT = 'Remove it (git makes no such files), and look twice at where this repository came from.';

/**
 * Throws UNSAFE_REPOSITORY if the repository around `start` (or `namedGitDir`) has a pipe or a device where git expects
 * a file. Takes some twenty `stat` calls and no process.
 */
export function checkSpecialFiles(start: string, namedGitDir?: string): void {
  const gitDir = namedGitDir ?? findGitDir(start);
  if (gitDir === null) return;
  checkGitDir(gitDir);
  const common = pathIn(join(gitDir, 'commondir'), /^(.*?)[\r\n]*$/s);
  if (common !== null) checkGitDir(common);
}

/** Walks up as git does, and checks each file that git reads on the way. */
function findGitDir(start: string): string | null {
  for (let at = start; ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    const gitDir = checkFile(dotGit)?.isDirectory() ? dotGit : gitFileTarget(dotGit);
    for (const name of gitDir === null ? PROBED : IN_WORK_TREE) checkFile(join(at, name));
    if (gitDir !== null) return gitDir;
    if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(at, name)))) return at;
    if (dirname(at) === at) return null;
  }
}

/** The git directory that a `.git` file names, or null. Throws UNSAFE_REPOSITORY. */
export function gitFileTarget(path: string): string | null {
  return pathIn(path, /^gitdir: (.*?)[\r\n]*$/s);
}

function checkGitDir(directory: string): void {
  for (const name of IN_GIT_DIR) checkFile(join(directory, name));
  // Git opens the index of every pack.
  const packs = join(directory, 'objects', 'pack');
  for (const name of namesIn(packs)) checkFile(join(packs, name));
}

/** Returns the file's status, links followed as git follows them; undefined where git cannot open it either. */
function checkFile(path: string): Stats | undefined {
  const stat = statOf(path);
  const kind = kindOf(stat);
  if (kind !== null) throw unsafe(`${path} is a ${kind}, which git would wait for or read without end`);
  if (stat?.isFile() && stat.size > MAX_LINE_BYTES && ONE_LINE.test(path))
    throw unsafe(`${path} has ${stat.size} bytes, where git keeps a line`);
  return stat;
}

export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Sockets do not count: opening one fails at once. */
function kindOf(stat: Stats | undefined): string | null {
  if (stat?.isFIFO()) return 'named pipe';
  return stat?.isCharacterDevice() || stat?.isBlockDevice() ? 'device' : null;
}

/** The path in a file of one line, relative to that file; null without one. */
function pathIn(file: string, pattern: RegExp): string | null {
  if (!checkFile(file)?.isFile()) return null;
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
