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
        score: s.number({ minimum: 0, maximum: 1 }).describe('Fraction of the score of the best result, from 0 to 1.'),
        paths: s.array(s.string()).describe('Files that it changed, by the names that they have now; none of a merge.'),
        files: count.describe('Number of files that it changed.'),
        symbols: s.array(s.string()).describe('Symbols that it changed, where the best results were compared.'),
        symbolsLeftOut: count.describe('Further symbols.'),
        mentions: s.array(mention).describe('Pull requests and issues that the message names.'),
      }),
    )
    .describe('Best first.'),
  resultsLeftOut: count.describe('Further commits that have a word of the query.'),
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

/**
 * Lines of a result by its rank, in the text and in the document: 0 for all, -1 for its place and symbol alone. Agents read the first
 * results; the others only tell where else to look, and `codebase_read` shows any of them.
 */
const REPLY_LINES = [
  { upTo: 1, text: 16, document: 0 },
  { upTo: 3, text: 5, document: 10 },
  { upTo: Infinity, text: -1, document: -1 },
] as const;
/** Lines up to which the first result is shown whole. */
const SHORT = 40;
/** Lines that replace a whole first result in a small budget. */
const WHOLE = 20;
/** Lines of a further result where lines around it were asked for. */
const WITH_CONTEXT = 2;

const replyLines = (rank: number) => REPLY_LINES.find(({ upTo }) => rank < upTo) ?? REPLY_LINES[0];

export const textLines = (rank: number, length: number, context = 0): number => {
  if (rank === 0 && length <= SHORT) return 0;
  const { text } = replyLines(rank);
  return text < 0 && context > 0 ? WITH_CONTEXT : text;
};

/** Lines of each text in the document, by rank, or null for whole texts. */
export function documentLines({ server, command }: Asker, { lines, stdin, context = 0 }: SearchValues) {
  if (server !== undefined) {
    const { skip, maxTokens = REPLY_TOKENS } = server;
    // A small budget gives more results rather than more lines of each.
    const share = Math.min(1, maxTokens / REPLY_TOKENS);
    return (rank: number) => {
      const { document } = replyLines(rank - skip);
      if (document < 0) return context > 0 ? WITH_CONTEXT : document;
      if (share === 1) return document;
      return Math.max(MIN_LINES, Math.round((document || WHOLE) * share));
    };
  }
  // The terminal's text chooses lines itself.
  const isDocument = command?.json || stdin;
  return isDocument && lines !== undefined ? () => lines : null;
}
