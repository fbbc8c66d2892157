/** Document of `graph path`. */
import * as s from '../../../params/shape.js';
import { confidence, header, line, nodePlace, stepKind } from '../output-parts.js';

export const graphPathResponseSchema = s.object({
  ...header,
  from: s.string().describe('As asked for.'),
  to: s.string(),
  path: s
    .object({
      by: s.enum(['uses', 'imports']),
      steps: s.array(
        s.object({
          from: nodePlace,
          to: nodePlace,
          use: stepKind(['override', 'constructor', 'contains']),
          line: line.describe('The line that says so: of the file of `from`, or of a member that stands in, its own.'),
          confidence,
        }),
      ),
    })
    .nullable()
    .describe('A shortest way; null if there is none.'),
  reverse: s.boolean().describe('There is none, but there is one from `to` to `from`.'),
});

export type GraphPathResponse = s.Infer<typeof graphPathResponseSchema>;
/** A way by uses of symbols, or by imports where there is none by uses. */
export type FoundPath = NonNullable<GraphPathResponse['path']>;
export type PathStep = FoundPath['steps'][number];
