/** Searches commits by message and by the code that they changed: `search --commits`, and `history` for agents. */
import { SocraticodeError } from '../../base/errors.js';
import { signs } from '../../base/printable.js';
import { isoDate, type LoggedCommit, mentionsIn, rankBySymbols, rankCommits } from '../../history/change-log.js';
import { pathFilter } from '../../search/filter.js';
import { parseQuery } from '../../search/query.js';
import { symbolsOfCommits } from '../../session/history/commit-symbols.js';
import { retried } from '../../session/retry.js';
import { mergeBase, parseRange } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { openPast, windowOf } from '../history-targets.js';
import type { CommitsDocument } from '../search/output.js';

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

function resultOf(commit: LoggedCommit, score: number, symbols: readonly string[]): CommitsDocument['results'][number] {
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
