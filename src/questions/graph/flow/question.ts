/** `graph flow`, `codebase_flow`: everything that an entry point runs, or the list of entry points. */
import { commandText, integer, text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count } from '../../shared-output.js';
import { file, graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import { confidence, header, incomplete, likelyStep, line, nodePlace, requested, some, stepKind } from '../output.js';

const node = nodePlace.extend({
  depth: count.describe('0 for the entry; children follow their parent.'),
  line: count.describe("Line of the parent's file that leads here; 0 for the entry."),
  use: stepKind(['override', 'entry']).describe('override: it may run instead of the member above.'),
  confidence,
  likely: likelyStep,
  external: count.describe('Calls that lead out of the repository.'),
  unresolved: count.describe('Calls whose target is not known.'),
  ends: s
    .array(
      s.object({
        line,
        text: s.string().describe('As written; untrusted repository content.'),
        why: s
          .enum(['ambiguous', 'unresolved', 'unnamed'])
          .describe('Several definitions fit; there are some, but which is not known; nothing here has that name.'),
      }),
    )
    .optional()
    .describe('The first five of these calls, and why the flow ends there.'),
  seen: s
    .enum(['above', 'below', 'cycle'])
    .optional()
    .describe('Its calls are listed elsewhere in the tree, or it calls itself in a circle.'),
  deeper: count.optional().describe('Calls that are not listed: beyond the depth.'),
});

export const graphFlowResponseSchema = s.object({
  ...header,
  ...incomplete,
  ...requested,
  depth: count,
  reached: count.describe('Different functions that it reaches within the depth.'),
  tree: some(node),
});

const entry = nodePlace.extend({
  label: s.string().optional().describe('Name of the command.'),
  calls: count.describe('Different things of the repository that it runs directly.'),
});

const route = s.object({
  method: s.string(),
  route: s.string().describe('Untrusted repository content.'),
  path: s.string(),
  line,
  handler: nodePlace.nullable(),
});

const entries = {
  mains: some(entry).describe('Main functions.'),
  bins: some(entry).describe('Files that are commands.'),
  routes: some(route),
  scripts: some(entry).describe('Files whose top level calls something and that nothing imports.'),
  tests: s.object({
    files: count,
    folders: some(s.object({ folder: s.string(), files: count })),
  }),
  uncalled: some(entry).describe('Exported functions that nothing here calls.'),
};

export const graphEntriesResponseSchema = s.object({
  ...header,
  ...entries,
});

export type GraphFlowResponse = s.Infer<typeof graphFlowResponseSchema>;
export type GraphEntriesResponse = s.Infer<typeof graphEntriesResponseSchema>;
export type FlowNode = s.Infer<typeof node>;
/** The tree without the header of the answer. */
export type Flow = Pick<GraphFlowResponse, 'tree' | 'reached'>;
/** The entry points without the header of the answer. */
export type Entries = s.InferFields<typeof entries>;
export type Entry = s.Infer<typeof entry>;
/** A path of a server, and the function that answers there; null for an expression, and for one that could not be resolved. */
export type Route = s.Infer<typeof route>;

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

/** Lines of a tree, and entry points of each kind, on a page. */
const PAGE = { tree: 100, entries: 20 };

export const question = defineGraphQuestion<typeof params, GraphFlowResponse | GraphEntriesResponse>({
  name: 'graph flow',
  summary: 'what a function, or another entry point, runs: a tree of calls',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerFlow,
  text: async () => (await import('./answer.js')).flowText,
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
