/** Document of `coupling`. */
import * as s from '../../params/shape.js';
import { coupled } from '../graph/impact/sides/output.js';
import { some } from '../graph/output-parts.js';
import { count } from '../output-parts.js';
import { pastHeader } from '../past/output.js';

export const couplingSchema = s.object({
  ...pastHeader,
  target: s.string().describe("As asked for; '' for the uncommitted changes."),
  files: count.describe('Files that the target means.'),
  changes: count.describe('Commits that changed any of them; merges and commits of more than 30 files left out.'),
  symbols: some(coupled.extend({ symbol: s.string().describe('Qualified name.') }))
    .optional()
    .describe(
      'Of a symbol: symbols that usually change in the same commits, counted over the newest commits that changed its file.',
    ),
  coupled: some(coupled).describe('Files that usually change in the same commits and are not among them.'),
});

export type CouplingDocument = s.Infer<typeof couplingSchema>;
