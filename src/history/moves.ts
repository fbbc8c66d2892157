/** Follows code across files. When code appears or disappears, the other files of that commit are searched for it. */
import { isSocraticodeError } from '../base/errors.js';
import { readCommit } from '../git/commit.js';
import { diffTrees, type TreeChange } from '../git/diff.js';
import type { ObjectReader } from '../git/objects.js';
import type { Traced } from './definitions.js';
import { type HistoryScope, isFile } from './follow.js';
import type { Lineage } from './lineage.js';
import { MOVED_SIMILARITY } from './similar-text.js';
import type { TraceEvent, Version } from './trace.js';
import { likeness } from './version-text.js';

/** Maximum number of files of one commit that are searched. */
const MAX_FILES = 300;
/**
 * Maximum number of changes in a commit whose files are searched. A larger commit reorganised everything, as moving a
 * repository into a folder of another one does; only git's renames of the file itself are followed there.
 */
export const MAX_COMMIT_CHANGES = 20_000;
/** Maximum number of renames read of a larger commit, about 100 MB. */
const MAX_COMMIT_RENAMES = 300_000;

/** Changes of one commit. */
interface CommitMoves {
  changes: TreeChange[];
  /** True if other changes were left out, because there are too many. */
  isRenamesOnly: boolean;
}

export class MoveFinder {
  private readonly diffs = new Map<string, Promise<CommitMoves>>();

  constructor(
    private readonly scope: HistoryScope,
    private readonly objects: ObjectReader,
  ) {}

  /** Paths that the code of a lineage came from or went to, without those in `known`. */
  async pathsBeyond(lineage: Lineage, traced: Traced, known: ReadonlySet<string>): Promise<string[]> {
    const found: string[] = [];
    for (const event of lineage.events) {
      if (event.type !== 'appeared' && event.type !== 'disappeared') continue;
      const path = await this.otherEnd(event, traced, known);
      if (path !== null) found.push(path);
    }
    return found;
  }

  private async otherEnd(event: TraceEvent, traced: Traced, known: ReadonlySet<string>): Promise<string | null> {
    const version = event.before ?? event.after;
    if (version === null) return null;
    const isGone = event.type === 'disappeared';
    const { changes, isRenamesOnly } = await this.changesOf(event.commit);
    const candidates = changes.filter((change) => {
      if (isRenamesOnly && rank(change, event.path) > 0) return false;
      const path = isGone ? change.path : (change.oldPath ?? change.path);
      const type = isGone ? change.newType : change.oldType;
      return path !== event.path && !known.has(path) && type !== null && isFile(type) && this.scope.accepts(path);
    });
    candidates.sort((a, b) => rank(a, event.path) - rank(b, event.path));
    for (const { path, oldPath, oldOid, newOid } of candidates.slice(0, MAX_FILES)) {
      const place = isGone
        ? { path, oid: newOid, other: oldPath === undefined ? oldOid : null }
        : { path: oldPath ?? path, oid: oldOid, other: oldPath === undefined ? newOid : null };
      if (await this.holds(version, place, traced)) return place.path;
    }
    return null;
  }

  /** Does the version at `oid` have the code, while the other side of the change lacks it? */
  private async holds(
    version: Version,
    { path, oid, other }: { path: string; oid: string | null; other: string | null },
    traced: Traced,
  ): Promise<boolean> {
    if (oid === null) return false;
    for (const definition of await traced.at({ oid, path })) {
      const alike = await likeness(version, { oid, path, definition }, this.scope.source);
      if (alike < MOVED_SIMILARITY) continue;
      const before = other === null ? [] : await traced.at({ oid: other, path });
      if (!before.some(({ key }) => key === definition.key)) return true;
    }
    return false;
  }

  /** Changes of a commit against its first parent, with renames. */
  private changesOf(commit: string): Promise<CommitMoves> {
    let changes = this.diffs.get(commit);
    if (changes === undefined) {
      changes = this.read(commit);
      this.diffs.set(commit, changes);
    }
    return changes;
  }

  private async read(commit: string): Promise<CommitMoves> {
    const info = await readCommit(this.objects, commit);
    if (info === null || info.parents.length === 0) return { changes: [], isRenamesOnly: false };
    const diff = (renames: true | 'only', limit: number) =>
      diffTrees(this.scope.git, info.parents[0], commit, { renames, limit });
    try {
      return { changes: await diff(true, MAX_COMMIT_CHANGES), isRenamesOnly: false };
    } catch (error) {
      const isTooLarge = isSocraticodeError(error, 'BAD_ARGUMENT');
      // If objects are missing, or there are too many renames, the code is not followed beyond this commit.
      const changes = isTooLarge ? await diff('only', MAX_COMMIT_RENAMES).catch(() => []) : [];
      return { changes, isRenamesOnly: true };
    }
  }
}

/** Orders candidates: renames of the file, files of the same name, added or removed files, modified files. */
function rank({ path, oldPath, status }: TreeChange, from: string): number {
  if (oldPath === from || path === from) return 0;
  const name = from.slice(from.lastIndexOf('/') + 1);
  if (path.endsWith(`/${name}`) || oldPath?.endsWith(`/${name}`)) return 1;
  return status === 'modified' ? 3 : 2;
}
