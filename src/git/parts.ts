/**
 * Where the parts of a git directory really are. Git follows every link in there: one that came in an archive may take
 * its refs and objects from any repository of this machine, though the directory itself stands where it says.
 */
import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.js';

/** What names commits: links in there can be at any depth. Objects that nothing names are not found. */
const NAMES: ReadonlySet<string> = new Set(['refs', 'logs', 'reftable', 'worktrees']);
/** Linked by people themselves, and never read here. */
const UNREAD: ReadonlySet<string> = new Set(['hooks', 'description']);
/** A repository with more loose refs is somebody's mistake, or worse. */
const MAX_ENTRIES = 20_000;

/** The git directories, and where links in them lead; null where that cannot be said, so that nobody relies on it. */
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
