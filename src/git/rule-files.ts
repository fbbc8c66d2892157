/** Files outside the work tree whose rules decide what git calls ignored, or unchanged. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Repository } from './repository.js';
import type { ConfigEntry } from './worktree.js';

/** The user's own, by the setting that names it and where git looks without one. */
const USERS = [
  ['core.excludesfile', 'ignore'],
  ['core.attributesfile', 'attributes'],
] as const;

/** Tells when one of them was written. */
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

  /** Since this was asked last. A few looks at files. */
  haveChanged(): boolean {
    const before = this.stamps;
    this.stamps = this.read();
    return this.stamps !== before;
  }

  private read(): string {
    return this.paths.map(stampOf).join(' ');
  }
}

/** `~somebody` and `%(prefix)` are left: then nothing is there to be seen, as if there were no such file. */
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
