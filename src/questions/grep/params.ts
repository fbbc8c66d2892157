/** Parameters of `grep`. */
import { groupDigits } from '../../base/digits.js';
import { flag, integer, list, text, type Values } from '../../params/param.js';
import { fileFilters, inRange, snapshot } from '../shared-params.js';

/** Hits of an answer where no limit is given, and most that can be asked for. */
export const HITS = 100;
export const MAX_HITS = 10_000;
/** Most lines of context on each side of a hit. */
const MAX_CONTEXT = 50;

/** Parameters of one pattern: options, and keys of a line of `--stdin`. */
export const patternParams = {
  pattern: text({
    summary: 'a regular expression in the syntax of RE2, an exact string, or code',
    minLength: 1,
    maxLength: 10_000,
    cli: { argument: '[pattern]' },
  }),
  path: list({
    summary: 'only these paths; "!glob" excludes',
    maxLength: 512,
    globs: true,
    completes: 'path',
    cli: { argument: '[path...]' },
  }),
  ast: flag({
    summary: 'the pattern is code that matches syntax, as in ast-grep: $A is one node, $$$ARGS any number',
  }),
  language: list({
    summary: 'only files of these languages, of a search by syntax; repeatable',
    maxLength: 64,
    commas: true,
    completes: 'language',
    cli: { value: 'id' },
  }),
  rewrite: text({
    summary: 'with ast: print a patch that replaces each match by this code, which may hold variables of the pattern',
    maxLength: 10_000,
    cli: { value: 'code' },
  }),
  fixed: flag({ summary: 'take the pattern as an exact string', cli: { short: '-F' } }),
  words: flag({ summary: 'only whole words', cli: { short: '-w', option: 'word' } }),
  ignoreCase: flag({ summary: 'upper and lower case are the same', cli: { short: '-i' } }),
  multiline: flag({
    summary: 'let a match span lines (a pattern with "\\n" always may)',
    cli: { short: '-U' },
  }),
  files: flag({ summary: 'list only the files with hits', cli: { short: '-l', option: 'files-with-matches' } }),
  count: flag({ summary: 'list the number of hits of each file', cli: { short: '-c' } }),
  context: integer({
    summary: 'lines around each hit',
    min: 0,
    max: MAX_CONTEXT,
    default: 0,
    cli: { short: '-C', value: 'n' },
  }),
  ...snapshot,
  ...fileFilters,
  uses: { ...fileFilters.uses, summary: 'only files that use this symbol, as the graph has it' },
  in: inRange('only lines that are new or changed from A to B; "main.." is what this branch changes'),
  allRefs: flag({ summary: 'search every local and remote branch at once' }),
  limit: integer({
    summary: 'hits, files or patches listed; all are counted',
    min: 1,
    max: MAX_HITS,
    defaultText: `${HITS}; of files and patches ${groupDigits(MAX_HITS)}`,
    cli: { value: 'n' },
  }),
} as const;

/** Parameters of the command, whose patterns may come from stdin. */
export const params = {
  ...patternParams,
  expression: text({
    summary: 'the pattern, for one that begins with "-"',
    minLength: 1,
    maxLength: 10_000,
    cli: { short: '-e', option: 'regexp', value: 'pattern' },
  }),
  glob: list({
    summary: 'only these paths, as those behind the pattern; repeatable',
    maxLength: 512,
    globs: true,
    completes: 'path',
    cli: { short: '-g', value: 'glob' },
  }),
  lineNumbers: flag({
    summary: 'accepted for habit: lines are always numbered',
    cli: { short: '-n', option: 'line-number' },
  }),
  stdin: flag({ summary: 'read patterns from stdin, a line each: text, or a JSON object of these options' }),
} as const;

export type GrepValues = Values<typeof params>;
