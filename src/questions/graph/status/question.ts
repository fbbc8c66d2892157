/** `graph status`, `codebase_graph_status`, `codebase_graph_build`: whether the graph of a ref is linked; links it in the background. */
import { commandText, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { extension, extraExtensions } from '../../index/question.js';
import { type AnyQuestion, defineQuestion } from '../../question.js';
import { count, oid } from '../../shared-output.js';
import { committedRef, REF } from '../../shared-params.js';
import { cachedGraphs } from '../output.js';
import { shares } from '../stats/question.js';

export const graphStatusSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string().describe('The ref as asked for.'),
  commit: oid.nullable(),
  state: s.enum(['linked', 'building', 'none']).describe('none: it is linked with the next question about it.'),
  version: count.describe('Of the rules of linking; graphs of another one are made anew.'),
  coverage: s
    .object({ covered: count, total: count })
    .nullable()
    .describe('Files in the graph, and how many could be; null where there is no graph.'),
  graph: s
    .object({
      ...{ files: count, symbols: count, edges: count, calls: shares, imports: shares },
      compiled: count.describe('Files that a compiler told about.'),
    })
    .nullable()
    .describe('As committed; uncommitted files are linked on top of it.'),
  building: s
    .object({ phase: s.string(), done: count, total: count.nullable().describe('Null where it is not known.') })
    .nullable()
    .describe('A graph that is being linked now.'),
  cache: cachedGraphs.describe('Linked graphs kept on this machine, of all refs.'),
  extensions: s.array(extension).optional().describe('What extraExtensions come to here.'),
});

export type GraphStatus = s.Infer<typeof graphStatusSchema>;

const params = { ref: committedRef } as const;

export type GraphStatusValues = Values<typeof params>;

const buildParams = { ref: committedRef, extraExtensions } as const;

export type GraphBuildValues = Values<typeof buildParams>;

const MAX_TOKENS = 500;

const documents = { 'graph-status': { schema: graphStatusSchema, title: commandText('graph status', { json: true }) } };

const status = defineQuestion<typeof params, GraphStatus>({
  name: 'graph status',
  summary: 'say whether a graph is linked, how much of it is resolved, and which files it has here; links nothing',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerGraphStatus,
  text: async () => (await import('./answer.js')).graphStatusText,
  documents,
  command: {
    group: 'Follow code',
    examples: [
      ['graph status', 'state of the graph of HEAD'],
      ['graph status --ref v1.0 --json', 'state of the graph of a release, for a program'],
    ],
    json: 'print the status as JSON',
    isNegative: ({ state }) => state === 'none',
  },
  tool: {
    name: 'codebase_graph_status',
    title: 'State of the graph',
    toolset: 'graph',
    description: 'Whether the graph of a ref is linked, how much is resolved, what is cached.',
    params: { ref: REF },
    reply: ['projectPath'],
    maxTokens: MAX_TOKENS,
  },
});

const build = defineQuestion<typeof buildParams, GraphStatus>({
  name: 'graph build',
  summary: 'link the graph of a ref in the background',
  effect: 'writes',
  params: buildParams,
  answer: async () => (await import('./answer.js')).answerGraphBuild,
  text: async () => (await import('./answer.js')).graphBuildText,
  documents,
  tool: {
    name: 'codebase_graph_build',
    title: 'Link the graph',
    toolset: 'graph',
    description: 'Links the graph of a ref in the background. Not needed: questions link what they lack.',
    params: { ref: REF, extraExtensions: 'E.g. .tpl,.inc' },
    reply: ['projectPath'],
    maxTokens: MAX_TOKENS,
  },
});

export const questions: readonly AnyQuestion[] = [status, build];
