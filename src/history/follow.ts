/** Reads the commits that touched some paths, and traces the definitions in them to lineages. */
import type { CommitChanges, WalkOptions, WalkWindow } from '../git/log.js';
import { walkHistory } from '../git/log.js';
import type { Git } from '../git/process.js';
import type { Traced } from './definitions.js';
import { groupLineages, type Lineage } from './lineage.js';
import type { BlobSource } from './source.js';
import { traceCommits, type Version } from './trace.js';

/** Repository, commit range and paths of one history question. */
export interface HistoryScope {
  git: Git;
  source: BlobSource;
  /** Commit of the ref, and limits of the walk. */
  walk: WalkOptions;
  /** Blob id of every indexed path at the ref. */
  tip: ReadonlyMap<string, string>;
  /** True in a partial clone. git's pickaxe fails there at the first missing blob. */
  partial: boolean;
  /** Is this path indexed, and within the paths asked about? */
  accepts(path: string): boolean;
}

/**
 * Maximum length of paths on git's command line. For longer lists, git lists all changes and they are filtered here.
 */
const MAX_PATH_BYTES = 64_000;

interface PathHistory {
  commits: CommitChanges[];
  window: WalkWindow;
}

/** Lists the commits that changed any of these paths, newest first, with the changes of these paths only. */
export async function readPathHistory({ git, walk }: HistoryScope, paths: ReadonlySet<string>): Promise<PathHistory> {
  const bytes = [...paths].reduce((sum, path) => sum + Buffer.byteLength(path) + 1, 0);
  // Paths that are not UTF-8 contain \x escapes here, which git would not recognise.
  const isLiteral = bytes <= MAX_PATH_BYTES && ![...paths].some((path) => path.includes('\\x'));
  const commits: CommitChanges[] = [];
  const options = isLiteral && paths.size > 0 ? { ...walk, paths: [...paths] } : walk;
  const window = await walkHistory(git, options, ({ commit, changes }) => {
    // git also reports paths below the given ones.
    const own = changes.filter((change) => paths.has(change.path) && isFile(change.type));
    if (own.length > 0) commits.push({ commit, changes: own });
  });
  return { commits, window };
}

export function isFile(type: string): boolean {
  return type === 'file' || type === 'executable';
}

/** Lineages of all definitions that `traced` finds at these paths. */
export async function followPaths(
  scope: HistoryScope,
  commits: readonly CommitChanges[],
  traced: Traced,
  paths: ReadonlySet<string>,
): Promise<Lineage[]> {
  const present: Version[] = [];
  for (const path of paths) {
    const oid = scope.tip.get(path);
    if (oid === undefined) continue;
    for (const definition of await traced.at({ oid, path })) present.push({ oid, path, definition });
  }
  return groupLineages(await traceCommits(commits, traced, scope.source), present);
}
