/** Document of `remove`. */
import { z } from 'zod';
import { count } from '../output-parts.js';

export const removeReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  remote: z.string().nullable().describe('The remote whose notes were deleted as well.'),
  dryRun: z.boolean().describe('Nothing was deleted.'),
  refs: z.array(z.string()).describe('Notes refs of this repository, those tracked of remotes included.'),
  remoteRefs: z.array(z.string()),
  paths: z.array(z.strictObject({ path: z.string(), bytes: count })).describe('Local state.'),
  kept: z.array(z.string()).describe('What stays, and how to get rid of it.'),
});

export type RemoveReport = Omit<z.infer<typeof removeReportSchema>, 'schemaVersion'>;
