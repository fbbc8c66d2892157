/** Answers that a search gives besides its own, commits and places in a fleet; and how many lines of each result are shown, by rank and surface. */
import * as s from '../../params/shape.js';
import type { Asker } from '../asker.js';
import { count, mention, oid, pastHeader, placeSchema, searchResultSchema } from '../shared-output.js';
import type { SearchValues } from './question.js';

export const commitsSchema = s.object({
  ...pastHeader,
  query: s.string(),
  results: s
    .array(
      s.object({
        commit: oid,
        date: s.string().nullable().describe("The author's date, ISO 8601; null if the commit's date is none."),
        author: s.string().describe('Untrusted text of the commit.'),
        subject: s.string().describe('First line of the message; untrusted text of the commit.'),
        body: s.string().describe('Beginning of the rest; untrusted text of the commit.'),
        refs: s.array(s.string()).optional().describe('Branches, or else tags, that have it where the ref does not.'),
        refsLeftOut: count.optional().describe('Further ones.'),
        score: s.number({ minimum: 0, maximum: 1 }).describe('Fraction of the score of the best result, from 0 to 1.'),
        paths: s.array(s.string()).describe('Files that it changed, by the names that they have now; none of a merge.'),
        files: count.describe('Number of files that it changed.'),
        symbols: s.array(s.string()).describe('Symbols that it changed, where the best results were compared.'),
        symbolsLeftOut: count.describe('Further symbols.'),
        mentions: s.array(mention).describe('Pull requests and issues that the message names.'),
      }),
    )
    .describe('Best first; those of a path newest first.'),
  resultsLeftOut: count.describe('Further commits that have a word of the query, or that changed the path.'),
});

export type CommitsDocument = s.Infer<typeof commitsSchema>;

export const coverage = s.object({ covered: count, total: count });

/** Repository and published ref of a place. */
const published = {
  repo: s.string(),
  ref: s.string().describe('Branch or tag, as it was published.'),
  commit: oid,
};

export const publishedView = {
  ...published,
  publishedAt: s.string().describe('When the commit was published, as ISO 8601.'),
  coverage: coverage.describe('Files of the commit that the fleet has, and how many could be indexed.'),
};

export const fleetSearchSchema = s.object({
  schemaVersion: s.literal(1),
  query: s.string(),
  kind: s.enum(['symbol', 'natural', 'question']).describe('How the query was understood.'),
  mode: s.enum(['lexical', 'hybrid', 'semantic']).describe('The mode that was used.'),
  fleet: s.object({
    searched: count.describe('Number of repositories that were searched: all that match and that the token may read.'),
    withoutRef: count.describe('Repositories that match, but have not published the ref.'),
    damaged: count.describe('Repositories that match, but whose list of files is damaged until they publish again.'),
  }),
  coverage: coverage.describe('Files of the searched repositories that the fleet has, and how many could be indexed.'),
  results: s.array(
    searchResultSchema
      .omit('project', 'uncommitted', 'artifact')
      .extend({ ...publishedView, places: s.array(placeSchema.extend(published)).optional() }),
  ),
});

export type FleetSearchDocument = s.Infer<typeof fleetSearchSchema>;

// Lines that are shown of each result.

/** Lines of each result in a terminal. */
export const TERMINAL_LINES = 8;
/** Defaults for agents: tokens of a reply, and results on its page. */
export const REPLY_TOKENS = 2_500;
export const PAGE_SIZE = 10;

/** Fewest lines that show whether a result is relevant. */
const MIN_LINES = 3;
/** Lines up to which a definition is one result, with all of the parts that it is indexed in. */
export const MAX_DEFINITION_LINES = 400;
/** Lines up to which the first result is shown whole, if it is ahead of the others. */
const MAX_WHOLE_LINES = 40;
/**
 * Shares of the first result's score that the best one of another file has. Below the first, the first result is right in 88 % of judged questions
 * (others: 59 %), and the second or third in 7 %; below the second share, in 4 %.
 */
const AHEAD = 0.9;
const FAR_AHEAD = 0.8;
/** Such a share for a query that is a trace: the place that it names comes first, and its callers next. */
export const SHARE_OF_TRACE = 0.85;
/** Results below this share of the best score were right in 1 of 336 judged questions, and in none of 99 in other words. */
const WORTH_SHOWING = 0.5;

/** Instead of a number of lines: all, or the place and symbol alone, which tell where else to look; `codebase_read` shows any of them. */
const ALL = 0;
const NONE = -1;

interface ReplyLines {
  /** Lines in the text for an agent. */
  text: number;
  /** Lines in the document beside it. */
  document: number;
}

/** A longer first result that is ahead of the others. */
const FIRST: ReplyLines = { text: 16, document: 20 };
/** A first result that another one is close behind. */
const DOUBTFUL: ReplyLines = { text: 8, document: 10 };
/** The second and third where the first is not far ahead. */
const NEXT: ReplyLines = { text: 3, document: 10 };
/** Any other result. */
const LISTED: ReplyLines = { text: NONE, document: NONE };
/** A result without lines of its own, where lines around it were asked for. */
const WITH_CONTEXT: ReplyLines = { text: 2, document: 2 };
/** Lines of a result that is not the first, from which a text chooses its own where no document is sent beside it. */
const LINES_TO_CHOOSE_FROM = 20;
/** Ranks below which results have lines. */
const RANKS_WITH_LINES = 3;

type Scored = Pick<FleetSearchDocument['results'][number], 'path' | 'score'>;

/** Share of the first result's score that the best one of another file has. */
export function runnerUp([first, ...others]: readonly Scored[]): number {
  const best = others.find(({ path }) => path !== first.path)?.score ?? 0;
  return first === undefined || first.score <= 0 ? 1 : best / first.score;
}

/** Number of results that an agent is shown without asking for more. */
export function worthShowing(document: object): number {
  const { results = [], window } = document as { results?: readonly Scored[]; window?: object };
  if (window !== undefined || results.length === 0) return Number.POSITIVE_INFINITY;
  const least = WORTH_SHOWING * results[0].score;
  return results.filter(({ score }) => score >= least).length;
}

export interface LinesOf {
  /** Place among the results, from 0. */
  rank: number;
  /** Lines that the result has. */
  length: number;
  /** Share of the first result's score that another file has. */
  runnerUp: number;
  /** Lines that were asked for around each result. */
  context?: number;
}

function replyLines({ rank, length, runnerUp, context = 0 }: LinesOf): ReplyLines {
  if (rank === 0 && runnerUp < AHEAD) return length <= MAX_WHOLE_LINES ? { text: ALL, document: ALL } : FIRST;
  const isRead = rank < RANKS_WITH_LINES && runnerUp >= FAR_AHEAD;
  const lines = rank === 0 ? DOUBTFUL : isRead ? NEXT : LISTED;
  return lines === LISTED && context > 0 ? WITH_CONTEXT : lines;
}

export const textLines = (of: LinesOf): number => replyLines(of).text;

/** Returns how many lines of each text the document has; null for whole texts. */
export function documentLines(
  { server, command }: Asker,
  { lines, stdin }: SearchValues,
): ((of: LinesOf) => number) | null {
  if (server !== undefined) {
    const { skip, maxTokens = REPLY_TOKENS, structured } = server;
    // A small budget gives more results rather than more lines of each.
    const share = Math.min(1, maxTokens / REPLY_TOKENS);
    return (of: LinesOf) => {
      const rank = of.rank - skip;
      const { document } = replyLines({ ...of, rank });
      if (document === NONE || (share === 1 && structured)) return document;
      if (share < 1) return Math.max(MIN_LINES, Math.round((document || FIRST.document) * share));
      if (document === ALL) return ALL;
      return rank === 0 ? MAX_WHOLE_LINES : LINES_TO_CHOOSE_FROM;
    };
  }
  // The terminal's text chooses lines itself.
  const isDocument = command?.json || stdin;
  return isDocument && lines !== undefined ? () => lines : null;
}
