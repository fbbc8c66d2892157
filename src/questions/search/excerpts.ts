/** Number of lines shown of each result, by surface. */
import type { Asker } from '../asker.js';
import type { SearchValues } from './question.js';

/** Lines of each result in a terminal. */
export const TERMINAL_LINES = 8;
/** Defaults for agents: tokens of a reply, and results on its page. */
export const REPLY_TOKENS = 2_500;
export const PAGE_SIZE = 10;

/** Fewest lines that show whether a result is relevant. */
const MIN_LINES = 3;

/**
 * Lines of a result by its rank, 0 for all, in the text and in the document: agents read the first results most. Over 72 judged queries, a
 * reply with ten results takes 892 tokens on average, first line, named parts and cursor included; whole results take 1,398 without
 * headings. The texts of the document take 719, and have 94 % of the query's words that whole results have.
 */
const REPLY_LINES = [
  { upTo: 1, text: 0, document: 0 },
  { upTo: 4, text: 5, document: 10 },
  { upTo: 7, text: 3, document: 5 },
  { upTo: Infinity, text: 2, document: 5 },
] as const;
/** Lines that replace a whole first result in a small budget. */
const WHOLE = 20;

const replyLines = (rank: number) => REPLY_LINES.find(({ upTo }) => rank < upTo) ?? REPLY_LINES[0];

export const textLines = (rank: number): number => replyLines(rank).text;

/** Lines of each text in the document, by rank, or null for whole texts. */
export function documentLines({ server, command }: Asker, { lines, stdin }: SearchValues) {
  if (server !== undefined) {
    const { skip, maxTokens = REPLY_TOKENS } = server;
    // A small budget gives more results rather than more lines of each.
    const share = Math.min(1, maxTokens / REPLY_TOKENS);
    return (rank: number) => {
      const { document } = replyLines(rank - skip);
      if (share === 1) return document;
      return Math.max(MIN_LINES, Math.round((document || WHOLE) * share));
    };
  }
  // The terminal's text chooses lines itself.
  const isDocument = command?.json || stdin;
  return isDocument && lines !== undefined ? () => lines : null;
}
