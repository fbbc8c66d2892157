/** Owners by the lines that stand: who wrote each, as `git blame` says. */
import { type BlamedLines, blame } from '../../git/blame.js';
import { readCommit } from '../../git/commit.js';
import { withoutLocalFilters } from '../../git/worktree.js';
import { isoDate, type Owner } from '../../history/owners.js';
import { peopleOf } from '../../session/history/people.js';
import type { Asker } from '../asker.js';
import type { Past } from '../past/places.js';

/** A file, or lines of it. */
export interface Stretch {
  path: string;
  startLine?: number;
  endLine?: number;
}

/** Processes of git at a time. */
const AT_ONCE = 4;

/** The author of most lines first. Throws GIT_FAILED where this clone lacks old versions. */
export async function ownersByLines(
  { session, signal, progress }: Asker,
  past: Past,
  stretches: readonly Stretch[],
): Promise<(Owner & { lines: number })[]> {
  const git = session.repository.git.withConfig(withoutLocalFilters(session.gitConfig));
  const runs: BlamedLines[] = [];
  for (let i = 0; i < stretches.length; i += AT_ONCE) {
    progress(i, stretches.length, 'reading who wrote the lines');
    const some = stretches.slice(i, i + AT_ONCE);
    const found = await Promise.all(some.map((each) => blame(git, { ...each, commit: past.commit, signal })));
    runs.push(...found.flat());
  }
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
  return list.sort((a, b) => b.lines - a.lines || (a.author < b.author ? -1 : 1));
}

interface Author {
  author: string;
  email: string;
  /** Seconds since 1970. */
  authored?: number;
}

/** Authors by commit: from the log, or read from commits that are older than it. */
async function authorsOf({ session, log }: Past, commits: readonly string[]): Promise<Map<string, Author>> {
  const known = new Map<string, Author>(log.commits.map((one) => [one.commit, one]));
  const read = commits.map(async (commit): Promise<[string, Author]> => {
    const found = known.get(commit) ?? (await readCommit(session.objects, commit));
    return [commit, { author: found?.author ?? '', email: found?.email ?? '', authored: found?.authored ?? undefined }];
  });
  return new Map(await Promise.all(read));
}
