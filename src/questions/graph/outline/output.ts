/** Document of `graph outline`. */
import { z } from 'zod';
import { count } from '../../output-parts.js';
import { header, line, nodePlace } from '../output-parts.js';

export const graphOutlineResponseSchema = z.strictObject({
  ...header,
  files: z.array(
    z.strictObject({
      path: z.string(),
      language: z.string(),
      lines: count,
      bytes: count,
      degraded: z.boolean().describe('Could not be parsed as a whole.'),
      symbols: z.array(
        z.strictObject({
          name: z.string(),
          kind: nodePlace.shape.kind,
          exported: z.boolean(),
          depth: count.describe('Containers around it.'),
          startLine: line,
          endLine: line,
          signature: z.string().optional().describe('With signatures; untrusted repository content.'),
          doc: z.string().optional().describe('With docs: first line of the comment; untrusted repository content.'),
        }),
      ),
      leftOut: count.describe('Further symbols, beyond the limit.'),
    }),
  ),
});

export type GraphOutlineResponse = z.infer<typeof graphOutlineResponseSchema>;
export type OutlineSymbol = GraphOutlineResponse['files'][number]['symbols'][number];
