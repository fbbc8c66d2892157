/** Every path of a snapshot before any rule leaves one out, with uncommitted changes where the question includes them. */
import type { WorkTreeChange } from '../../../git/changes.js';
import type { Git } from '../../../git/process.js';
import type { EntryType, TreeEntry } from '../../../git/snapshot.js';
import type { Session } from '../../../session/session.js';
import type { SnapshotOrigin } from '../../../session/snapshot/snapshot.js';
import { workTreeUse } from '../../../session/snapshot/target.js';
import type { Places } from './places.js';
import { openRules, type SnapshotRules } from './rules.js';

export interface SnapshotPaths extends Places {
  /** The ref as asked for. */
  ref: string | undefined;
  origin: SnapshotOrigin;
  entries: ReadonlyMap<string, TreeEntry>;
  changes: ReadonlyMap<string, WorkTreeChange>;
  rules: SnapshotRules;
  git: Git;
  /** Type of the file of that path, as it is in the work tree where it is uncommitted. */
  typeOf: (path: string) => EntryType;
}

/** Throws UNKNOWN_REF, UNBORN_HEAD and BAD_CONFIG. */
export async function openSnapshotPaths(
  session: Session,
  { ref, committed }: { ref?: string; committed?: boolean },
): Promise<SnapshotPaths> {
  const { repository, objects } = session;
  const isIncluded = workTreeUse({ ref, committed }) === 'included' && session.readChanges !== null;
  const [origin, list] = await Promise.all([
    session.origin(ref, { unborn: isIncluded }),
    isIncluded && session.readChanges !== null ? session.readChanges() : null,
  ]);
  const [listed, rules] = await Promise.all([objects.list(origin.resolved.tree), openRules(session, origin)]);
  const entries = new Map(listed.map((entry) => [entry.path, entry]));
  const changes = new Map((list?.list ?? []).map((change) => [change.path, change]));
  const typeOf = (path: string): EntryType => {
    const change = changes.get(path);
    if (change === undefined) return entries.get(path)?.type ?? 'file';
    return change.isFile ? 'file' : (change.headType ?? 'file');
  };
  const workTree = isIncluded ? repository.workTree : null;
  return { ref, origin, entries, changes, rules, workTree, git: repository.git, typeOf };
}
