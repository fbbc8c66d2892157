/** `graph outline`, `codebase_outline`: what files define; of directories or everything, a map. */
import { commandText } from '../../../params/command-line.js';
import { flag, integer, list, type Values } from '../../../params/param.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED } from '../limits.js';
import type { GraphMapResponse } from './map/output.js';
import { graphMapResponseSchema } from './map/output.js';
import type { GraphOutlineResponse } from './output.js';
import { graphOutlineResponseSchema } from './output.js';

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
  text: async () => (await import('./text.js')).outlineText,
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
    isNegative: (answer) =>
      'folders' in answer ? answer.folderCount === 0 : answer.files.every(({ symbols }) => symbols.length === 0),
  },
  tool: {
    name: 'codebase_outline',
    title: 'Outline',
    toolset: 'core',
    description: 'What files define, without bodies; of directories or everything a map, most central files first.',
    params: {
      files: {
        summary: 'Paths, globs, directories; none: map of the repository.',
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
