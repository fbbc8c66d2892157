/** Document of `agents install`, `agents status` and `agents uninstall`. */
import * as s from '../../params/shape.js';

export const agentsReportSchema = s.object({
  schemaVersion: s.literal(1),
  action: s.enum(['install', 'status', 'uninstall']),
  written: s.boolean().describe('False with `dryRun`, for `status`, and where nothing had to change.'),
  files: s.array(
    s.object({
      host: s.enum(['agents', 'claude', 'gemini', 'cursor']),
      path: s.string().describe('From the top of the work tree.'),
      kind: s
        .enum(['section', 'file', 'hook'])
        .describe('A marked section in a file of others, a file that is ours alone, or a hook in settings.'),
      change: s
        .enum(['create', 'add', 'replace', 'remove', 'delete', 'none', 'keep', 'refuse'])
        .describe('`keep`: a file of that name is not ours. `refuse`: see `reason`.'),
      isInstalled: s.boolean().describe('Before the change.'),
      isCurrent: s.boolean().describe('It has the text of this version.'),
      reason: s.string().nullable(),
    }),
  ),
});

export type AgentsReport = s.Infer<typeof agentsReportSchema>;
export type AgentsFile = AgentsReport['files'][number];
