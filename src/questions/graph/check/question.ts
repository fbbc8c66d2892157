/** `graph check`, `codebase_graph_check`: imports and uses that break the rules of `.socraticode.json`. */
import { text, type Values } from '../../../params/param.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED } from '../limits.js';
import { graphCheckResponseSchema } from './output.js';

const params = {
  in: text({
    summary: 'only violations that are new from A to B; "main.." is what this branch adds',
    maxLength: 1_024,
    minLength: 1,
    completes: 'range',
    cli: { value: 'A..B' },
  }),
  ...snapshot,
  limit: graphLimit('violations', LISTED.violations),
} as const;

export type CheckValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph check',
  summary: 'imports and uses that break the rules in .socraticode.json; exits with 1 if there are any',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerCheck,
  text: async () => (await import('./text.js')).checkText,
  documents: { 'graph-check': { schema: graphCheckResponseSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['graph check', 'everything, with uncommitted changes'],
      ['graph check --in main..', 'only violations that this branch adds'],
      ['graph check --ref v1.2 --json', 'a release, for a program'],
    ],
    isNegative: ({ violations }) => violations.list.length > 0,
  },
  tool: {
    name: 'codebase_graph_check',
    title: 'Broken rules',
    toolset: 'graph',
    description:
      'Imports and uses that break the dependency rules of this repository (graph.rules in .socraticode.json).',
    params: { in: 'A..B: only violations that are new; main.. is what this branch adds.', ref: REF },
    maxTokens: 2_500,
    page: { size: LISTED.violations, most: MAX_GRAPH_LIMIT },
  },
});
