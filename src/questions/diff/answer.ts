/** `diff`: the symbols that differ between two snapshots. Only blobs that differ are read. */
import { SocraticodeError } from '../../base/errors.js';
import { diffTrees, type TreeChange } from '../../git/diff.js';
import { listMissingObjects } from '../../git/log.js';
import { isPartialClone } from '../../git/worktree.js';
import { isFile } from '../../history/follow.js';
import { commandText } from '../../params/command-line.js';
import { codeFirst } from '../../search/code-first.js';
import { pathFilter } from '../../search/filter.js';
import { BlobFactsSource } from '../../session/blob-facts.js';
import { type ComparedFile, compareSymbols, joinMovedSymbols } from '../../session/history/compare-symbols.js';
import { pathSelector } from '../../session/history/scope.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import { mergeBase, parseRange } from '../../session/snapshot/range.js';
import type { Asker } from '../asker.js';
import type { DiffResponse } from './output.js';
import { COMMAND_LIMIT, type DiffValues, MAX_LIMIT } from './params.js';
import { describeDiff } from './results.js';

interface DiffOptions {
  /** One ref (compared with HEAD), two refs, or one range `A..B` or `A...B`. */
  refs: readonly string[];
  path: readonly string[] | undefined;
  /** Symbols listed, and files without any. */
  limit: number;
  /** Files that an earlier answer listed: they are listed whole, and count nothing. */
  skip: number;
  /** Code before its tests, and both before documents and data; else by path. */
  codeFirst: boolean;
  signal: AbortSignal;
}

/** Throws BAD_ARGUMENT, UNKNOWN_REF, GIT_FAILED or CANCELLED. */
export async function answerDiff({ session, signal, server }: Asker, values: DiffValues): Promise<DiffResponse> {
  const { from, to, path } = values;
  const refs = values.refs ?? [from, to].filter((ref) => ref !== undefined);
  // Without a limit an agent's reply is cut by its budget, between files.
  const { limit = server === undefined ? COMMAND_LIMIT : MAX_LIMIT } = values;
  const options = { refs, path, limit, skip: server?.skip ?? 0, codeFirst: server !== undefined, signal };
  return retried(session, rangeOf(refs).to, () => diffOnce(session, options));
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
    const { limit, skip } = options;
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
      hint: `${commandText('diff')} main..feature`,
    });
  }
  const isRange = refs.length === 1 && refs[0].includes('..');
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
