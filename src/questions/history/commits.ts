/**
 * Searches commits by message and by the code that they changed: `search --commits`, and `history` for agents. Lists those of a path on all
 * branches.
 */
import { SocraticodeError } from '../../base/errors.js';
import { signs } from '../../base/printable.js';
import { readSideRefs, type SideRefs } from '../../git/branches.js';
import { diffCommits, readCommit } from '../../git/commits.js';
import { type CommitChanges, readShallow, type WalkOptions, walkHistory } from '../../git/log.js';
import type { Git } from '../../git/process.js';
import { spellings } from '../../graph/query/node-place.js';
import { isoDate, type LoggedCommit } from '../../history/change-log.js';
import { mentionsIn, rankBySymbols, rankCommits } from '../../history/commit-messages.js';
import { pathFilter } from '../../search/filter.js';
import { parseQuery } from '../../search/query.js';
import { commitOf } from '../../session/history/open-history.js';
import { symbolsOfCommits } from '../../session/history/symbol-changes.js';
import { retried } from '../../session/retry.js';
import { prefixOf } from '../../session/session.js';
import { mergeBase, parseRange } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { openPast, windowOf } from '../history-targets.js';
import { cutNames } from '../result-text.js';
import type { CommitsDocument } from '../search/output.js';
import type { HistoryValues } from './question.js';

interface CommitQuery {
  query?: string;
  ref?: string;
  /** Takes only commits of B that are not in A. */
  in?: string;
  path?: readonly string[];
  limit?: number;
}

const LIMIT = 10;
/** Candidates whose symbols are compared: parsing old versions takes 10 ms a file. */
const COMPARED = 20;

/** Throws EMPTY_QUERY, BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerCommits(at: Asker, query: CommitQuery): Promise<CommitsDocument> {
  if ((query.query ?? '').trim() === '') {
    throw new SocraticodeError('EMPTY_QUERY', 'the query is empty', {
      hint: 'Name words of a message, a file or a symbol.',
    });
  }
  if (query.in !== undefined && query.ref !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'a ref and a range exclude each other');
  return retried(at.session, query.ref, () => answerOnce(at, query));
}

async function answerOnce(
  at: Asker,
  { query = '', ref, in: range, path, limit = LIMIT }: CommitQuery,
): Promise<CommitsDocument> {
  const { session, signal } = at;
  const parsed = range === undefined ? null : parseRange(range);
  const past = await openPast(at, parsed === null ? ref : parsed.to);
  const base = parsed?.symmetric ? await mergeBase(session, parsed.from, parsed.to ?? 'HEAD') : parsed?.from;
  const excluded = base === undefined ? new Set<string>() : await reachable(at, base);
  const accepts = pathFilter({ path });
  const isWanted = ({ commit, paths }: LoggedCommit) =>
    !excluded.has(commit) && (path === undefined || paths.some((each) => accepts(each)));
  const { terms } = parseQuery(query);
  const ranked = rankCommits(past.log.commits.filter(isWanted), terms);
  const candidates = ranked.slice(0, Math.max(limit, COMPARED));
  const compared = candidates.slice(0, COMPARED).map(({ commit }) => commit);
  const symbols = await symbolsOfCommits(session, compared, { signal });
  const namesOf = (commit: string) => (symbols.get(commit) ?? []).map(({ symbol }) => symbol);
  const best = rankBySymbols(candidates, terms, namesOf).slice(0, limit);
  const top = best[0]?.score ?? 1;
  return {
    ...{ schemaVersion: 1, ref: past.ref, commit: past.commit, window: windowOf(past), query },
    results: best.map(({ commit, score }) => resultOf(commit, score / top, namesOf(commit.commit))),
    resultsLeftOut: Math.max(0, ranked.length - best.length),
  };
}

async function reachable(at: Asker, ref: string): Promise<ReadonlySet<string>> {
  const { log } = await openPast(at, ref);
  return new Set(log.commits.map(({ commit }) => commit));
}

const MAX_BODY = 300;
const MAX_LISTED = 12;

type Told = Pick<LoggedCommit, 'commit' | 'authored' | 'author' | 'subject' | 'body' | 'paths' | 'files'>;

function resultOf(commit: Told, score: number, symbols: readonly string[]): CommitsDocument['results'][number] {
  const { authored, author, subject, body, paths, files } = commit;
  const named = [...new Set(symbols)];
  return {
    ...{ commit: commit.commit, date: isoDate(authored), author, subject },
    body: body.length <= MAX_BODY ? body : `${body.slice(0, MAX_BODY).trimEnd()}${signs.cut}`,
    score: Math.round(score * 1_000) / 1_000,
    paths: paths.slice(0, MAX_LISTED),
    files: files ?? 0,
    symbols: named.slice(0, MAX_LISTED),
    symbolsLeftOut: Math.max(0, named.length - MAX_LISTED),
    mentions: mentionsIn({ subject, body }),
  };
}

/** Renames that a path is followed through. */
const MAX_RENAMES = 8;

/**
 * Commits of all branches and tags that changed a file or a folder, each once; null if the query is none of them anywhere. Throws
 * BAD_ARGUMENT for a path outside of the repository.
 */
export async function answerPath(
  { session, directory, signal }: Asker,
  {
    query,
    ref,
    since,
    maxCommits,
    limit,
  }: Pick<HistoryValues, 'ref' | 'since' | 'maxCommits' | 'limit'> & { query: string },
): Promise<CommitsDocument | null> {
  if (/\s/.test(query)) return null;
  const { repository, objects } = session;
  const { git } = repository;
  const resolved = await objects.resolve(ref ?? 'HEAD');
  const tip = commitOf(resolved);
  const side = await readSideRefs(git, tip, signal);
  const others = [...new Set([...side.branches, ...side.tags].map(({ commit }) => commit))];
  const walk = { tip, others, since, maxCommits, signal, shallow: readShallow(repository) };
  for (const spelled of spellings(query, prefixOf(session, directory))) {
    const found = await pathCommits(git, walk, spelled.replace(/\/+$/, '') || '.');
    if (found === null) continue;
    const { commits, window } = found;
    const results = await pathResults({ session, signal }, commits.slice(0, limit), side);
    const oldest = window.oldest === null ? null : ((await readCommit(objects, window.oldest))?.date ?? null);
    const end = window.end === 'since' ? 'max-commits' : window.end;
    return {
      ...{ schemaVersion: 1, ref: resolved.ref, commit: tip, query, results },
      window: { commits: window.commits, end, unknown: 0, oldest },
      resultsLeftOut: commits.length - results.length,
    };
  }
  return null;
}

async function pathResults(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  commits: readonly CommitChanges[],
  side: SideRefs,
): Promise<CommitsDocument['results']> {
  const changed = commits.map(({ commit, changes }) => ({ commit, paths: changes.map(({ path }) => path) }));
  const names = new Set(changed.flatMap(({ paths }) => paths));
  const symbols = await symbolsOfCommits(session, changed.slice(0, COMPARED), { names, signal });
  const results = changed.map(async ({ commit, paths }) => {
    const info = await readCommit(session.objects, commit);
    const refs = side.having(commit);
    const own = (symbols.get(commit) ?? []).map(({ symbol }) => symbol);
    const said = { author: '', subject: '', body: '', ...info, authored: info?.authored ?? Number.NaN };
    const result = resultOf({ ...said, commit, paths, files: paths.length }, 1, own);
    return { ...result, ...(refs.length > 0 && cutNames('refs', refs)) };
  });
  return Promise.all(results);
}

/** Commits that changed a path, or the files that were renamed to it; null for none. */
async function pathCommits(git: Git, walk: WalkOptions, path: string) {
  const paths = [path];
  for (;;) {
    const commits: CommitChanges[] = [];
    const window = await walkHistory(git, { ...walk, paths }, (one) => {
      if (one.changes.length > 0) commits.push(one);
    });
    if (commits.length === 0) return null;
    const former = paths.length > MAX_RENAMES ? [] : await formerNames(git, commits, paths);
    if (former.length === 0) return { commits, window };
    paths.push(...former);
  }
}

/** Names from which commits renamed files to those of `paths` that they add. */
async function formerNames(git: Git, commits: readonly CommitChanges[], paths: readonly string[]): Promise<string[]> {
  const adding = commits.filter(({ changes }) =>
    changes.some(({ path, oldOids }) => paths.includes(path) && oldOids.length === 1 && oldOids[0] === null),
  );
  const found = new Set<string>();
  const added = adding.slice(-MAX_RENAMES).map(({ commit }) => commit);
  await diffCommits(git, added, { partial: false }, ({ renames }) => {
    for (const [from, to] of renames) if (paths.includes(to) && !paths.includes(from)) found.add(from);
  });
  return [...found];
}
