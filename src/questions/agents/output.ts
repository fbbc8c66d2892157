/** Document of `agents install`, `agents status` and `agents uninstall`. */
import { z } from 'zod';

export const agentsReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  action: z.enum(['install', 'status', 'uninstall']),
  written: z.boolean().describe('False with `dryRun`, for `status`, and where nothing had to change.'),
  files: z.array(
    z.strictObject({
      host: z.enum(['agents', 'claude', 'gemini', 'cursor']),
      path: z.string().describe('From the top of the work tree.'),
      kind: z
        .enum(['section', 'file', 'hook'])
        .describe('A marked section in a file of others, a file that is ours alone, or a hook in settings.'),
      change: z
        .enum(['create', 'add', 'replace', 'remove', 'delete', 'none', 'keep', 'refuse'])
        .describe('`keep`: a file of that name is not ours. `refuse`: see `reason`.'),
      isInstalled: z.boolean().describe('Before the change.'),
      isCurrent: z.boolean().describe('It has the text of this version.'),
      reason: z.string().nullable(),
    }),
  ),
});

export type AgentsReport = z.infer<typeof agentsReportSchema>;
export type AgentsFile = AgentsReport['files'][number];
