/** Times of the last change of each file, of anybody or of one author, for filters of searches. */
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits } from '../../base/printable.js';
import { nearest } from '../../base/spelling.js';
import { diffCommits } from '../../git/commits.js';
import { isPartialClone } from '../../git/repository.js';
import { type ChangeLog, MAX_FILES } from '../../history/change-log.js';
import type { Session } from '../session.js';
import { readChangeLog } from './change-log.js';
import { secondsOf } from './open-history.js';

export interface ChangeFilters {
  /** Part of a name or an address, in any case. */
  author?: string;
  since?: string;
  until?: string;
}

interface Scope {
  /** Commit of the snapshot; null before the first one. */
  tip: string | null;
  /** Files that the user of this machine has changed and not committed. */
  uncommitted: ReadonlySet<string>;
  signal?: AbortSignal;
}

/**
 * Returns a test for paths whose last change, by that author if one is named, lies between the dates. A file without a change in the log
 * of 5,000 commits is older than any date, and of unknown author. Throws BAD_ARGUMENT for a text that is no date.
 */
export async function changedBetween(
  session: Session,
  { author, since, until }: ChangeFilters,
  { tip, uncommitted, signal }: Scope,
): Promise<(path: string) => boolean> {
  const from = since === undefined ? -Infinity : await secondsOf(session, since);
  const to = until === undefined ? Infinity : await secondsOf(session, until);
  if (from > to)
    throw new SocraticodeError('BAD_ARGUMENT', `${since} is after ${until}`, { hint: 'Exchange the two dates.' });
  const isAuthor = authorTest(author);
  const times = new Map<string, number>();
  if (tip !== null) {
    const log = await readChangeLog(session, { tip, signal });
    if (author !== undefined) checkAuthor(author, log, identityOf(session));
    for (const [path, time] of await lastTimes(session, log, { isAuthor, from, signal })) times.set(path, time);
  }
  const isOwn = isAuthor(identityOf(session));
  return (path) => {
    const now = uncommitted.has(path) && isOwn ? Date.now() / 1000 : undefined;
    const time = now ?? times.get(path) ?? (author === undefined ? -Infinity : null);
    return time !== null && time >= from && time <= to;
  };
}

/** Throws BAD_ARGUMENT for an author without a commit: otherwise the filter would leave nothing, and nobody would know why. */
function checkAuthor(author: string, { commits }: ChangeLog, own: { author: string; email: string }): void {
  const isAuthor = authorTest(author);
  if (commits.length === 0 || isAuthor(own) || commits.some(isAuthor)) return;
  const known = new Set(commits.flatMap((who) => [who.author, ...who.author.split(' '), who.email]));
  const near = nearest(author, known);
  throw new SocraticodeError(
    'BAD_ARGUMENT',
    `no author of the ${groupDigits(commits.length)} newest commits has "${author}" in the name or address`,
    {
      hint: near === null ? 'The owners of files are their authors.' : `Did you mean ${near}?`,
    },
  );
}

function authorTest(author: string | undefined): (who: { author: string; email: string }) => boolean {
  if (author === undefined) return () => true;
  const wanted = author.toLowerCase();
  return (who) => `${who.author} <${who.email}>`.toLowerCase().includes(wanted);
}

function identityOf({ gitConfig }: Session): { author: string; email: string } {
  const value = (key: string) => gitConfig.filter((entry) => entry.key === key).at(-1)?.value ?? '';
  return { author: value('user.name'), email: value('user.email') };
}

interface Wanted {
  isAuthor: (who: { author: string; email: string }) => boolean;
  from: number;
  signal?: AbortSignal;
}

/** Returns the time of the newest wanted commit by path. */
async function lastTimes(
  { repository, gitConfig }: Session,
  { commits }: ChangeLog,
  { isAuthor, from, signal }: Wanted,
): Promise<Map<string, number>> {
  const wanted = commits.filter((commit) => commit.time >= from && isAuthor(commit));
  // The log has no paths for commits of many files.
  const large = wanted.filter(({ files }) => files !== null && files > MAX_FILES).map(({ commit }) => commit);
  const paths = new Map<string, readonly string[]>();
  if (large.length > 0) {
    const partial = isPartialClone(gitConfig);
    await diffCommits(repository.git, large, { partial, signal }, (each) => paths.set(each.commit, each.paths));
  }
  const times = new Map<string, number>();
  for (const commit of wanted) {
    for (const path of paths.get(commit.commit) ?? commit.paths)
      times.set(path, Math.max(commit.time, times.get(path) ?? -Infinity));
  }
  return times;
}
