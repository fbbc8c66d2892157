/** Parameters of `history`, and how much of each result is shown. */
import { groupDigits } from '../../base/digits.js';
import { flag, integer, text, type Values } from '../../params/param.js';
import { committedRef, MAX_RESULTS, noContent, path } from '../shared-params.js';

/** Commits walked for a query by words, which reads every file version; a name is looked up by git. */
export const MAX_WORD_COMMITS = 1_000;
/** Lines of each result that agents are shown: enough to tell what it is. */
export const REPLY_LINES = 6;

export const params = {
  query: text({
    summary: 'a symbol (Cart.total), or what the code is about',
    maxLength: 100_000,
    completes: 'symbol',
    cli: { argument: '[query...]' },
  }),
  ref: committedRef,
  limit: integer({ summary: 'results', min: 1, max: MAX_RESULTS, default: 10, cli: { short: '-n', value: 'n' } }),
  commits: flag({ summary: 'search commits instead: their messages, with the files and symbols that they changed' }),
  deleted: flag({ summary: 'only code that is gone' }),
  words: flag({ summary: 'treat a single name as a word, not as a symbol' }),
  maxCommits: integer({
    summary: 'walk at most this many commits',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    defaultText: `all for a symbol, ${groupDigits(MAX_WORD_COMMITS)} for words`,
    cli: { value: 'n' },
  }),
  since: text({
    summary: 'walk only commits since this date: 2024-05-31, "3 months ago"',
    maxLength: 64,
    cli: { value: 'date' },
  }),
  path,
  events: flag({ summary: 'list every event of each result' }),
  noContent,
  lines: integer({
    summary: 'lines shown of each result, 0 for all',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 4,
    cli: { value: 'n' },
  }),
} as const;

export type HistoryValues = Values<typeof params>;
