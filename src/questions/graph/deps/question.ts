/** `graph deps`, `codebase_graph_query`: what a file imports, and which files import it. */
import { flag, integer, text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count } from '../../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { DEPS_DEPTH, defineGraphQuestion, LISTED } from '../graph-question.js';
import { edgeKind, header, incomplete, line, some } from '../output.js';

const fileStateSchema = s
  .enum(['linked', 'none', 'degraded', 'unreadable'])
  .describe('What is known of it; none: nothing of calls in its language.');

const link = s.object({
  path: s.string(),
  kinds: s.array(edgeKind).describe('Kinds of imports; empty where it is used without one.'),
  lines: s.array(line).describe('Lines of the imports, or of uses where there are none; the first few.'),
  names: some(s.string()).describe('Symbols used, most used first.'),
});

const outside = s.object({ specifier: s.string(), kind: edgeKind, line });

const reached = s.object({ path: s.string(), hops: count, via: s.string().describe('The file before it.') });

const facts = {
  file: s.object({ path: s.string(), language: s.string(), state: fileStateSchema, lines: count }),
  imports: some(link),
  external: some(outside).describe('Packages and standard libraries.'),
  unresolved: some(outside).describe('Imports that should lead to a file and do not.'),
  dependents: some(link).describe('Files that import or use it.'),
  transitive: s
    .object({ depth: count, imports: some(reached), dependents: some(reached) })
    .optional()
    .describe('With transitive: imports of imports, and so on.'),
};

export const graphDepsResponseSchema = s.object({
  ...header,
  ...incomplete,
  target: s.string(),
  ...facts,
});

export type GraphDepsResponse = s.Infer<typeof graphDepsResponseSchema>;
/** The imports of a file without the header of the answer. */
export type Deps = s.InferFields<typeof facts>;
/** An import that leads to no file of the repository. */
export type OutsideImport = s.Infer<typeof outside>;
/** A file at the end of a chain of imports. */
export type Reached = s.Infer<typeof reached>;

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
  text: async () => (await import('./answer.js')).depsText,
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
