/** Reads and writes configuration files, following no link that a repository brought. */
import { mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isLink, plainFileAt, standingAt, writeFileAtomic } from '../../../../base/atomic.js';
import { SocraticodeError } from '../../../../base/errors.js';
import { acquireLock } from '../../../../base/lock.js';
import { refusal } from './format.js';

const MAX_BYTES = 4 << 20;
const LOCK_WAIT_MS = 5_000;

export interface ConfigFile {
  path: string;
  /** The project's root, for a file of a project. */
  root: string | null;
}

/** Null without a file. Throws BAD_CONFIG for a directory or pipe, a link not to follow, and content that is too large or no UTF-8. */
export function readConfig(file: ConfigFile): string | null {
  return readTarget(targetOf(file));
}

function readTarget(target: string): string | null {
  const stat = plainFileAt(target);
  if (stat === null) {
    if (standingAt(target) !== undefined) throw refusal('it is no regular file');
    return null;
  }
  if (stat.size > MAX_BYTES) throw refusal('it is too large for a configuration');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(target));
  } catch (error) {
    throw refusal(`it cannot be read: ${(error as Error).message}`, error);
  }
}

/**
 * Replaces the file's text by what `change` makes of it; null removes the file. The lock keeps two of our own processes
 * apart. Clients lock nothing, but the file is read, changed and replaced within a millisecond.
 */
export async function changeConfig(file: ConfigFile, change: (text: string | null) => string | null): Promise<void> {
  const target = targetOf(file);
  const directory = dirname(target);
  let topmost = makeParents(directory);
  let release = () => {};
  try {
    release = await acquireLock(`${target}.socraticode.lock`, { waitMs: LOCK_WAIT_MS });
    const before = readTarget(target);
    const after = change(before);
    if (after === null) {
      rmSync(target, { force: true });
      if (file.root !== null && directory !== file.root) topmost ??= directory;
    } else if (after !== before) {
      writeFileAtomic(target, after, plainFileAt(target)?.mode);
    }
  } finally {
    release();
    if (topmost !== undefined) removeEmpty(directory, topmost);
  }
}

/** Returns the topmost directory that it created, undefined if all were there. */
function makeParents(directory: string): string | undefined {
  try {
    return mkdirSync(directory, { recursive: true });
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot create ${directory}: ${(cause as Error).message}`, { cause });
  }
}

/** Removes empty directories from `directory` up to `topmost`. */
function removeEmpty(directory: string, topmost: string): void {
  try {
    for (let at = directory; at.length >= topmost.length; at = dirname(at)) rmdirSync(at);
  } catch {
    // A directory that is not empty stays, and so do those above it.
  }
}

/**
 * The path behind links. The user's own links in the home directory are followed to files of that user. Links in a
 * project are refused: they came with the repository, and `.mcp.json` could point to ~/.bashrc.
 */
function targetOf({ path, root }: ConfigFile): string {
  if (root !== null) {
    refuseLinksBelow(root, path);
    return path;
  }
  if (!isLink(path)) return join(realOrSame(dirname(path)), basename(path));
  let target: string;
  let stat: Stats;
  try {
    target = realpathSync(path);
    stat = statSync(target);
  } catch (error) {
    throw refusal('it is a symbolic link that leads nowhere', error);
  }
  if (process.getuid !== undefined && stat.uid !== process.getuid()) {
    throw refusal(`it is a symbolic link to a file of somebody else (${target})`);
  }
  return target;
}

function refuseLinksBelow(root: string, path: string): void {
  let at = root;
  for (const part of relative(root, path).split(sep)) {
    at = join(at, part);
    if (isLink(at)) throw refusal(`${relative(root, at)} is a symbolic link, which is not followed`);
  }
}

function realOrSame(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
