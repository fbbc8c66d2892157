/** `graph deps`, `codebase_graph_query`: what a file imports, and which files import it. */
import { flag, integer, text, type Values } from '../../../params/param.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { DEPS_DEPTH, LISTED } from '../limits.js';
import { graphDepsResponseSchema } from './output.js';

const params = {
  file: text({
    summary: 'a path, or the end of one',
    required: true,
    completes: 'path',
    cli: { argument: '<file>' },
  }),
  transitive: flag({ summary: 'imports of imports, too' }),
  depth: integer({
    summary: `levels of imports; implies transitive, which alone means ${DEPS_DEPTH}`,
    min: 1,
    max: 100,
    cli: { value: 'n' },
  }),
  ...snapshot,
  limit: graphLimit('entries of each list', LISTED.deps),
} as const;

export type DepsValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph deps',
  summary: 'what a file imports, and which files import it',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerDeps,
  text: async () => (await import('./text.js')).depsText,
  documents: { 'graph-deps': { schema: graphDepsResponseSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph deps src/cart.ts', 'imports and importers of a file'],
      ['graph deps src/cart.ts --depth 3', 'those within three hops, too'],
    ],
    isNegative: ({ imports, external, unresolved, dependents }) =>
      [imports, external, unresolved, dependents].every(({ list }) => list.length === 0),
  },
  tool: {
    name: 'codebase_graph_query',
    title: 'Imports of a file',
    toolset: 'graph',
    description: 'What a file imports, and which files import it.',
    params: { file: { name: 'filePath', summary: '' }, ref: REF },
    maxTokens: 3_000,
    page: { size: LISTED.deps, most: MAX_GRAPH_LIMIT },
  },
});
