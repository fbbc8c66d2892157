/** `search`: searches this repository, and with options the linked ones or a fleet. */
import { spawn } from 'node:child_process';
import { SocraticodeError } from '../../base/errors.js';
import { shellWord } from '../../base/printable.js';
import { PROGRAM_FILE } from '../../base/processes.js';
import { hasFilters, mayHaveOptions, splitFilters } from '../../search/query-filters.js';
import { type SearchOptions, searcherOf } from '../../session/search/searcher.js';
import { MOST_AWAITED } from '../../session/snapshot/coverage.js';
import type { Asker, OpenedLinks } from '../asker.js';
import { answerEachLine, type LineForm } from '../asker.js';
import type { FleetAsking } from '../fleet/asking.js';
import type { CommitsDocument, FleetSearchDocument } from './output.js';
import { documentLines, MAX_DEFINITION_LINES } from './output.js';
import { queryParams, type SearchResponse, type SearchValues } from './question.js';

/** Throws EMPTY_QUERY, BAD_ARGUMENT, UNKNOWN_REF and the errors of indexing. */
export async function answerSearch(
  at: Asker,
  values: SearchValues,
): Promise<SearchResponse | CommitsDocument | FleetSearchDocument> {
  const asking = new SearchAsker(at);
  try {
    return await asking.answer(values);
  } finally {
    await asking.close();
  }
}

/** Answers several queries; linked repositories and the fleet stay open between them. */
class SearchAsker {
  private opened: OpenedLinks | null = null;
  private fleet: FleetAsking | null = null;
  /** Refs that are indexed in the background. */
  private readonly indexing = new Set<string>();

  constructor(private readonly at: Asker) {}

  async answer(values: SearchValues): Promise<SearchResponse | CommitsDocument | FleetSearchDocument> {
    if (mayHaveOptions(values.query ?? '') && !values.commits) {
      const { withTypedOptions } = await import('../../search/typed-filters.js');
      const read = withTypedOptions(values);
      if (read.query.trim() === '') throw new SocraticodeError('EMPTY_QUERY', 'the query is empty');
      return this.answerRead(read);
    }
    return this.answerRead(values);
  }

  /** `values`: after options among the words of the query were read. */
  private async answerRead(values: SearchValues): Promise<SearchResponse | CommitsDocument | FleetSearchDocument> {
    if (values.also?.length && (values.fleet || values.commits))
      throw new SocraticodeError('BAD_ARGUMENT', 'other wordings are for searches of code in this repository');
    if (values.fleet) {
      const { answerFleetSearch, connected } = await import('../fleet/answer.js');
      this.fleet ??= await connected(this.at);
      return answerFleetSearch(this.at, this.fleet, values);
    }
    if (values.commits) {
      const { answerCommits } = await import('../history/commits.js');
      return answerCommits(this.at, values);
    }
    const response = await this.searchAll(values);
    const lines = documentLines(this.at, values);
    if (lines === null) return response;
    const { withExcerpts } = await import('../result-text.js');
    return withExcerpts(response, lines, values.context);
  }

  /** Asks each wording, and ranks the results together. */
  private async searchAll({ also = [], ...values }: SearchValues): Promise<SearchResponse> {
    if (also.length === 0) return this.search(values);
    if (also.length >= MAX_WORDINGS)
      throw new SocraticodeError('BAD_ARGUMENT', `a query has at most ${MAX_WORDINGS - 1} other wordings`);
    const answers: SearchResponse[] = [];
    for (const query of [values.query, ...also]) answers.push(await this.search({ ...values, query }));
    return fused(answers);
  }

  private async search(values: SearchValues): Promise<SearchResponse> {
    const { session, signal } = this.at;
    const { linked } = values;
    const whole = this.at.server !== undefined && !values.context ? { whole: MAX_DEFINITION_LINES } : {};
    // A program that opened the repository waits for its whole index, and a server has one made in the background.
    const early = this.at.command !== undefined && values.ref !== undefined;
    const options: SearchOptions = { ...(await this.narrowed(values)), ...whole, early, signal };
    if (!linked) {
      const found = await searcherOf(session).search(options);
      return early ? this.indexRest(found, values.ref ?? '') : found;
    }
    // Loaded here: most searches are about one repository.
    const [{ searchLinked }, { openLinks }] = await Promise.all([
      import('../../session/siblings/ask.js'),
      import('../asker.js'),
    ]);
    this.opened ??= await openLinks(this.at);
    return searchLinked(session, options, this.opened.access);
  }

  /** Starts an index of a ref whose files were not all read for the answer, and says so. */
  private indexRest(found: SearchResponse, ref: string): SearchResponse {
    const { covered, total } = found.coverage;
    if (total - covered <= MOST_AWAITED) return found;
    if (this.indexing.has(ref)) return found;
    this.indexing.add(ref);
    const { directory = process.cwd() } = this.at;
    const args = [PROGRAM_FILE, '-C', directory, 'index', '--ref', ref];
    // The terminal may close meanwhile. If another process is indexing already, this one waits for it or ends.
    spawn(process.execPath, args, { detached: true, stdio: 'ignore' })
      .on('error', () => {})
      .unref();
    const line = `files with these words were read first; the others of ${ref} are being indexed in the background`;
    return { ...found, told: [...(found.told ?? []), line] };
  }

  /** Splits filters from the query, and adds their effect and that of options with the same names. */
  private async narrowed({ query: typed = '', ...values }: SearchValues): Promise<SearchOptions> {
    const { query, filters } = splitFilters(typed);
    if (query.trim() === '' && values.lang !== undefined && !this.at.server) throw noQuery(values.lang);
    const both = (key: 'is' | 'tag') => [...(values[key] ?? []), ...(filters[key] ?? [])];
    const all = { ...values, ...filters, is: both('is'), tag: both('tag') };
    if (!hasFilters(all)) return { ...values, query };
    const { narrow } = await import('../file-filters.js');
    return { ...values, ...(await narrow(this.at, all)), query };
  }

  async close(): Promise<void> {
    await this.opened?.close();
    await this.fleet?.close();
  }
}

/** Wordings of one query: each is a whole search. */
const MAX_WORDINGS = 8;
/**
 * Number of places after the first at which a result of a wording counts half as much as its first one. Of two wordings, what both have
 * fourth comes before what only one has first.
 */
const FUSION = 4;

type Result = SearchResponse['results'][number];

const lengthOf = ({ startLine, endLine }: Result): number => endLine - startLine;

/** One answer may show a part of what another one shows whole. */
const overlap = (a: Result, b: Result): boolean =>
  a.project === b.project && a.path === b.path && a.startLine <= b.endLine && b.startLine <= a.endLine;

/**
 * Ranks results of several answers together, by the sum of FUSION / (FUSION + place), with places counted from 0: scores of two queries say
 * nothing beside each other.
 */
export function fused(answers: readonly SearchResponse[]): SearchResponse {
  const found: { result: Result; score: number }[] = [];
  for (const { results } of answers)
    for (const [place, result] of results.entries()) {
      const known = found.find((each) => overlap(each.result, result));
      const score = FUSION / (place + FUSION);
      if (known === undefined) found.push({ result, score });
      else {
        known.score += score;
        if (lengthOf(result) > lengthOf(known.result)) known.result = result;
      }
    }
  const [first] = answers;
  const results = found
    .sort((a, b) => b.score - a.score)
    .slice(0, Math.max(...answers.map((each) => each.results.length)))
    .map(({ result, score }) => ({ ...result, score: Math.round(score * 1_000) / 1_000 }));
  const told = [...new Set(answers.flatMap((each) => each.told ?? []))];
  const corrections = Object.assign({}, ...answers.map((each) => each.corrections ?? {}));
  return {
    ...first,
    query: answers.map(({ query }) => query).join('\n'),
    ...(Object.keys(corrections).length > 0 && { corrections }),
    ...(told.length > 0 && { told }),
    results,
  };
}

/** `-l WORD` lists files in grep. Here it takes a language, so the query is missing. */
function noQuery(lang: readonly string[]): SocraticodeError {
  const words = lang.join(' ');
  return new SocraticodeError('EMPTY_QUERY', `no query is left: -l takes a language, and read "${words}" as one`, {
    hint: `For names of files that hold it: git socraticode grep -l ${shellWord(words)}`,
  });
}

export const LINES: LineForm = { params: queryParams, main: 'query' };

export async function answerLines(at: Asker, values: SearchValues): Promise<void> {
  const asking = new SearchAsker(at);
  try {
    await answerEachLine(at, { values, form: LINES, answer: (line) => asking.answer(line) });
  } finally {
    await asking.close();
  }
}
