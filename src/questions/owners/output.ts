/** Document of `owners`. */
import { z } from 'zod';
import { owner } from '../graph/impact/sides/output.js';
import { some } from '../graph/output-parts.js';
import { count } from '../output-parts.js';
import { pastHeader } from '../past/output.js';

export const ownersSchema = z.strictObject({
  ...pastHeader,
  paths: z.array(z.string()).describe('As asked for.'),
  files: count.describe('Files that they mean.'),
  changes: count.describe('Commits that changed any of them; merges and commits of more than 30 files left out.'),
  owners: some(owner).describe('The author who knows them best first.'),
});

export type OwnersDocument = z.infer<typeof ownersSchema>;
