/** Owners by lines: the author of each present line, as `git blame` names them. */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { type BlamedLines, blame } from '../../git/blame.js';
import { readCommit } from '../../git/commits.js';
import { withoutLocalFilters } from '../../git/config.js';
import { isoDate, type Owner } from '../../history/change-log.js';
import { peopleOf } from '../../session/history/change-log.js';
import type { Asker } from '../asker.js';
import type { Past } from '../history-targets.js';

/** A file, or lines of it. */
export interface Stretch {
  path: string;
  startLine?: number;
  endLine?: number;
}

/** Processes of git that run at once. */
const AT_ONCE = 4;

/** Authors by number of lines, and the number of unreadable files. Throws UNREADABLE_OBJECT if no file can be read. */
export async function ownersByLines(
  { session, signal, progress }: Asker,
  past: Past,
  stretches: readonly Stretch[],
): Promise<{ owners: (Owner & { lines: number })[]; missing: number }> {
  const git = session.repository.git.withConfig(withoutLocalFilters(session.gitConfig));
  const runs: BlamedLines[] = [];
  let missing = 0;
  for (let i = 0; i < stretches.length; i += AT_ONCE) {
    progress(i, stretches.length, 'reading who wrote the lines');
    const some = stretches.slice(i, i + AT_ONCE);
    const found = await Promise.allSettled(some.map((each) => blame(git, { ...each, commit: past.commit, signal })));
    for (const one of found) {
      if (one.status === 'fulfilled') runs.push(...one.value);
      else if (isSocraticodeError(one.reason, 'UNREADABLE_OBJECT')) missing++;
      else throw one.reason;
    }
  }
  if (missing === stretches.length && missing > 0) throw lacking(stretches);
  const lines = new Map<string, number>();
  for (const { commit, count } of runs) lines.set(commit, (lines.get(commit) ?? 0) + count);
  const authors = await authorsOf(past, [...lines.keys()]);
  const people = await peopleOf(session, [...past.log.commits, ...authors.values()], signal);
  const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
  const owners = new Map<string, Owner & { lines: number; newest: number }>();
  for (const [commit, count] of lines) {
    const { authored = Number.NaN, ...who } = authors.get(commit) ?? { author: '' };
    const author = people.nameOf(who);
    const known = owners.get(author) ?? { author, commits: 0, share: 0, last: null, lines: 0, newest: -Infinity };
    const newest = Math.max(known.newest, authored);
    owners.set(author, { ...known, commits: known.commits + 1, lines: known.lines + count, newest });
  }
  const list = [...owners.values()].map(({ newest, ...owner }) => {
    return { ...owner, share: owner.lines / total, last: isoDate(newest) };
  });
  return { owners: list.sort((a, b) => b.lines - a.lines || (a.author < b.author ? -1 : 1)), missing };
}

function lacking([first]: readonly Stretch[]): SocraticodeError {
  return new SocraticodeError('UNREADABLE_OBJECT', `this clone lacks older versions of ${first.path}`, {
    hint: `Without lines, files are asked about by their commits; \`git fetch --refetch --no-filter\` brings older versions.`,
  });
}

interface Author {
  author: string;
  email: string;
  /** Seconds since 1970. */
  authored?: number;
}

/** Authors by commit: from the log, or read from git for older commits. */
async function authorsOf({ session, log }: Past, commits: readonly string[]): Promise<Map<string, Author>> {
  const known = new Map<string, Author>(log.commits.map((one) => [one.commit, one]));
  const read = commits.map(async (commit): Promise<[string, Author]> => {
    const found = known.get(commit) ?? (await readCommit(session.objects, commit));
    return [commit, { author: found?.author ?? '', email: found?.email ?? '', authored: found?.authored ?? undefined }];
  });
  return new Map(await Promise.all(read));
}
