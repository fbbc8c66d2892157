/** All commits that touched some paths, and the lineages of what is traced there. */
import type { CommitChanges, WalkOptions, WalkWindow } from '../git/log.js';
import { walkHistory } from '../git/log.js';
import type { Git } from '../git/process.js';
import type { Traced } from './definitions.js';
import { groupLineages, type Lineage } from './lineage.js';
import type { BlobSource } from './source.js';
import { traceCommits, type Version } from './trace.js';

/** What a history is asked about. */
export interface HistoryScope {
  git: Git;
  source: BlobSource;
  /** The ref's commit, and how far to walk. */
  walk: WalkOptions;
  /** Blob of every indexed path of the ref. */
  tip: ReadonlyMap<string, string>;
  /** Blobs may be missing: git would end at the first one that it wants to read. */
  partial: boolean;
  /** Is this path part of the index, and wanted? */
  accepts(path: string): boolean;
}

/** Longer lists do not fit on a command line; then everything is listed and filtered here. */
const MAX_PATH_BYTES = 64_000;

interface PathHistory {
  commits: CommitChanges[];
  window: WalkWindow;
}

/** The commits that changed any of these paths, newest first, with those changes only. */
export async function readPathHistory({ git, walk }: HistoryScope, paths: ReadonlySet<string>): Promise<PathHistory> {
  const bytes = [...paths].reduce((sum, path) => sum + Buffer.byteLength(path) + 1, 0);
  // A path that is not UTF-8 is written with \x here, which git would not recognise.
  const isLiteral = bytes <= MAX_PATH_BYTES && ![...paths].some((path) => path.includes('\\x'));
  const commits: CommitChanges[] = [];
  const options = isLiteral && paths.size > 0 ? { ...walk, paths: [...paths] } : walk;
  const window = await walkHistory(git, options, ({ commit, changes }) => {
    // A path given to git stands for everything below it as well.
    const own = changes.filter((change) => paths.has(change.path) && isFile(change.type));
    if (own.length > 0) commits.push({ commit, changes: own });
  });
  return { commits, window };
}

export function isFile(type: string): boolean {
  return type === 'file' || type === 'executable';
}

/** The lineages of everything that `traced` finds at these paths. */
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
