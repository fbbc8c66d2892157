/** `graph unused`, `codebase_graph_unused`: definitions that nothing reaches. */
import { choice, flag, text, type Values } from '../../../params/param.js';
import { graphLimit, MAX_GRAPH_LIMIT, ONE_GLOB, path, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED } from '../limits.js';
import { graphUnusedResponseSchema } from './output.js';

const params = {
  path,
  minCertainty: choice(['certain', 'likely', 'possible'], {
    summary: 'list what is less certain, too',
    defaultText: 'certain; of what becomes unused, likely',
    cli: { value: 'level' },
  }),
  if: text({
    summary: 'only what becomes unused if this symbol or file is deleted',
    minLength: 1,
    completes: 'symbol',
    cli: { value: 'target' },
  }),
  since: flag({ summary: 'find the commit that removed the last use of each' }),
  tests: flag({ summary: 'definitions in tests, too' }),
  ...snapshot,
  limit: graphLimit('definitions', LISTED.unused),
} as const;

export type UnusedValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph unused',
  summary:
    'functions, types and values that nothing reaches, and why that is certain or not; exits with 1 if there are none',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerUnused,
  text: async () => (await import('./text.js')).unusedText,
  documents: { 'graph-unused': { schema: graphUnusedResponseSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph unused', 'code that can go'],
      ['graph unused --min-certainty likely --path "src/**"', 'exported code, too, in one folder'],
      ['graph unused --if Cart.total', 'what becomes unused with a method'],
    ],
    isNegative: ({ unused }) => unused.list.length === 0,
  },
  tool: {
    name: 'codebase_graph_unused',
    title: 'Unused code',
    toolset: 'graph',
    description: 'Functions, types, fields and constants that nothing reaches, each with its certainty and the reason.',
    params: {
      path: ONE_GLOB,
      minCertainty:
        'likely: exported code, too; possible: what something may use unseen. Default: certain; with if, likely.',
      if: 'Symbol or file: what becomes unused if it is deleted.',
      ref: REF,
    },
    maxTokens: 3_000,
    page: { size: LISTED.unused, most: MAX_GRAPH_LIMIT },
  },
});
