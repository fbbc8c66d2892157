/** Parameters of `search`. */
import { choice, flag, integer, list, text, type Values } from '../../params/param.js';
import {
  context,
  fileFilters,
  inRange,
  kind,
  lang,
  minScore,
  noContent,
  path,
  resultLimit,
  snapshot,
} from '../shared-params.js';
import { TERMINAL_LINES } from './excerpts.js';

/** Parameters of one query: options, and keys of a line of `--stdin`. */
export const queryParams = {
  query: text({
    summary: 'what to look for; several words need no quotes',
    maxLength: 100_000,
    completes: 'symbol',
    cli: { argument: '[query...]' },
  }),
  ...snapshot,
  limit: resultLimit,
  path,
  lang,
  kind,
  in: inRange('only files that are new or changed from A to B; "main.." is what this branch changes'),
  allRefs: flag({ summary: 'search every local and remote branch at once' }),
  commits: flag({ summary: 'search commits instead: their messages, with the files and symbols that they changed' }),
  fleet: flag({ summary: 'search the repositories of the fleet (setting fleet.url) instead of this one' }),
  repo: list({
    summary: 'of the fleet only these repositories, as globs such as "acme/*"; "!glob" excludes; repeatable',
    maxLength: 400,
    cli: { value: 'glob' },
  }),
  linked: flag({ summary: 'search the linked repositories and submodules, too, each as it is checked out' }),
  mode: choice(['hybrid', 'lexical', 'semantic'], {
    summary: 'by words and vectors, words alone, or vectors alone',
    defaultText: 'the setting search.mode',
    cli: { value: 'mode' },
  }),
  minScore,
  ...fileFilters,
  noHistory: flag({ summary: 'order without what messages of earlier commits say of the files that they changed' }),
  explain: flag({ summary: 'show every contribution to the scores' }),
  noContent,
  context,
  lines: integer({
    summary: 'lines to show of each result, the best matching ones; 0 for all',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    defaultText: `${TERMINAL_LINES}; in JSON all`,
    cli: { value: 'n' },
  }),
} as const;

/** Parameters of the command, whose queries may come from stdin. */
export const params = {
  ...queryParams,
  stdin: flag({ summary: 'read queries from stdin, a line each: text, or a JSON object of these options' }),
  jsonl: flag({ summary: 'print one JSON document a line, as for queries from stdin' }),
} as const;

export type SearchValues = Values<typeof params>;
