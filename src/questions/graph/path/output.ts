/** Document of `graph path`. */
import { z } from 'zod';
import { confidence, header, line, nodePlace, stepKind } from '../output-parts.js';

export const graphPathResponseSchema = z.strictObject({
  ...header,
  from: z.string().describe('As asked for.'),
  to: z.string(),
  path: z
    .strictObject({
      by: z.enum(['uses', 'imports']),
      steps: z.array(
        z.strictObject({
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
  reverse: z.boolean().describe('There is none, but there is one from `to` to `from`.'),
});

export type GraphPathResponse = z.infer<typeof graphPathResponseSchema>;
/** A way by uses of symbols, or by imports where there is none by uses. */
export type FoundPath = NonNullable<GraphPathResponse['path']>;
export type PathStep = FoundPath['steps'][number];
