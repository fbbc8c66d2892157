/** Files of configurations: which they are, read and written without harm. */
import { lstatSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { plainFileAt, standingAt, writeFileAtomic } from '../../base/atomic.js';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { acquireLock } from '../../base/lock.js';
import { refusal } from './config.js';

const MAX_BYTES = 4 << 20;
const LOCK_WAIT_MS = 5_000;

export interface Place {
  /** As the user knows it. */
  path: string;
  /** The project's root, for files of a project: nothing outside it is touched. */
  root: string | null;
}

/** Null where there is no file. Throws BAD_CONFIG for what is no file, or not to be followed, or too large, or no text. */
export function readPlace(place: Place): string | null {
  const target = targetOf(place);
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

/** Where `change` gives the text that is there now something else, that is written; null removes the file. */
export async function changePlace(place: Place, change: (text: string | null) => string | null): Promise<void> {
  const target = targetOf(place);
  const made = missingParents(target);
  let release = () => {};
  try {
    makeParents(target);
    release = await lock(`${target}.socraticode.lock`);
    const before = readPlace(place);
    const after = change(before);
    if (after === null) rmSync(target, { force: true });
    else if (after !== before) writeFileAtomic(target, after, modeOf(target));
    if (after === null && place.root !== null) made.push(dirname(target));
  } finally {
    release();
    for (const directory of made) removeEmpty(directory, place.root);
  }
}

/** Two of our own processes; clients lock nothing, but the file is read, changed and replaced within a millisecond. */
async function lock(path: string): Promise<() => void> {
  try {
    return await acquireLock(path, { waitMs: LOCK_WAIT_MS });
  } catch (error) {
    if (!isSocraticodeError(error, 'LOCKED')) throw error;
    throw new SocraticodeError('LOCKED', `another process is changing this configuration (${path})`, { cause: error });
  }
}

/**
 * The file itself. Links are followed where the user made them, in the home directory, to files of the user; in a
 * project they come from whoever wrote it, and `.mcp.json` could mean ~/.bashrc.
 */
function targetOf({ path, root }: Place): string {
  if (root !== null) {
    refuseLinksBelow(root, path);
    return path;
  }
  if (standingAt(path)?.isSymbolicLink() !== true) return join(realOrSame(dirname(path)), basename(path));
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
    if (standingAt(at)?.isSymbolicLink())
      throw refusal(`${relative(root, at)} is a symbolic link, which is not followed`);
  }
}

function realOrSame(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}

/** Innermost first. */
function missingParents(target: string): string[] {
  const missing: string[] = [];
  for (let at = dirname(target); standingAt(at) === undefined && at !== dirname(at); at = dirname(at)) missing.push(at);
  return missing;
}

function makeParents(target: string): void {
  try {
    mkdirSync(dirname(target), { recursive: true });
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot create ${dirname(target)}: ${(cause as Error).message}`, { cause });
  }
}

function removeEmpty(directory: string, root: string | null): void {
  if (directory === root) return;
  try {
    rmdirSync(directory);
  } catch {
    // Not empty: it holds what was just written, or something else.
  }
}

function modeOf(target: string): number | undefined {
  const stat = lstatSync(target, { throwIfNoEntry: false });
  return stat === undefined ? undefined : stat.mode & 0o777;
}
