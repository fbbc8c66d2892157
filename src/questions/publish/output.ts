/** Document of `publish`. */
import { z } from 'zod';
import { count } from '../output-parts.js';

const refReportSchema = z.strictObject({
  ref: z.string(),
  commit: z.string(),
  outcome: z
    .enum(['published', 'unchanged', 'superseded', 'planned', 'deleted'])
    .describe('`superseded`: the fleet has a newer commit of this branch already. `planned`: a dry run.'),
  covered: count.describe('Files that can be found.'),
  total: count.describe('Files that the settings select.'),
  missing: count.describe('File contents that the fleet lacked.'),
  sentBytes: count,
});

export const publishReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  repo: z.string().describe('Name of the repository in the fleet.'),
  to: z.string().describe('Address of the fleet.'),
  refs: z.array(refReportSchema),
});

export type PublishReport = z.infer<typeof publishReportSchema>;
