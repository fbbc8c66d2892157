/**
 * Where linked repositories may be. A committed file can name any path, and a link in the tree can lead anywhere: what is
 * outside the repository counts only where the user said so. Every decision is about real paths, links resolved.
 */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { visibleLine } from '../../base/hygiene.js';

/** The real path; null where nothing stands. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Is `path` the directory or below it? Both absolute. */
export function isWithin(path: string, directory: string): boolean {
  const between = relative(directory, path);
  return between === '' || !(between === '..' || between.startsWith(`..${sep}`) || isAbsolute(between));
}

/** `~/code` as the user means it. */
function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

export class Consent {
  private readonly root: string;
  private readonly allowed: readonly string[];

  /** `root`: the top of the work tree, absolute; `allow`: the setting `linked.allow`, or `context.allow`. */
  constructor(root: string, allow: readonly string[]) {
    this.root = realPath(root) ?? resolve(root);
    this.allowed = allow.flatMap((directory) => realPath(fromHome(directory)) ?? []);
  }

  /** Where a named path leads, links not resolved: relative ones from the top of the repository. */
  locate(path: string): string {
    return resolve(this.root, fromHome(path));
  }

  /** May this real path be looked into? */
  covers(path: string): boolean {
    return isWithin(path, this.root) || this.isAllowed(path);
  }

  isAllowed(path: string): boolean {
    return this.allowed.some((directory) => isWithin(path, directory));
  }

  get allowsAny(): boolean {
    return this.allowed.length > 0;
  }

  isInside(path: string): boolean {
    return isWithin(path, this.root);
  }
}

/** What the user types to allow a directory: its name may have been chosen to be pasted into a shell. */
export function allowCommand(directory: string, key: 'linked.allow' | 'context.allow' = 'linked.allow'): string {
  const isPlain = visibleLine(directory) === directory;
  const named = isPlain ? quote(directory) : 'DIRECTORY';
  return `git config --global --add socraticode.${key} ${named}`;
}

function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
