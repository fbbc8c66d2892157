/**
 * Where a name was ever defined. Git's pickaxe finds the commits in which the name came or went, in the whole history
 * in seconds; only the files that it names are parsed.
 */
import type { Progress } from '../base/progress.js';
import type { BlobFacts } from '../extract/facts.js';
import type { WalkWindow } from '../git/log.js';
import { walkHistory } from '../git/log.js';
import { mayDefine, TracedName } from './definitions.js';
import { followPaths, type HistoryScope, isFile, readPathHistory } from './follow.js';
import type { Lineage } from './lineage.js';
import type { FileVersion } from './source.js';

interface SymbolHistory {
  lineages: Lineage[];
  window: WalkWindow;
  /** File versions that were looked into, and those that there were too many of. */
  examined: number;
  leftOut: number;
  ignoredCase: boolean;
}

/** A name that stands in more versions than this is a common word; its newest ones are looked into. */
const MAX_VERSIONS = 3_000;

/** In another case than was asked for, a name is a guess, which is worth a second or two. */
const MAX_GUESSED_VERSIONS = 500;

export interface SymbolOptions {
  /** The name as in `Cart.total`: the last part is what is defined. */
  name: string;
  /** The parts before it: of the containers, innermost last. */
  containers: readonly string[];
  /** Derives the facts of many versions at a time. */
  prefetch: (
    versions: Iterable<FileVersion>,
    progress: Progress,
    each: (version: FileVersion, facts: BlobFacts | null, bytes: Buffer | null) => void,
  ) => Promise<void>;
  progress: Progress;
}

/** With the name as it is written; if it was never defined so, in any case. */
export async function symbolHistory(scope: HistoryScope, options: SymbolOptions): Promise<SymbolHistory> {
  const exact = await historyOf(scope, options, false);
  return exact.lineages.length > 0 ? exact : historyOf(scope, options, true);
}

async function historyOf(scope: HistoryScope, options: SymbolOptions, ignoreCase: boolean): Promise<SymbolHistory> {
  const { name, containers } = options;
  const hits = new Map<string, FileVersion>();
  const contains = scope.partial ? undefined : { text: name, ignoreCase };
  const window = await walkHistory(scope.git, { ...scope.walk, contains }, (commit) => {
    for (const { path, oldOids, newOid, type } of commit.changes) {
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

/** Reads so many at a time: requests to git travel together. */
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

/** Where the walk does not reach the beginning, the name may stand in files that no commit of it touched. */
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

/** Does the qualified name of a key end with the containers and the name? Empty containers fit every one. */
function isInside(key: string, name: string, containers: readonly string[]): boolean {
  if (containers.length === 0) return true;
  const symbol = `.${key.slice(key.indexOf(' ') + 1)}`.toLowerCase();
  return symbol.endsWith(`.${[...containers, name].join('.')}`.toLowerCase());
}
