/** Whether this repository runs our hook after a commit. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Repository } from './repository.js';
import type { ConfigEntry } from './worktree.js';

/** Stands in every hook file that calls this program. */
export const HOOK_MARKER = 'git-socraticode';

export interface HookState {
  installed: boolean;
  /** The post-commit hook that git would run. */
  path: string;
}

export function readHookState(repository: Repository, config: readonly ConfigEntry[]): HookState {
  const configured = config.filter((entry) => entry.key === 'core.hookspath').pop()?.value;
  const base = repository.workTree ?? repository.commonDir;
  const directory = configured === undefined ? join(repository.commonDir, 'hooks') : resolve(base, configured);
  const path = join(directory, 'post-commit');
  // husky points git at `_/`, whose stubs run the file of the same name one level up.
  const candidates = [path, join(directory, '..', 'post-commit')];
  return { installed: candidates.some(callsUs), path };
}

function callsUs(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(HOOK_MARKER);
  } catch {
    return false;
  }
}
