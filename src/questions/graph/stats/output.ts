/** Document of `graph stats`. */
import { z } from 'zod';
import { header, nodePlace, some } from '../output-parts.js';
import { count } from '../../output-parts.js';

export const shares = z
  .strictObject({ total: count, resolved: count, external: count, ambiguous: count, unresolved: count })
  .describe('Where they lead.');

export const graphStatsResponseSchema = z.strictObject({
  ...header,
  files: count,
  states: z.record(z.string(), count).describe('Files by what is known of them.'),
  symbols: count,
  edges: z.record(z.string(), count).describe('By kind.'),
  calls: shares,
  imports: shares,
  languages: z.array(
    z.strictObject({ language: z.string(), files: count, symbols: count, calls: shares, imports: shares }),
  ),
  connectedFiles: some(z.strictObject({ path: z.string(), dependents: count, imports: count })),
  connectedSymbols: some(nodePlace.extend({ uses: count, files: count })),
  orphans: some(z.string()).describe('Code files that nothing imports and that import nothing.'),
  cycles: count.describe('Circles of imports.'),
  advice: z.array(z.string()).describe('What makes answers less complete than they look.'),
});

export type GraphStatsResponse = z.infer<typeof graphStatsResponseSchema>;
