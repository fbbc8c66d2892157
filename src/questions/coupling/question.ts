/** `coupling`, `codebase_coupling`: files and symbols that usually change together, by the history. */
import { integer, number, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { coupled } from '../graph/changes/output.js';
import { some } from '../graph/output.js';
import { defineQuestion } from '../question.js';
import { count, pastHeader } from '../shared-output.js';
import { committedRef, listLimit, MAX_GRAPH_LIMIT, REF } from '../shared-params.js';

export const couplingSchema = s.object({
  ...pastHeader,
  target: s.string().describe("As asked for; '' for the uncommitted changes."),
  files: count.describe('Files that the target means.'),
  changes: count.describe('Commits that changed any of them; merges and commits of more than 30 files left out.'),
  symbols: some(coupled.extend({ symbol: s.string().describe('Qualified name.') }))
    .optional()
    .describe(
      'Of a symbol: symbols that usually change in the same commits, counted over the newest commits that changed its file.',
    ),
  coupled: some(coupled).describe('Files that usually change in the same commits and are not among them.'),
});

export type CouplingDocument = s.Infer<typeof couplingSchema>;

const LISTED = 20;

const params = {
  target: text({
    summary: 'a file, a directory, a symbol, or A..B; without one, the uncommitted changes',
    completes: 'path',
    cli: { argument: '[target]' },
  }),
  ref: committedRef,
  minShare: number({
    summary: 'leave out what changes along in a smaller share of the commits',
    min: 0,
    max: 1,
    default: 0.3,
    cli: { value: 'p' },
  }),
  minCommits: integer({
    summary: 'leave out what changed along in fewer commits',
    min: 1,
    max: MAX_GRAPH_LIMIT,
    default: 3,
    cli: { value: 'n' },
  }),
  limit: listLimit('entries', LISTED),
} as const;

export type CouplingValues = Values<typeof params>;

export const question = defineQuestion<typeof params, CouplingDocument>({
  name: 'coupling',
  summary: 'what usually changes together with a file, a symbol or a change, by the commits of the past',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerCoupling,
  text: async () => (await import('./answer.js')).couplingBlocks,
  documents: { coupling: { schema: couplingSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['coupling src/cart.ts', 'files that usually change in the same commits as a file'],
      ['coupling Cart.total', 'symbols that usually change with a method, and files that do with its file'],
      ['coupling main..feature', 'files that a branch may have forgotten'],
      ['coupling', 'files that usually change together with the uncommitted ones'],
    ],
    isNegative: ({ coupled, symbols }) => coupled.list.length + (symbols?.list.length ?? 0) === 0,
  },
  tool: {
    name: 'codebase_coupling',
    title: 'What changes together',
    toolset: 'history',
    description: 'Files that usually change in the same commits as a file, a symbol or a change, with counts.',
    params: {
      target: { summary: 'File, directory, symbol or A..B; default: uncommitted changes.', minLength: 1 },
      ref: REF,
    },
    maxTokens: 2_000,
    page: { size: LISTED, most: MAX_GRAPH_LIMIT },
  },
});
