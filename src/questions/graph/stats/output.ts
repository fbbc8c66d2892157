/** Document of `graph stats`. */
import { z } from 'zod';
import { count } from '../../output-parts.js';
import { header, nodePlace, some } from '../output-parts.js';

export const shares = z
  .strictObject({ total: count, resolved: count, external: count, ambiguous: count, unresolved: count })
  .describe('Where they lead.');

const language = z.strictObject({
  language: z.string(),
  files: count,
  symbols: count,
  calls: shares,
  imports: shares,
});
const connectedFile = z.strictObject({ path: z.string(), dependents: count, imports: count });
const connectedSymbol = nodePlace.extend({ uses: count, files: count });

const facts = {
  files: count,
  states: z.record(z.string(), count).describe('Files by what is known of them.'),
  symbols: count,
  edges: z.record(z.string(), count).describe('By kind.'),
  calls: shares,
  imports: shares,
  languages: z.array(language),
  connectedFiles: some(connectedFile),
  connectedSymbols: some(connectedSymbol),
  orphans: some(z.string()).describe('Code files that nothing imports and that import nothing.'),
  cycles: count.describe('Circles of imports.'),
  advice: z.array(z.string()).describe('What makes answers less complete than they look.'),
};

export const graphStatsResponseSchema = z.strictObject({
  ...header,
  ...facts,
});

export type GraphStatsResponse = z.infer<typeof graphStatsResponseSchema>;
/** The numbers, without the snapshot that they are of. */
export type Stats = z.infer<z.ZodObject<typeof facts>>;
/** Edges of one sort by where they lead. */
export type Shares = z.infer<typeof shares>;
export type LanguageStats = z.infer<typeof language>;
