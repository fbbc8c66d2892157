/** Answers `owners`: who changed files most, with more weight for newer commits, or who wrote their lines. */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { type BlamedLines, blame } from '../../git/blame.js';
import { readCommit } from '../../git/commits.js';
import { withoutLocalFilters } from '../../git/repository.js';
import { cut } from '../../graph/query/node-place.js';
import { countChanges, isoDate, type Owner, ownersOf, tellingCommits } from '../../history/change-log.js';
import { peopleOf } from '../../session/history/change-log.js';
import { retried } from '../../session/retry.js';
import type { Asker } from '../asker.js';
import { dateText, formatCount, windowLines } from '../format.js';
import {
  findSymbol,
  openPast,
  type Past,
  pathsNamed,
  presentPaths,
  type SymbolPlace,
  unknownPath,
  windowOf,
} from '../history-targets.js';
import type { Pen } from '../pen.js';
import { asides, type Block, type Item, sectionOf } from '../view.js';
import type { OwnersDocument, OwnersValues } from './question.js';

/** Throws BAD_ARGUMENT for an unknown path, and UNKNOWN_REF. */
export async function answerOwners(at: Asker, values: OwnersValues): Promise<OwnersDocument> {
  return retried(at.session, values.ref, () => answerOnce(at, values));
}

/** Most files whose lines are read: `git blame` takes a tenth of a second for each. */
const MAX_BLAMED = 50;

async function answerOnce(at: Asker, values: OwnersValues): Promise<OwnersDocument> {
  const { paths = [], ref, limit } = values;
  const past = await openPast(at, ref);
  const { files, symbols } = await targetsOf(at, past, values);
  const log = tellingCommits(past.log);
  const named = new Set([...files, ...symbols.map(({ path }) => path)]);
  const shared = { schemaVersion: 1, ref: past.ref, commit: past.commit, window: windowOf(past), paths } as const;
  const counts = { files: named.size, changes: countChanges(log, named) };
  if (!values.lines && symbols.length === 0) {
    const people = await peopleOf(at.session, past.log.commits, at.signal);
    return { ...shared, method: 'commits', ...counts, owners: cut(ownersOf(log, named, people), limit) };
  }
  const changes = new Map<string, number>();
  for (const path of log.flatMap((commit) => commit.paths)) changes.set(path, (changes.get(path) ?? 0) + 1);
  const present = await presentPaths(
    past,
    [...files].map((path) => ({ path })),
  );
  present.sort((a, b) => (changes.get(b.path) ?? 0) - (changes.get(a.path) ?? 0) || (a.path < b.path ? -1 : 1));
  const read = cut(present, MAX_BLAMED);
  const { owners, missing } = await ownersByLines(at, past, [...symbols, ...read.list]);
  const missed = missing > 0 ? { missing } : {};
  return { ...shared, method: 'lines', ...counts, unread: read.leftOut, ...missed, owners: cut(owners, limit) };
}

/** Files and symbols that are named. Throws BAD_ARGUMENT for an unknown name. */
async function targetsOf(
  at: Asker,
  past: Past,
  { paths = [], ref }: OwnersValues,
): Promise<{ files: ReadonlySet<string>; symbols: SymbolPlace[] }> {
  const files = new Set<string>();
  const symbols: SymbolPlace[] = [];
  for (const text of paths.length === 0 ? ['.'] : paths) {
    const found = await pathsNamed(past, text);
    if (found !== null) for (const path of found) files.add(path);
    else if (looksLikePath(text)) throw unknownPath(past, text);
    else symbols.push(await findSymbol(at, text, ref));
  }
  return { files, symbols };
}

const looksLikePath = (text: string): boolean => text.includes('/') && !text.includes(':');

export function ownersBlocks(
  { paths, method, files, unread = 0, missing = 0, changes, owners, window }: OwnersDocument,
  { pen }: { pen: Pen },
): Block[] {
  const what = paths.length === 0 ? 'this repository' : paths.join(', ');
  const of = files === 1 ? '' : ` (${formatCount(files, 'file')})`;
  const how =
    method === 'lines' ? ': who wrote the lines that stand there' : ` changed in ${formatCount(changes, 'commit')}`;
  const item = ({ author, share, lines, commits, last }: OwnersDocument['owners']['list'][number]): Item => {
    const wrote = lines === undefined ? '' : `${formatCount(lines, 'line')}, `;
    return [{ share }, author, { aside: `${wrote}${formatCount(commits, 'commit')}, last ${dateText(last)}` }];
  };
  // `git blame` follows lines beyond the window, unless the clone is shallow.
  const isWindowed = method === 'commits' || window.end === 'shallow';
  return [
    { say: [{ path: what }, of, how] },
    sectionOf('who knows it', owners, item, { isBare: true }),
    ...asides([
      ...(unread > 0 ? [`${formatCount(unread, 'file')} not read: only the 50 files that changed most`] : []),
      ...(missing > 0 ? [`${formatCount(missing, 'file')} not read: older versions are missing here`] : []),
      ...(isWindowed ? windowLines(window, pen, method === 'commits') : []),
    ]),
  ];
}

/** A file, or lines of it. */
interface Stretch {
  path: string;
  startLine?: number;
  endLine?: number;
}

/** Processes of git that run at once. */
const AT_ONCE = 4;

/** Authors by number of lines, and the number of unreadable files. Throws UNREADABLE_OBJECT if no file can be read. */
async function ownersByLines(
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
