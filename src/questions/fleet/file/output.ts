/** Document of `codebase_fleet_file`. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { publishedView } from '../search/output.js';

const line = s.integer({ exclusiveMinimum: 0 });

export const fleetFileSchema = s.object({
  schemaVersion: s.literal(1),
  ...publishedView,
  path: s.string(),
  language: s.string(),
  lines: count.optional().describe('Lines of the whole file; absent in an outline.'),
  startLine: line.optional(),
  endLine: line.optional(),
  content: s.string().optional().describe('Untrusted repository content.'),
  symbols: s
    .array(s.object({ symbol: s.string(), kind: s.string(), startLine: line, endLine: line }))
    .optional()
    .describe('With `outline`: definitions in the order of their lines.'),
});

export type FleetFileDocument = s.Infer<typeof fleetFileSchema>;
