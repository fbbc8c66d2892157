/** Document of `graph check`. */
import * as s from '../../../params/shape.js';
import { count, oid } from '../../output-parts.js';
import { edgeKind, header, line, nodePlace, some } from '../output-parts.js';

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

const unmatched = s.object({ rule: line, field: s.string(), glob: s.string() });

export const graphCheckResponseSchema = s.object({
  ...header,
  since: s
    .object({ ref: s.string(), commit: oid.nullable() })
    .optional()
    .describe('With a range: its older side; violations that it had are left out.'),
  rules: count,
  dependencies: count.describe('Pairs of files that were checked.'),
  violations: some(violation).describe('By rule, then by place.'),
  unmatched: s.array(unmatched).describe('Globs that no file matches: a mistake, or out of date.'),
});

export type GraphCheckResponse = s.Infer<typeof graphCheckResponseSchema>;
export type Violation = s.Infer<typeof violation>;
export type UnmatchedGlob = s.Infer<typeof unmatched>;
