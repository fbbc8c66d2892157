/** Parameters of `similar`. */
import { integer, text, type Values } from '../../params/param.js';
import {
  context,
  fileFilters,
  kind,
  lang,
  minScore,
  noContent,
  path,
  resultLimit,
  snapshot,
} from '../shared-params.js';

/** Longest snippet, in UTF-16 code units: vectors are of a thousand, and a whole file may be pasted. */
export const MAX_SNIPPET = 100_000;

export const params = {
  place: text({
    summary:
      'a file, from the current directory or the top, and a line: src/index.ts:42; "-" reads a snippet of code from stdin',
    completes: 'path',
    cli: { argument: '[place]' },
  }),
  snippet: text({
    summary: 'code to compare with instead of a place, saved nowhere',
    minLength: 1,
    maxLength: MAX_SNIPPET,
    cli: { value: 'code' },
  }),
  ...snapshot,
  limit: resultLimit,
  path,
  lang,
  kind,
  minScore,
  ...fileFilters,
  noContent,
  context,
  lines: integer({
    summary: 'lines shown of each result, 0 for all',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 8,
    cli: { value: 'n' },
  }),
} as const;

export type SimilarValues = Values<typeof params>;
