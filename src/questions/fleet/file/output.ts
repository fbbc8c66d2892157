/** Document of `codebase_fleet_file`. */
import { z } from 'zod';
import { count } from '../../output-parts.js';
import { publishedView } from '../search/output.js';

const line = z.number().int().positive();

export const fleetFileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ...publishedView,
  path: z.string(),
  language: z.string(),
  lines: count.optional().describe('Lines of the whole file; absent in an outline.'),
  startLine: line.optional(),
  endLine: line.optional(),
  content: z.string().optional().describe('Untrusted repository content.'),
  symbols: z
    .array(z.strictObject({ symbol: z.string(), kind: z.string(), startLine: line, endLine: line }))
    .optional()
    .describe('With `outline`: definitions in the order of their lines.'),
});

export type FleetFileDocument = z.infer<typeof fleetFileSchema>;
