/** Files, directories and symbols that a question about the past names: as they are at its commit, or as the log knows them. */
import { SocraticodeError } from '../../base/errors.js';
import { spellings } from '../../graph/query/paths.js';
import type { ChangeLog } from '../../history/change-log.js';
import { isoDate } from '../../history/owners.js';
import { readChangeLog } from '../../session/history/change-log.js';
import { commitOf } from '../../session/history/scope.js';
import { prefixOf } from '../../session/prefix.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { PastWindow } from './output.js';

/** Commit that a question about the past is about, and its log. */
export interface Past {
  session: Session;
  /** As asked for. */
  ref: string;
  commit: string;
  log: ChangeLog;
  /** Directory that paths begin at. */
  directory: string | undefined;
}

/** Opens the log of a ref. Throws UNKNOWN_REF, and BAD_ARGUMENT where the ref names a tree. */
export async function openPast({ session, directory, signal }: Asker, ref: string | undefined): Promise<Past> {
  const resolved = await session.objects.resolve(ref ?? 'HEAD');
  const commit = commitOf(resolved);
  const log = await readChangeLog(session, { tip: commit, signal });
  return { session, ref: resolved.ref, commit, log, directory };
}

/** How much of the history an answer is counted from. */
export function windowOf({ log }: Pick<Past, 'log'>): PastWindow {
  const { commits, end, unknown } = log;
  return { commits: commits.length, end, unknown, oldest: isoDate(commits.at(-1)?.time ?? Number.NaN) };
}

/**
 * Paths that `text` names: a file, or all files below a directory that the log knows. Null if it names neither.
 * Throws BAD_ARGUMENT for a path outside of the repository.
 */
export async function pathsNamed(past: Past, text: string): Promise<ReadonlySet<string> | null> {
  const { session, commit, log, directory } = past;
  for (const path of spellings(text, prefixOf(session, directory))) {
    const clean = path.replace(/\/+$/, '');
    if (clean === '.' || clean === '') return pathsBelow(log, '');
    const found = await session.objects.info(`${commit}:${clean}`);
    if (found?.type === 'blob') return new Set([clean]);
    if (found?.type === 'tree') return pathsBelow(log, `${clean}/`);
    // A file that is gone, or not committed yet.
    if (log.commits.some(({ paths }) => paths.includes(clean))) return new Set([clean]);
  }
  return null;
}

/** All paths that the texts name. Throws BAD_ARGUMENT for a text that names none. */
export async function allPathsNamed(past: Past, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const text of paths) {
    const found = await pathsNamed(past, text);
    if (found === null) {
      throw unknownPath(past, text);
    }
    for (const path of found) named.add(path);
  }
  return named;
}

export function unknownPath({ ref }: Pick<Past, 'ref'>, text: string): SocraticodeError {
  return new SocraticodeError('BAD_ARGUMENT', `no file or directory ${text} is known at ${ref}`, {
    hint: 'Name it from the current directory or from the top of the repository.',
  });
}

function pathsBelow({ commits }: ChangeLog, directory: string): ReadonlySet<string> {
  const all = commits.flatMap(({ paths }) => paths);
  return new Set(all.filter((path) => path.startsWith(directory)));
}

/** Filters out entries that are no files of the commit; keeps the order. */
export async function presentPaths<T extends { path: string }>(
  { session, commit }: Pick<Past, 'session' | 'commit'>,
  all: readonly T[],
): Promise<T[]> {
  const infos = await Promise.all(all.map(({ path }) => session.objects.info(`${commit}:${path}`)));
  return all.filter((_, i) => infos[i]?.type === 'blob');
}
