/**
 * Real places of the parts of a git directory. Git follows every link in it, so a git directory from an archive can take
 * refs and objects from any repository of this machine.
 */
import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.js';

/** Directories that name commits: links in them count at any depth. */
const NAMES: ReadonlySet<string> = new Set(['refs', 'logs', 'reftable', 'worktrees']);
/** Entries that people link themselves, and that are not read here. */
const UNREAD: ReadonlySet<string> = new Set(['hooks', 'description']);
/** Entries beyond which the search gives up; no sound repository has so many loose refs. */
const MAX_ENTRIES = 20_000;

/** Real paths of the git directories and of the links in them; null if a link is broken or there are too many entries. */
export function realParts({ gitDir, commonDir }: Pick<Repository, 'gitDir' | 'commonDir'>): string[] | null {
  const parts = new Set<string>();
  let left = MAX_ENTRIES;
  const visit = (directory: string, wants: (name: string) => boolean) => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (left-- <= 0) throw new Error('too many entries');
      if (entry.isSymbolicLink() && !UNREAD.has(entry.name)) parts.add(realpathSync(path));
      else if (entry.isDirectory() && wants(entry.name)) visit(path, () => true);
    }
  };
  try {
    for (const directory of new Set([gitDir, commonDir])) {
      parts.add(realpathSync(directory));
      visit(directory, (name) => NAMES.has(name));
    }
    return [...parts];
  } catch {
    return null;
  }
}

function entriesOf(directory: string): Dirent[] {
  return readdirSync(directory, { withFileTypes: true });
}
