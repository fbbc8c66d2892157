/**
 * Scope of a walk through history: the settings that apply, the files of the ref, and the source of old versions. Also dates as people
 * write them (`secondsOf`), and other branches with code that the ref lacks (`addElsewhere`).
 */
import { SocraticodeError } from '../../base/errors.js';
import { getOrMake } from '../../base/lists.js';
import { createSelector } from '../../config/select.js';
import { readSideRefs, type SideRefs } from '../../git/branches.js';
import { listMissingObjects, readShallow } from '../../git/log.js';
import type { ResolvedRef } from '../../git/objects.js';
import type { Git } from '../../git/process.js';
import { isPartialClone } from '../../git/repository.js';
import type { Traced } from '../../history/file-versions.js';
import { findElsewhere, type HistoryScope, type Lineage } from '../../history/trace.js';
import { skipReason } from '../../indexer/catalog.js';
import { pathFilter } from '../../search/filter.js';
import { BlobFactsSource } from '../blob-facts.js';
import type { Session } from '../session.js';
import type { SnapshotFiles, SnapshotOrigin } from '../snapshot/snapshot.js';

export interface WalkLimits {
  path?: readonly string[];
  /** Walks the branches and tags with commits that the ref lacks, too. */
  allRefs?: boolean;
  maxCommits?: number;
  since?: string;
  signal?: AbortSignal;
  /** Milliseconds after which no further version is parsed, as in `BlobFactsSource`. */
  parseMs?: number;
}

export interface OpenHistory {
  scope: SnapshotFiles;
  source: BlobFactsSource;
  history: HistoryScope;
  /** With `allRefs`, the branches and tags that are walked beside the ref. */
  side: SideRefs | null;
}

/** The caller closes `source`. Throws BAD_ARGUMENT if the ref names a tree, which has no history. */
export async function openHistory(session: Session, origin: SnapshotOrigin, limits: WalkLimits): Promise<OpenHistory> {
  const { git } = session.repository;
  const commit = commitOf(origin.resolved);
  const { since, maxCommits, signal, parseMs, allRefs } = limits;
  // Refuses a text that is no date before anything is read.
  if (since !== undefined) await secondsOf(session, since);
  const partial = isPartialClone(session.gitConfig);
  const side = allRefs ? await readSideRefs(git, commit, signal) : null;
  const others = side === null ? undefined : [...new Set([...side.branches, ...side.tags].map((ref) => ref.commit))];
  const [scope, missing] = await Promise.all([
    session.filesOf(origin),
    partial ? listMissingObjects(git, [commit, ...(others ?? [])], signal) : undefined,
  ]);
  const { languages, maxFileBytes } = scope.config;
  const source = new BlobFactsSource(session, { maxFileBytes, languages, missing, signal, parseMs });
  const accepts = pathSelector(scope, origin, limits.path);
  const tip = new Map(scope.catalog.files.map(({ path, oid }) => [path, oid]));
  const walk = { tip: commit, others, maxCommits, since, shallow: readShallow(session.repository), signal };
  return { scope, source, history: { git, source, walk, tip, partial, accepts }, side };
}

/** Notes which other branches have the code that the ref lacks; which tags, where no branch has it. */
export async function addElsewhere(
  { objects }: Session,
  lineages: readonly Lineage[],
  { traced, side }: { traced: Traced; side: SideRefs },
): Promise<void> {
  const known = new Map<string, Promise<string | null>>();
  const oidAt = (name: string) => {
    if (!known.has(name))
      known.set(
        name,
        objects.info(name).then((found) => (found?.type === 'blob' ? found.oid : null)),
      );
    return known.get(name) as Promise<string | null>;
  };
  for (const lineage of lineages) {
    if (lineage.present.length > 0) continue;
    const onBranch = await findElsewhere(lineage, side.branches, { traced, oidAt });
    lineage.elsewhere = onBranch ?? (await findElsewhere(lineage, side.tags, { traced, oidAt }));
  }
}

/** Throws BAD_ARGUMENT if the ref names a tree. */
export function commitOf({ commit, ref }: ResolvedRef): string {
  if (commit !== null) return commit;
  throw new SocraticodeError('BAD_ARGUMENT', `${ref} is a tree, which has no history`, {
    hint: 'Name a branch, a tag or a commit.',
  });
}

/** Selects old files by the ref's settings: a path that is excluded there is excluded in every commit. */
export function pathSelector(
  scope: Pick<SnapshotFiles, 'config'>,
  origin: Pick<SnapshotOrigin, 'ignore' | 'artifacts'>,
  path: readonly string[] | undefined,
): (path: string) => boolean {
  const { include, exclude } = scope.config;
  const named = origin.artifacts?.flatMap(({ inside }) => inside ?? []);
  const select = createSelector({ include, exclude, ignoreFile: origin.ignore ?? undefined, named });
  const wanted = pathFilter({ path });
  const known = new Map<string, boolean>();
  return (name) => {
    return getOrMake(known, name, () => skipReason({ path: name, type: 'file' }, { select }) === null && wanted(name));
  };
}

const UNITS: Readonly<Record<string, string>> = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' };

/**
 * Converts a date to seconds since 1970. It may be `2w`, or anything that `git log --since` takes. Throws BAD_ARGUMENT for a text that is
 * no date.
 */
export async function secondsOf({ repository }: Session, date: string): Promise<number> {
  const short = /^(\d{1,5})([hdwmy])$/.exec(date.trim());
  const text = short === null ? date : `${short[1]} ${UNITS[short[2]]} ago`;
  const seconds = await readDate(repository.git, text);
  if (seconds !== null) return seconds;
  throw new SocraticodeError('BAD_ARGUMENT', `not a date: ${date}`, {
    hint: 'Write it as 2024-05-31, "3 months ago" or yesterday.',
  });
}

/** Is it three numbers that make no day in any order? Git takes 32/13/2020 for one of 2032. */
function hasNoSuchDay(date: string): boolean {
  const [a, b, c] = (/^\s*(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?!\d)/.exec(date) ?? []).slice(1).map(Number);
  if (c === undefined) return false;
  const isDay = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return !isDay(b, a) && !isDay(a, b) && !isDay(b, c) && !isDay(c, b);
}

/** Git takes any text for a date; one that it does not understand means now. */
async function readDate(git: Git, since: string): Promise<number | null> {
  // No program can be passed a NUL.
  if (since.trim() === '' || since.includes('\0') || hasNoSuchDay(since)) return null;
  const text = await git.text(['rev-parse', `--since=${since}`]);
  const seconds = Number(/^--max-age=(\d+)$/.exec(text)?.[1]);
  const isNow = Math.abs(Date.now() / 1000 - seconds) < 5;
  return !isNow || /now|second/i.test(since) ? seconds : null;
}
