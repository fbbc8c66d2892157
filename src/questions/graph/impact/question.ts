/** `graph impact`, `codebase_impact`: what a change may break. */
import { flag, integer, number, text, type Values } from '../../../params/param.js';
import {
  file,
  fleetUsers,
  graphLimit,
  linkedUsers,
  MAX_GRAPH_LIMIT,
  REF,
  snapshot,
  staged,
} from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED } from '../limits.js';
import { graphImpactResponseSchema } from './output.js';

const params = {
  target: text({
    summary: 'a symbol, a file, or A..B; without one, the uncommitted changes',
    completes: 'symbol',
    cli: { argument: '[target]' },
  }),
  file,
  depth: integer({ summary: 'hops', min: 1, max: 10, default: 3, cli: { value: 'n' } }),
  minConfidence: number({
    summary: 'leave out uses that are less certain',
    min: 0,
    max: 1,
    default: 0,
    cli: { value: 'p' },
  }),
  coupled: flag({ summary: 'files that usually change in the same commits as its file, too' }),
  linked: linkedUsers,
  fleet: fleetUsers,
  staged,
  ...snapshot,
  limit: graphLimit('entries of each list', LISTED.impact),
} as const;

export type ImpactValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph impact',
  summary: 'what may break when something changes, hop by hop, and which tests to run',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerImpact,
  text: async () => (await import('./text.js')).impactText,
  documents: { 'graph-impact': { schema: graphImpactResponseSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph impact', 'what the uncommitted changes may break'],
      ['graph impact --staged', 'what the next commit may break'],
      ['graph impact Cart.total --depth 1', 'direct users of a method'],
      ['graph impact Cart.total --coupled', 'and files that usually change with it'],
      ['graph impact main..feature', 'what a branch may break'],
      ['graph impact Cart.total --linked', 'in the linked repositories, too'],
      ['graph impact main.. --fleet', 'which repositories of the fleet use what changes'],
    ],
    isNegative: ({ affected, tests, changes, coupled, linked, fleet }) =>
      affected + tests.list.length + (coupled?.list.length ?? 0) === 0 &&
      (linked?.uses.list.length ?? 0) + (fleet?.uses.list.length ?? 0) === 0 &&
      !(changes && changes.symbols.list.length + changes.removed.list.length + changes.dangling.list.length),
  },
  tool: {
    name: 'codebase_impact',
    title: 'Impact of a change',
    toolset: 'core',
    description:
      'What may break when something changes, hop by hop; tests to run. Call before you edit; after, without a target, for uses that dangle.',
    params: {
      target: { summary: 'Symbol, file or A..B; default: uncommitted changes.', minLength: 1 },
      file: 'File or directory it is defined in.',
      depth: 'Hops; default {default}.',
      minConfidence: '',
      coupled: 'Files that change along.',
      linked: { summary: '', name: 'includeLinked' },
      ref: REF,
    },
    maxTokens: 2_500,
    page: { size: LISTED.impact, most: MAX_GRAPH_LIMIT },
  },
});
