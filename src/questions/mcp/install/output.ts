/** Document of `mcp install` and `mcp uninstall`. */
import { z } from 'zod';
import { CLIENTS } from './clients.js';

const words = z.array(z.string());

export const mcpInstallReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  action: z.enum(['install', 'uninstall']),
  scope: z.enum(['project', 'user']),
  name: z.string().describe('Of the entry.'),
  written: z.boolean().describe('False with `dryRun` and `print`, and where nothing had to change.'),
  launch: z.strictObject({
    kind: z
      .enum(['path', 'npx', 'local', 'node'])
      .describe('Found on PATH; fetched by npx; installed in the project; a checkout, by its path on this machine.'),
    command: words.describe('What comes before the arguments.'),
  }),
  clients: z.array(
    z.strictObject({
      client: z.enum(CLIENTS),
      path: z
        .string()
        .nullable()
        .describe('Relative to the work tree for a project; null where the client has a command.'),
      change: z
        .enum(['create', 'add', 'replace', 'remove', 'delete', 'none', 'keep', 'refuse', 'command'])
        .describe('Keep: another entry of that name. Refuse: see `reason`. Command: the user has to run it.'),
      reason: z.string().nullable().describe('Why a file is left as it is.'),
      command: words.nullable().describe('What to run instead.'),
      existing: z.unknown().describe('With `keep`: the entry that stands there; else null.'),
      wanted: z.unknown().describe('The entry that belongs there; null for `uninstall`.'),
      snippet: z.string().nullable().describe('With `print`: what to add to the file.'),
      next: z.string().nullable().describe('What the user has to know or do then.'),
    }),
  ),
  alsoHere: words.describe('Where no client was named: further ones that this user seems to have.'),
});

export type McpInstallReport = z.infer<typeof mcpInstallReportSchema>;
