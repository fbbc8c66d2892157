/**
 * Decides which directories outside of a repository may be read. A committed file can name any path and a symlink can lead
 * anywhere, so only directories that the user allowed count. Every decision is about real paths, with links resolved.
 */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { shellWord, visibleLine } from '../../base/printable.js';

/** Returns the real path; null if nothing exists there. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Returns whether `path` is the directory or below it. Both are absolute. */
export function isWithin(path: string, directory: string): boolean {
  const between = relative(directory, path);
  return between === '' || !(between === '..' || between.startsWith(`..${sep}`) || isAbsolute(between));
}

/** Expands `~`. */
function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

export class Consent {
  private readonly root: string;
  private readonly allowed: readonly string[];

  /** `root`: absolute top of the work tree; `allow`: the setting `linked.allow` or `context.allow`. */
  constructor(root: string, allow: readonly string[]) {
    this.root = realPath(root) ?? resolve(root);
    this.allowed = allow.flatMap((directory) => realPath(fromHome(directory)) ?? []);
  }

  /** Makes a path absolute without resolving links. Relative paths start at the top of the repository. */
  locate(path: string): string {
    return resolve(this.root, fromHome(path));
  }

  /** Returns whether a real path may be read. */
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

/** Returns the git command that allows a directory. It is quoted, since a repository could choose a name to be pasted into a shell. */
export function allowCommand(directory: string, key: 'linked.allow' | 'context.allow' = 'linked.allow'): string {
  const isPlain = visibleLine(directory) === directory;
  const named = isPlain ? shellWord(directory) : 'DIRECTORY';
  return `git config --global --add ${shellWord(`socraticode.${key}`)} ${named}`;
}
