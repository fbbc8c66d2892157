/**
 * Lists the directories of a work tree that can hold tracked or untracked files. Directories that git ignores are left
 * out.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/process.js';

/** Maximum number of watched directories, because each one costs the system memory. */
const MAX_DIRECTORIES = 60_000;
/** Directories read at a time. */
const AT_ONCE = 32;

/**
 * Visits `start` (a path in the work tree, '' for its root) and all directories below it. Each is visited before it is
 * read, so that a watch started by `visit` misses no later change. Throws if there are too many.
 */
export async function walkDirectories(
  root: string,
  start: string,
  { isIgnored, visit }: { isIgnored: Ignored; visit: (path: string) => void },
): Promise<void> {
  const found = [start];
  for (let at = 0; at < found.length; ) {
    const some = found.slice(at, at + AT_ONCE);
    at += some.length;
    for (const path of some) visit(path);
    const below = await Promise.all(some.map((path) => subdirectories(root, path)));
    found.push(...below.flat().filter((path) => !isIgnored(path)));
    if (found.length > MAX_DIRECTORIES) throw new Error(`more than ${MAX_DIRECTORIES} directories`);
  }
}

export type Ignored = (path: string) => boolean;

/** Subdirectories of a directory. Nested repositories and targets of symbolic links are left out. */
async function subdirectories(root: string, path: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, path), { withFileTypes: true });
  } catch {
    // The directory was removed, or may not be read.
    return [];
  }
  if (path !== '' && entries.some(({ name }) => name === '.git')) return [];
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== '.git')
    .map(({ name }) => (path === '' ? name : `${path}/${name}`));
}

/** Asks git once for the directories that it ignores as a whole. */
export async function readIgnored(git: Git): Promise<Ignored> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const { stdout } = await git.run(args);
  const ignored = new Set(
    stdout
      .toString('utf8')
      .split('\0')
      .filter((path) => path.endsWith('/'))
      .map((path) => path.slice(0, -1)),
  );
  return (path) => ignored.has(path);
}
