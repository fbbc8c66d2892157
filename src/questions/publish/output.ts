/** Document of `publish`. */
import * as s from '../../params/shape.js';
import { count } from '../output-parts.js';

const refReportSchema = s.object({
  ref: s.string(),
  commit: s.string(),
  outcome: s
    .enum(['published', 'unchanged', 'superseded', 'planned', 'deleted'])
    .describe('`superseded`: the fleet has a newer commit of this branch already. `planned`: a dry run.'),
  covered: count.describe('Files that can be found.'),
  total: count.describe('Files that the settings select.'),
  missing: count.describe('File contents that the fleet lacked.'),
  sentBytes: count,
});

export const publishReportSchema = s.object({
  schemaVersion: s.literal(1),
  repo: s.string().describe('Name of the repository in the fleet.'),
  to: s.string().describe('Address of the fleet.'),
  refs: s.array(refReportSchema),
});

export type PublishReport = s.Infer<typeof publishReportSchema>;
