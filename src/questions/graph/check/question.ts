/** `graph check`, `codebase_graph_check`: imports, uses and functions that break the rules of `.socraticode.json`. */
import { LIMITS } from '../../../config/rules.js';
import { text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count, oid } from '../../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import { edgeKind, header, line, nodePlace, some } from '../output.js';

const violation = s.object({
  rule: line.describe('Number of the rule in graph.rules, the first is 1.'),
  form: s.enum(['to', 'only', 'layers', 'independent', 'cycles']),
  says: s.string().describe('The rule in words.'),
  why: s.string().optional().describe("The rule's reason; untrusted repository content."),
  from: s.string(),
  line: line.describe('Line of `from` with the import or use.'),
  to: s.string(),
  use: edgeKind,
  text: s.string().describe('As written: what is imported or used; untrusted repository content.'),
  cycle: s
    .array(nodePlace.extend({ line, use: edgeKind }))
    .optional()
    .describe('A shortest way round, of files that import each other in a circle.'),
});

const excess = nodePlace.omit('exported').extend({
  rule: line.describe('Number of the rule in graph.rules, the first is 1.'),
  says: s.string().describe('The rule in words.'),
  why: s.string().optional().describe("The rule's reason; untrusted repository content."),
  limit: s.enum(LIMITS),
  value: count,
  most: count.describe('As the rule says.'),
  was: count.optional().describe('With a range: its value on the older side, which was over the limit as well.'),
});

const unmatched = s.object({ rule: line, field: s.string(), glob: s.string() });

const graphCheckResponseSchema = s.object({
  ...header,
  since: s
    .object({ ref: s.string(), commit: oid.nullable() })
    .optional()
    .describe('With a range: its older side; violations that it had are left out.'),
  rules: count,
  dependencies: count.describe('Pairs of files that were checked.'),
  violations: some(violation).describe('By rule, then by place.'),
  excesses: some(excess).describe(
    'Functions over a limit, by rule, then by place; with a range those that are new or grew.',
  ),
  unmatched: s.array(unmatched).describe('Globs that no file matches: a mistake, or out of date.'),
});

export type GraphCheckResponse = s.Infer<typeof graphCheckResponseSchema>;
export type Excess = s.Infer<typeof excess>;
export type Violation = s.Infer<typeof violation>;
export type UnmatchedGlob = s.Infer<typeof unmatched>;

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
  summary: 'imports, uses and functions that break the rules in .socraticode.json; exits with 1 if there are any',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerCheck,
  text: async () => (await import('./answer.js')).checkText,
  documents: { 'graph-check': { schema: graphCheckResponseSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['graph check', 'everything, with uncommitted changes'],
      ['graph check --in main..', 'only violations that this branch adds'],
      ['graph check --ref v1.2 --json', 'a release, for a program'],
    ],
    isNegative: ({ violations, excesses }) => violations.list.length + excesses.list.length > 0,
  },
  tool: {
    name: 'codebase_graph_check',
    title: 'Broken rules',
    toolset: 'graph',
    description:
      'Imports, uses and functions that break the rules of this repository (graph.rules in .socraticode.json).',
    params: { in: 'A..B: only violations that are new; main.. is what this branch adds.', ref: REF },
    maxTokens: 2_500,
    page: { size: LISTED.violations, most: MAX_GRAPH_LIMIT },
  },
});
