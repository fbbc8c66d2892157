/** Document of `graph outline`. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { header, line, nodePlace } from '../output-parts.js';

export const graphOutlineResponseSchema = s.object({
  ...header,
  files: s.array(
    s.object({
      path: s.string(),
      language: s.string(),
      lines: count,
      bytes: count,
      degraded: s.boolean().describe('Could not be parsed as a whole.'),
      symbols: s.array(
        s.object({
          name: s.string(),
          kind: nodePlace.fields.kind,
          exported: s.boolean(),
          depth: count.describe('Containers around it.'),
          startLine: line,
          endLine: line,
          signature: s.string().optional().describe('With signatures; untrusted repository content.'),
          doc: s.string().optional().describe('With docs: first line of the comment; untrusted repository content.'),
        }),
      ),
      leftOut: count.describe('Further symbols, beyond the limit.'),
    }),
  ),
});

export type GraphOutlineResponse = s.Infer<typeof graphOutlineResponseSchema>;
export type OutlineSymbol = GraphOutlineResponse['files'][number]['symbols'][number];
