/** Document of `graph check`. */
import { z } from 'zod';
import { count, oid } from '../../output-parts.js';
import { edgeKind, header, line, nodePlace, some } from '../output-parts.js';

const violation = z.strictObject({
  rule: line.describe('Number of the rule in graph.rules, the first is 1.'),
  form: z.enum(['to', 'only', 'layers', 'independent', 'cycles']),
  says: z.string().describe('The rule in words.'),
  why: z.string().optional().describe("The rule's reason; untrusted repository content."),
  from: z.string(),
  line: line.describe('Line of `from` with the import or use.'),
  to: z.string(),
  use: edgeKind,
  text: z.string().describe('As written: what is imported or used; untrusted repository content.'),
  cycle: z
    .array(nodePlace.extend({ line, use: edgeKind }))
    .optional()
    .describe('A shortest way round, of files that import each other in a circle.'),
});

const unmatched = z.strictObject({ rule: line, field: z.string(), glob: z.string() });

export const graphCheckResponseSchema = z.strictObject({
  ...header,
  since: z
    .strictObject({ ref: z.string(), commit: oid.nullable() })
    .optional()
    .describe('With a range: its older side; violations that it had are left out.'),
  rules: count,
  dependencies: count.describe('Pairs of files that were checked.'),
  violations: some(violation).describe('By rule, then by place.'),
  unmatched: z.array(unmatched).describe('Globs that no file matches: a mistake, or out of date.'),
});

export type GraphCheckResponse = z.infer<typeof graphCheckResponseSchema>;
export type Violation = z.infer<typeof violation>;
export type UnmatchedGlob = z.infer<typeof unmatched>;
