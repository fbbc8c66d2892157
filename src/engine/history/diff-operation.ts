/** `diff`: the symbols that two snapshots do not have in common. Only blobs that differ are read. */
import { SocraticodeError } from '../../base/errors.js';
import { createProgress } from '../../base/progress.js';
import { diffTrees, type TreeChange } from '../../git/diff.js';
import { listMissingObjects } from '../../git/log.js';
import { isPartialClone } from '../../git/worktree.js';
import { isFile } from '../../history/follow.js';
import { joinMoves, type PlacedChange } from '../../history/moved-symbols.js';
import type { FileVersion } from '../../history/source.js';
import { diffSymbols, type FileDiff } from '../../history/symbol-diff.js';
import { digestFile, type FileDigest } from '../../history/symbol-digest.js';
import { codeFirst } from '../../search/code-first.js';
import { pathFilter } from '../../search/filter.js';
import { BlobFactsSource } from '../../session/blob-facts.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import { mergeBase, parseRange } from '../../session/snapshot/range.js';
import type { DiffResponse } from '../contract.js';
import { describeDiff } from './diff-results.js';
import { checkCount } from './history-operation.js';
import { pathSelector } from './history-scope.js';

export interface DiffOptions {
  /** One ref (compared with HEAD), two refs, or one range `A..B` or `A...B`. */
  refs: readonly string[];
  path?: readonly string[];
  /** Symbols listed, and files without any. */
  limit?: number;
  /** Files that an earlier answer listed: they are listed whole, and count nothing. */
  skip?: number;
  /** Code before its tests, and both before documents and data; default: by path. */
  codeFirst?: boolean;
  signal?: AbortSignal;
}

export const DEFAULT_DIFF_LIMIT = 500;
const MAX_DIFF_LIMIT = 100_000;
/** Changed files whose symbols are compared; the rest of a larger change is compared as files. */
const MAX_COMPARED_FILES = 20_000;

/** A file of both sides, of one, or under another path than before. */
export interface ComparedFile {
  change: TreeChange;
  before: FileVersion | null;
  after: FileVersion | null;
  /** Null where symbols are not known. */
  diff: FileDiff | null;
}

/** Throws BAD_ARGUMENT, UNKNOWN_REF, GIT_FAILED or CANCELLED. */
export async function runDiff(session: Session, options: DiffOptions): Promise<DiffResponse> {
  checkCount('--limit', options.limit, MAX_DIFF_LIMIT);
  return retried(session, rangeOf(options.refs).to, () => diffOnce(session, options));
}

async function diffOnce(session: Session, options: DiffOptions): Promise<DiffResponse> {
  const { git } = session.repository;
  const sides = await resolveSides(session, options.refs);
  const { from, to } = sides;
  const { config } = await session.configOfOrigin(to.origin);
  const accepts = pathSelector({ config }, to.origin, options.path);
  const changes = await diffTrees(git, from.tree, to.origin.resolved.tree, { renames: true, signal: options.signal });
  const { files, skipped } = selectFiles(changes, accepts, pathFilter({ path: options.path }));
  const missing = isPartialClone(session.gitConfig) ? await missingOf(session, sides, options.signal) : undefined;
  const { languages, maxFileBytes } = config;
  const source = new BlobFactsSource(session, { languages, maxFileBytes, missing, signal: options.signal });
  try {
    await compareSymbols(files, source);
    await joinMovedSymbols(files, source);
    const { limit = DEFAULT_DIFF_LIMIT, skip = 0 } = options;
    const unreadable = source.unreadable.size;
    const listed = options.codeFirst ? codeFirst(files, placeOf) : files;
    return describeDiff({ sides, files: listed, limit, skip, skipped, unreadable });
  } finally {
    await source.close();
  }
}

const placeOf = ({ change, before, after }: ComparedFile) => (after ?? before)?.path ?? change.path;

export interface Sides {
  from: { ref: string; commit: string | null; tree: string };
  to: { origin: Awaited<ReturnType<Session['origin']>> };
  symmetric: boolean;
}

/** `to`: without it, HEAD. */
function rangeOf(refs: readonly string[]): { from: string; to?: string; symmetric: boolean } {
  if (refs.length > 2 || refs.length === 0) {
    throw new SocraticodeError('BAD_ARGUMENT', 'diff takes one or two refs, or one range', {
      hint: 'git socraticode diff main..feature',
    });
  }
  // "HEAD^{/a..b}" and ":/x..y" are revisions, whatever dots they hold.
  const isRange = refs.length === 1 && /\.\./.test(refs[0]) && !/^:|[{]/.test(refs[0]);
  return isRange ? parseRange(refs[0]) : { from: refs[0], to: refs[1], symmetric: false };
}

async function resolveSides(session: Session, refs: readonly string[]): Promise<Sides> {
  const range = rangeOf(refs);
  const to = { origin: await session.origin(range.to ?? 'HEAD') };
  const base = range.symmetric ? await mergeBase(session, range.from, range.to ?? 'HEAD') : range.from;
  const { commit, tree } = await session.objects.resolve(base);
  return { from: { ref: range.from, commit, tree }, to, symmetric: range.symmetric };
}

async function missingOf(session: Session, { from, to }: Sides, signal?: AbortSignal): Promise<Set<string>> {
  const { tree } = to.origin.resolved;
  const { git } = session.repository;
  const [a, b] = await Promise.all([listMissingObjects(git, from.tree, signal), listMissingObjects(git, tree, signal)]);
  return new Set([...a, ...b]);
}

/** `wanted`: what is asked about; of it, `accepts` leaves out what is not indexed. */
function selectFiles(
  changes: readonly TreeChange[],
  accepts: (path: string) => boolean,
  wanted: (path: string) => boolean,
) {
  const files: ComparedFile[] = [];
  let skipped = 0;
  for (const change of changes) {
    const { path, oldPath = path, oldOid, newOid, oldType, newType } = change;
    const before = oldOid !== null && isFile(oldType ?? '') && accepts(oldPath) ? { oid: oldOid, path: oldPath } : null;
    const after = newOid !== null && isFile(newType ?? '') && accepts(path) ? { oid: newOid, path } : null;
    // A mode alone is no change of text.
    if (before !== null && after !== null && oldOid === newOid && path === oldPath) continue;
    if (before === null && after === null) skipped += wanted(path) || wanted(oldPath) ? 1 : 0;
    else files.push({ change, before, after, diff: null });
  }
  return { files, skipped };
}

/** Compares a file as soon as both of its versions are known, so that digests of few files are held at a time. */
export async function compareSymbols(files: readonly ComparedFile[], source: BlobFactsSource): Promise<void> {
  const compared = files.slice(0, MAX_COMPARED_FILES);
  const waiting = new Map<string, ComparedFile[]>();
  const digests = new Map<ComparedFile, { before?: FileDigest | null; after?: FileDigest | null }>();
  const versions: FileVersion[] = [];
  for (const file of compared) {
    digests.set(file, {});
    for (const version of [file.before, file.after]) {
      if (version === null) continue;
      versions.push(version);
      waiting.set(keyOf(version), [...(waiting.get(keyOf(version)) ?? []), file]);
    }
  }
  await source.prefetch(versions, createProgress('reading both sides', 'versions'), (version, facts, bytes) => {
    const isKnown = facts !== null && bytes !== null && !source.degraded.has(version.oid);
    const digest = isKnown ? digestFile(bytes, facts) : null;
    for (const file of waiting.get(keyOf(version)) ?? []) {
      const sides = digests.get(file);
      if (sides === undefined) continue;
      if (isSame(file.before, version)) sides.before = digest;
      if (isSame(file.after, version)) sides.after = digest;
      if (compare(file, sides)) digests.delete(file);
    }
  });
}

/** True once both sides are known; a side that should be there and has no symbols known leaves the file as a whole. */
function compare(
  file: ComparedFile,
  { before, after }: { before?: FileDigest | null; after?: FileDigest | null },
): boolean {
  const has = (version: FileVersion | null, digest: FileDigest | null | undefined) =>
    version === null || digest !== undefined;
  if (!has(file.before, before) || !has(file.after, after)) return false;
  const isKnown = (file.before === null || before !== null) && (file.after === null || after !== null);
  if (isKnown) file.diff = diffSymbols(before ?? null, after ?? null);
  return true;
}

const keyOf = ({ oid, path }: FileVersion): string => `${oid} ${path}`;
const isSame = (a: FileVersion | null, b: FileVersion): boolean => a?.oid === b.oid && a.path === b.path;

export async function joinMovedSymbols(files: readonly ComparedFile[], source: BlobFactsSource): Promise<void> {
  const placed = files.flatMap((file) =>
    (file.diff?.changes ?? []).flatMap((change): PlacedChange[] => {
      const version = change.type === 'removed' ? file.before : file.after;
      return version === null ? [] : [{ ...version, change }];
    }),
  );
  const gone = await joinMoves(placed, source);
  for (const { diff } of files) if (diff !== null) diff.changes = diff.changes.filter((change) => !gone.has(change));
}
