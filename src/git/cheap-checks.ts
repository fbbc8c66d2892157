/**
 * Checks of git's own files that save a git process: whether refs may exist below a name, and whether rule files outside the work tree
 * have changed.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ConfigEntry } from './config.js';
import type { Repository } from './repository.js';

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
