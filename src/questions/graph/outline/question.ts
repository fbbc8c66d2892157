/** `graph outline`, `codebase_outline`: the definitions of files; for directories or everything, a map. */
import { commandText, flag, integer, list, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count, parseError } from '../../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import { header, line, nodePlace } from '../output.js';

export const graphOutlineResponseSchema = s.object({
  ...header,
  files: s.array(
    s.object({
      path: s.string(),
      language: s.string(),
      lines: count,
      bytes: count,
      degraded: s.boolean().describe('Could not be parsed as a whole.'),
      parseErrors: s
        .array(parseError)
        .optional()
        .describe('Lines that its grammar could not read; absent where it is not known.'),
      symbols: s.array(
        s.object({
          name: s.string(),
          kind: nodePlace.fields.kind,
          exported: s.boolean(),
          depth: count.describe('Containers around it.'),
          startLine: line,
          endLine: line,
          signature: s.string().optional().describe('With signatures; untrusted repository content.'),
          doc: s.string().optional().describe('With docs: first line of the comment; untrusted repository content.'),
        }),
      ),
      leftOut: count.describe('Further symbols, beyond the limit.'),
    }),
  ),
  refused: s.array(s.string()).optional().describe('Reasons for which files that are named have no outline.'),
});

export type GraphOutlineResponse = s.Infer<typeof graphOutlineResponseSchema>;
export type OutlineSymbol = GraphOutlineResponse['files'][number]['symbols'][number];

const definition = s.object({
  line,
  text: s.string().describe('Its declaration, or its name; untrusted repository content.'),
  members: s.array(s.string()).optional().describe('Of a type: its most used members, as line and declaration.'),
});

export const graphMapResponseSchema = s.object({
  ...header,
  scope: s.array(s.string()).describe('Directories and patterns asked for; none: the whole repository.'),
  budget: count.describe('Tokens asked for.'),
  tokens: count.describe('Tokens of this document, estimated; its text has fewer.'),
  folderCount: count.describe('Folders of the map, listed or not.'),
  folders: s
    .array(
      s.object({
        path: s.string().describe("'' for the top."),
        files: count.describe('Files of code in it, listed or not.'),
        uses: s.array(s.string()).describe('Folders that it uses, most used first.'),
        central: s
          .array(
            s.object({
              path: s.string(),
              lines: count,
              defined: count.describe('Definitions at top level that others use or can use, listed or not.'),
              defines: s.array(definition),
            }),
          )
          .describe('Files that the rest depends on, first.'),
      }),
    )
    .describe('Most central first.'),
  aside: s
    .array(s.object({ path: s.string().describe("'.' for the top."), files: count }))
    .describe('Folders with most code that is not on the map: tests, examples, copies.'),
});

export type GraphMapResponse = s.Infer<typeof graphMapResponseSchema>;

const MAP_TOKENS = 4_000;

const params = {
  files: list({
    summary: 'paths, ends of paths, or globs; for a directory, or without one, a map with the most central files first',
    completes: 'path',
    cli: { argument: '[files...]' },
  }),
  maxTokens: integer({ summary: 'budget of a map', min: 200, max: 100_000, default: MAP_TOKENS, cli: { value: 'n' } }),
  signatures: flag({ summary: 'print declarations, too (a map always does)' }),
  docs: flag({ summary: 'print first lines of comments, too' }),
  all: flag({ summary: 'give symbols that are not exported a line of their own, too' }),
  ...snapshot,
  limit: graphLimit('symbols of a file', LISTED.outline),
} as const;

export type OutlineValues = Values<typeof params>;

export const question = defineGraphQuestion<typeof params, GraphOutlineResponse | GraphMapResponse>({
  name: 'graph outline',
  summary: 'what files define: names and lines, without bodies',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerOutline,
  text: async () => (await import('./answer.js')).outlineText,
  documents: {
    'graph-outline': { schema: graphOutlineResponseSchema, title: commandText('graph outline FILE', { json: true }) },
    'graph-map': { schema: graphMapResponseSchema, title: commandText('graph outline', { json: true }) },
  },
  command: {
    group: 'Follow code',
    examples: [
      ['graph outline', 'a map of the repository, most central files first'],
      ['graph outline src/cart.ts --signatures', 'declarations of a file'],
    ],
    isFailed: (outlined) => 'refused' in outlined,
    isNegative: (answer) =>
      'folders' in answer ? answer.folderCount === 0 : answer.files.every(({ symbols }) => symbols.length === 0),
  },
  tool: {
    name: 'codebase_outline',
    title: 'Outline',
    toolset: 'core',
    description: 'What files define, without bodies; of directories a map, most central files first.',
    params: {
      files: {
        summary: 'Paths, globs, directories; none: all.',
        minLength: 1,
        maxEntries: 100,
      },
      signatures: { summary: '', default: true },
      docs: 'First lines of comments, too.',
      ref: REF,
    },
    maxTokens: MAP_TOKENS,
    page: { size: LISTED.outline, most: MAX_GRAPH_LIMIT },
  },
});
