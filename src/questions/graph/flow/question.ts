/** `graph flow`, `codebase_flow`: what runs when an entry point runs; without one, the entry points. */
import { commandText } from '../../../params/command-line.js';
import { integer, text, type Values } from '../../../params/param.js';
import { file, graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED } from '../limits.js';
import type { GraphEntriesResponse, GraphFlowResponse } from './output.js';
import { graphEntriesResponseSchema, graphFlowResponseSchema } from './output.js';

const params = {
  entry: text({
    summary: 'a function, method, class or file; without one, entry points are listed',
    completes: 'symbol',
    cli: { argument: '[entry]' },
  }),
  file,
  depth: integer({ summary: 'levels of calls', min: 1, max: 10, default: 5, cli: { value: 'n' } }),
  ...snapshot,
  limit: graphLimit('lines of the tree, or entry points of a kind', `${LISTED.flow}, or ${LISTED.entries}`),
} as const;

export type FlowValues = Values<typeof params>;

/** Lines of a tree, and entry points of a kind, on a page. */
const PAGE = { tree: 100, entries: 20 };

export const question = defineGraphQuestion<typeof params, GraphFlowResponse | GraphEntriesResponse>({
  name: 'graph flow',
  summary: 'what a function, or another entry point, runs: a tree of calls',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerFlow,
  text: async () => (await import('./text.js')).flowText,
  documents: {
    'graph-flow': { schema: graphFlowResponseSchema, title: commandText('graph flow ENTRY', { json: true }) },
    'graph-entries': { schema: graphEntriesResponseSchema, title: commandText('graph flow', { json: true }) },
  },
  command: {
    group: 'Follow code',
    examples: [
      ['graph flow', 'main functions, commands, routes, scripts and tests'],
      ['graph flow Cart.checkout --depth 2', 'calls of a method, and their calls'],
    ],
    isNegative: (answer) => ('tree' in answer ? answer.tree.list.length <= 1 : isEmpty(answer)),
  },
  tool: {
    name: 'codebase_flow',
    title: 'Flow of calls',
    toolset: 'graph',
    description: 'What runs when an entry point runs, as a tree; without one, the entry points there are.',
    params: {
      entry: {
        name: 'entrypoint',
        summary: 'Function, method, class or file; default: lists entry points.',
      },
      file: 'File or directory the entry point is defined in.',
      depth: 'Calls below calls; default {default}.',
      ref: REF,
    },
    maxTokens: 5_000,
    page: { size: ({ entry }) => (entry === undefined ? PAGE.entries : PAGE.tree), most: MAX_GRAPH_LIMIT },
  },
});

function isEmpty({ mains, bins, routes, scripts, tests, uncalled }: GraphEntriesResponse): boolean {
  return [mains, bins, routes, scripts, uncalled].every(({ list }) => list.length === 0) && tests.files === 0;
}
