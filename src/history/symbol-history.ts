/**
 * Finds every place where a name was ever defined. git's pickaxe finds the commits that added or removed the name,
 * which takes seconds for the whole history; only the files in them are parsed.
 */
import { isSocraticodeError } from '../base/errors.js';
import type { Progress } from '../base/progress.js';
import type { BlobFacts } from '../extract/facts.js';
import type { CommitChanges, WalkOptions, WalkWindow } from '../git/log.js';
import { walkHistory } from '../git/log.js';
import { mayDefine, TracedName } from './definitions.js';
import { followPaths, type HistoryScope, isFile, readPathHistory } from './follow.js';
import type { Lineage } from './lineage.js';
import type { FileVersion } from './source.js';

interface SymbolHistory {
  lineages: Lineage[];
  window: WalkWindow;
  /** Number of file versions that were parsed, and of those left out because there were too many. */
  examined: number;
  leftOut: number;
  ignoredCase: boolean;
}

/** Maximum number of versions that are parsed, newest first. A name in more versions is a common word. */
const MAX_VERSIONS = 3_000;

/** Maximum number of versions parsed when case is ignored. Such a name is a guess, worth a second or two. */
const MAX_GUESSED_VERSIONS = 500;

interface SymbolOptions {
  /** Last part of a qualified name: `total` of `Cart.total`. */
  name: string;
  /** Names of the containers before it, innermost last. */
  containers: readonly string[];
  /** Derives the facts of many versions at a time. */
  prefetch: (
    versions: Iterable<FileVersion>,
    progress: Progress,
    each: (version: FileVersion, facts: BlobFacts | null, bytes: Buffer | null) => void,
  ) => Promise<void>;
  progress: Progress;
}

/** Looks for the name as written; if it was never defined so, ignoring case. */
export async function symbolHistory(scope: HistoryScope, options: SymbolOptions): Promise<SymbolHistory> {
  const exact = await historyOf(scope, options, false);
  return exact.lineages.length > 0 ? exact : historyOf(scope, options, true);
}

async function historyOf(scope: HistoryScope, options: SymbolOptions, ignoreCase: boolean): Promise<SymbolHistory> {
  const { name, containers } = options;
  const hits = new Map<string, FileVersion>();
  const window = await walkMentions(scope, { text: name, ignoreCase }, ({ changes }) => {
    for (const { path, oldOids, newOid, type } of changes) {
      if (!isFile(type) || !scope.accepts(path)) continue;
      for (const oid of [newOid, ...oldOids]) if (oid !== null) hits.set(`${oid} ${path}`, { oid, path });
    }
  });
  if (window.end !== 'root') await addTip(scope, name, hits);
  const promising = await definingVersions(scope, name, [...hits.values()], ignoreCase);
  const versions = promising.slice(0, ignoreCase ? MAX_GUESSED_VERSIONS : MAX_VERSIONS);
  const traced = new TracedName(scope.source, name, ignoreCase);
  const paths = new Set<string>();
  await options.prefetch(versions, options.progress, (version, facts, bytes) => {
    if (traced.learn(version, facts, bytes).length > 0) paths.add(version.path);
  });
  const { commits } = await readPathHistory(scope, paths);
  const all = paths.size === 0 ? [] : await followPaths(scope, commits, traced, paths);
  const lineages = all.filter(({ places }) => places.some(({ key }) => isInside(key, name, containers)));
  return {
    lineages,
    window,
    examined: versions.length,
    leftOut: promising.length - versions.length,
    ignoredCase: ignoreCase,
  };
}

/** Walks the commits that changed how often a text occurs; all commits where a blob is missing, of which the pickaxe dies. */
async function walkMentions(
  { git, walk, partial }: HistoryScope,
  contains: NonNullable<WalkOptions['contains']>,
  visit: (commit: CommitChanges) => void,
): Promise<WalkWindow> {
  if (partial) return walkHistory(git, walk, visit);
  try {
    return await walkHistory(git, { ...walk, contains }, visit);
  } catch (error) {
    if (!isSocraticodeError(error, 'GIT_FAILED')) throw error;
    return walkHistory(git, walk, visit);
  }
}

/** Number of blobs read at a time, so that requests to git are batched. */
const READ_AT_ONCE = 64;

async function definingVersions(
  { source }: HistoryScope,
  name: string,
  all: readonly FileVersion[],
  ignoreCase: boolean,
): Promise<FileVersion[]> {
  const found: FileVersion[] = [];
  for (let i = 0; i < all.length; i += READ_AT_ONCE) {
    const some = all.slice(i, i + READ_AT_ONCE);
    const contents = await Promise.all(some.map(({ oid }) => source.bytes(oid)));
    found.push(...some.filter((_, j) => contents[j] !== null && mayDefine(contents[j] as Buffer, name, ignoreCase)));
  }
  return found;
}

/** Adds files of the tip that contain the name. A walk that ends before the first commit may have missed them. */
async function addTip(
  { tip, source, accepts }: HistoryScope,
  name: string,
  hits: Map<string, FileVersion>,
): Promise<void> {
  for (const [path, oid] of tip) {
    if (hits.has(`${oid} ${path}`) || !accepts(path)) continue;
    if ((await source.bytes(oid))?.includes(name)) hits.set(`${oid} ${path}`, { oid, path });
  }
}

/** Does the qualified name of a key end with the containers and the name? Without containers, every key matches. */
function isInside(key: string, name: string, containers: readonly string[]): boolean {
  if (containers.length === 0) return true;
  const symbol = `.${key.slice(key.indexOf(' ') + 1)}`.toLowerCase();
  return symbol.endsWith(`.${[...containers, name].join('.')}`.toLowerCase());
}
