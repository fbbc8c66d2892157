/** Shapes of answers that a search gives besides its own: commits and places in a fleet; and the lines shown of each result, by surface. */
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

/** Lines of each result in a terminal. */
export const TERMINAL_LINES = 8;
/** Defaults for agents: tokens of a reply, and results on its page. */
export const REPLY_TOKENS = 2_500;
export const PAGE_SIZE = 10;

/** Fewest lines that show whether a result is relevant. */
const MIN_LINES = 3;
/** Lines up to which a definition is one result, with all of the parts that it is indexed in. */
export const DEFINITION = 400;
/** Lines up to which the first result is shown whole, if it is ahead of the others. */
const SHORT = 40;
/** Lines of a result where lines around it were asked for, but none of its own would be shown. */
const WITH_CONTEXT = 2;
/**
 * Shares of the first result's score that the best one of another file has. Below the first, the first result is right in 88 % of judged questions
 * (others: 59 %), and the second or third in 7 %; below the second share, in 4 %.
 */
const AHEAD = 0.9;
const FAR_AHEAD = 0.8;
/** Share where a trace names the place: it comes first, and its callers next. */
export const TRACED = 0.85;
/** Results below this share of the best score were right in 1 of 336 judged questions, and in none of 99 in other words. */
const WORTH = 0.5;

interface ReplyLines {
  text: number;
  document: number;
}

/** Lines by rank: 0 for all, -1 for the place and symbol alone, which tell where else to look; `codebase_read` shows any of them. */
const FIRST: ReplyLines = { text: 16, document: 20 };
const DOUBTFUL: ReplyLines = { text: 8, document: 10 };
const NEXT: ReplyLines = { text: 3, document: 10 };
const LISTED: ReplyLines = { text: -1, document: -1 };
/** Lines from which a text chooses its own, where no document is sent beside it. */
const ROOM = 20;
/** Ranks below which results have lines. */
const WITH_LINES = 3;

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
  const least = WORTH * results[0].score;
  return results.filter(({ score }) => score >= least).length;
}

export interface LinesOf {
  rank: number;
  /** Lines that the result has. */
  length: number;
  /** Share of the first result's score that another file has. */
  runnerUp: number;
  context?: number;
}

function replyLines({ rank, length, runnerUp, context = 0 }: LinesOf): ReplyLines {
  if (rank === 0 && runnerUp < AHEAD) return length <= SHORT ? { text: 0, document: 0 } : FIRST;
  const isRead = rank < WITH_LINES && runnerUp >= FAR_AHEAD;
  const { text, document } = rank === 0 ? DOUBTFUL : isRead ? NEXT : LISTED;
  return text < 0 && context > 0 ? { text: WITH_CONTEXT, document: WITH_CONTEXT } : { text, document };
}

export const textLines = (of: LinesOf): number => replyLines(of).text;

/** Lines of each text in the document, or null for whole texts. */
export function documentLines({ server, command }: Asker, { lines, stdin }: SearchValues) {
  if (server !== undefined) {
    const { skip, maxTokens = REPLY_TOKENS, structured } = server;
    // A small budget gives more results rather than more lines of each.
    const share = Math.min(1, maxTokens / REPLY_TOKENS);
    return (of: LinesOf) => {
      const rank = of.rank - skip;
      const { document } = replyLines({ ...of, rank });
      if (document < 0 || (share === 1 && structured)) return document;
      if (share === 1) return document === 0 ? 0 : rank === 0 ? SHORT : ROOM;
      return Math.max(MIN_LINES, Math.round((document || FIRST.document) * share));
    };
  }
  // The terminal's text chooses lines itself.
  const isDocument = command?.json || stdin;
  return isDocument && lines !== undefined ? () => lines : null;
}
