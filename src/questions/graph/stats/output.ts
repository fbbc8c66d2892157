/** Document of `graph stats`. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { header, nodePlace, some } from '../output-parts.js';

export const shares = s
  .object({ total: count, resolved: count, external: count, ambiguous: count, unresolved: count })
  .describe('Where they lead.');

const language = s.object({
  language: s.string(),
  files: count,
  symbols: count,
  calls: shares,
  imports: shares,
});
const connectedFile = s.object({ path: s.string(), dependents: count, imports: count });
const connectedSymbol = nodePlace.extend({ uses: count, files: count });

const facts = {
  files: count,
  states: s.record(count).describe('Files by what is known of them.'),
  symbols: count,
  edges: s.record(count).describe('By kind.'),
  calls: shares,
  imports: shares,
  languages: s.array(language),
  connectedFiles: some(connectedFile),
  connectedSymbols: some(connectedSymbol),
  orphans: some(s.string()).describe('Code files that nothing imports and that import nothing.'),
  cycles: count.describe('Circles of imports.'),
  advice: s.array(s.string()).describe('What makes answers less complete than they look.'),
};

export const graphStatsResponseSchema = s.object({
  ...header,
  ...facts,
});

export type GraphStatsResponse = s.Infer<typeof graphStatsResponseSchema>;
/** The numbers, without the snapshot that they are of. */
export type Stats = s.InferFields<typeof facts>;
/** Edges of one sort by where they lead. */
export type Shares = s.Infer<typeof shares>;
export type LanguageStats = s.Infer<typeof language>;
