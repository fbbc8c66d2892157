/** Document of `owners`. */
import * as s from '../../params/shape.js';
import { owner } from '../graph/impact/sides/output.js';
import { some } from '../graph/output-parts.js';
import { count } from '../output-parts.js';
import { pastHeader } from '../past/output.js';

export const ownersSchema = s.object({
  ...pastHeader,
  paths: s.array(s.string()).describe('As asked for: files, directories and symbols.'),
  method: s
    .enum(['commits', 'lines'])
    .describe(
      'commits: by the commits that changed the files, newer ones weighing more; lines: by the lines that stand.',
    ),
  files: count.describe('Files that they mean.'),
  changes: count.describe('Commits that changed any of them; merges and commits of more than 30 files left out.'),
  unread: count
    .optional()
    .describe('By lines: number of files that were not read. At most 50 files are, the most often changed ones.'),
  missing: count.optional().describe('By lines: files whose older versions this clone lacks.'),
  owners: some(
    owner.extend({ lines: count.optional().describe('By lines: lines that this author wrote; share is of them.') }),
  ).describe('The author who knows them best first.'),
});

export type OwnersDocument = s.Infer<typeof ownersSchema>;
