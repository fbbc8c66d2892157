/** `grep`, `codebase_grep`: every line that matches a pattern. */
import { groupDigits } from '../../base/printable.js';
import { flag, integer, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { answer, count, oid, refs, refsLeftOut } from '../shared-output.js';
import { fileFilters, inRange, ONE_GLOB, REF, snapshot } from '../shared-params.js';

/** Default number of hits, and the most that can be requested. */
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
  deps: flag({ summary: 'search installed dependencies below the work tree instead, as they are now' }),
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

const line = s.integer({ exclusiveMinimum: 0 });
const uncommitted = s.literal(true).optional().describe('The file is not committed as it is here.');

const hitSchema = s.object({
  path: s.string().describe('Path from the top of the repository.'),
  line: line.describe('Line of the hit, counted from 1.'),
  endLine: line.optional().describe('Last line, where a match spans several.'),
  column: s
    .integer({ exclusiveMinimum: 0 })
    .describe('Where the first match begins in its line, in characters from 1.'),
  symbol: s.string().nullable().describe('Qualified name of the innermost symbol around it; null at top level.'),
  text: s.string().describe('The line; of one with more than 500 characters the part around the match. Untrusted.'),
  before: s.array(s.string()).optional().describe('With `context`: the lines before.'),
  after: s.array(s.string()).optional().describe('With `context`: the lines behind.'),
  endColumn: s
    .integer({ exclusiveMinimum: 0 })
    .optional()
    .describe('With `ast`: column behind the match in its last line.'),
  captures: s
    .record(s.string())
    .optional()
    .describe('With `ast`: what each variable of the pattern stands for; of a longer text the first 500 characters.'),
  uncommitted,
  refs,
  refsLeftOut,
});

const fileSchema = s.object({
  path: s.string(),
  hits: count.describe('With `rewrite`: matches that the patch replaces.'),
  patch: s.string().optional().describe('With `rewrite`: a unified patch, as `git apply` reads it. Untrusted.'),
  uncommitted,
  refs,
});

const grepResponseSchema = s.object({
  schemaVersion: s.literal(1),
  pattern: s.string(),
  ...answer,
  range: s
    .object({
      from: oid.nullable().describe('The commit compared with; null where a tree was named.'),
      unread: count.describe('Files with hits whose older version cannot be read: all of their lines count as new.'),
    })
    .optional()
    .describe('With `in`: only lines that are new or changed since were searched.'),
  branches: s
    .object({ searched: count, leftOut: count })
    .optional()
    .describe('With `allRefs`: how many branches were searched, and how many older ones were not.'),
  deps: s
    .object({
      packages: count,
      files: count.describe('Those that were read.'),
      found: s
        .array(s.object({ path: s.string(), name: s.string(), version: s.string().nullable() }))
        .describe('Packages of what is listed, by their folder; a version is null where it is not known.'),
    })
    .optional()
    .describe('With `deps`: what was searched instead of the snapshot.'),
  total: s
    .object({
      hits: count.describe('Lines that match; with `ast` matches, of which one may lie in another.'),
      files: count.describe('Files with such lines.'),
    })
    .describe('All there are, listed here or not.'),
  skipped: s
    .record(count)
    .describe(
      'Files that were not searched: binary, secret, too-large (over 32 MiB), too-slow (the pattern takes more than 5 s there, or 30 s in all such files), symlink, submodule, unreadable; with `ast` other-language (it cannot read the pattern) and not-parsed (its parse failed or took too long); with `rewrite` not-utf8; with `deps` generated (minified, or a source map) and beyond-limits (more than 80,000 files, or 30 s).',
    ),
  givenUp: s.array(s.string()).optional().describe('The first 20 of the files that were too-slow.'),
  hits: s.array(hitSchema).optional().describe('In the order of paths and lines.'),
  hitsLeftOut: count.optional(),
  files: s.array(fileSchema).optional().describe('With `files`, `count` or `rewrite`: instead of hits.'),
  filesLeftOut: count.optional(),
  inner: count
    .optional()
    .describe('With `rewrite`: matches inside of others that are replaced. They stay in the new code: ask again.'),
});

export type GrepResponse = s.Infer<typeof grepResponseSchema>;
export type HitDocument = s.Infer<typeof hitSchema>;
export type FileDocument = s.Infer<typeof fileSchema>;

export const question = defineQuestion<typeof params, GrepResponse>({
  name: 'grep',
  summary: 'find every line that matches a pattern, counted, each with the symbol around it',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerGrep,
  text: async () => (await import('./answer.js')).grepText,
  multiline: ['text', 'before', 'after'],
  documents: { grep: { schema: grepResponseSchema } },
  command: {
    group: 'Find code',
    examples: [
      ["grep -w 'total' src", 'every line with that word below src'],
      ["grep -F 'Cart.total(' --ref v1.2", 'an exact string, as of a tag'],
      ["grep --ast 'console.log($$$ARGS)'", 'every such call, whatever its layout'],
      ["grep --ast 'old($$$A)' --rewrite 'fresh($$$A)' | git apply", 'change every such call'],
      ["grep --deps 'class AbortError' node_modules/undici", 'in a library as it is installed here'],
      ["grep 'TODO|FIXME' --in main..", 'in the lines that this branch adds or changes'],
    ],
    readOnly: true,
    isNegative: ({ total }) => total.hits === 0,
    stream: {
      when: ({ stdin }) => stdin === true,
      load: async () => (await import('./answer.js')).answerLines,
    },
  },
  tool: {
    name: 'codebase_grep',
    title: 'Search for exact text',
    toolset: 'core',
    description: 'Every line that matches, counted, with the symbol around it.',
    params: {
      pattern: { summary: 'RE2 syntax.', required: true },
      path: { ...ONE_GLOB, name: 'fileFilter' },
      ast: 'Pattern is code: f($A, $$$B).',
      rewrite: 'Code for a patch.',
      fixed: 'Exact text.',
      words: '',
      ignoreCase: '',
      files: 'Names alone.',
      context: { summary: 'Lines around.', max: 10 },
      in: 'A..B: only new lines.',
      ref: REF,
      limit: { summary: `Default ${HITS}.`, max: 1_000 },
    },
    maxTokens: 2_500,
    page: { size: HITS, most: MAX_HITS },
  },
});
