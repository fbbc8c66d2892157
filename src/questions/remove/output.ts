/** Document of `remove`. */
import * as s from '../../params/shape.js';
import { count } from '../output-parts.js';

export const removeReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string().nullable().describe('The remote whose notes were deleted as well.'),
  dryRun: s.boolean().describe('Nothing was deleted.'),
  refs: s.array(s.string()).describe('Notes refs of this repository, those tracked of remotes included.'),
  remoteRefs: s.array(s.string()),
  paths: s.array(s.object({ path: s.string(), bytes: count })).describe('Local state.'),
  kept: s.array(s.string()).describe('What stays, and how to get rid of it.'),
});

export type RemoveReport = Omit<s.Infer<typeof removeReportSchema>, 'schemaVersion'>;
