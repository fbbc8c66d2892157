/** Document of `mcp install` and `mcp uninstall`. */
import * as s from '../../../params/shape.js';
import { CLIENTS } from './clients.js';

const words = s.array(s.string());

export const mcpInstallReportSchema = s.object({
  schemaVersion: s.literal(1),
  action: s.enum(['install', 'uninstall']),
  scope: s.enum(['project', 'user']),
  name: s.string().describe('Of the entry.'),
  written: s.boolean().describe('False with `dryRun` and `print`, and where nothing had to change.'),
  launch: s.object({
    kind: s
      .enum(['path', 'npx', 'local', 'node'])
      .describe('Found on PATH; fetched by npx; installed in the project; a checkout, by its path on this machine.'),
    command: words.describe('What comes before the arguments.'),
  }),
  clients: s.array(
    s.object({
      client: s.enum(CLIENTS),
      path: s
        .string()
        .nullable()
        .describe('Relative to the work tree for a project; null where the client has a command.'),
      change: s
        .enum(['create', 'add', 'replace', 'remove', 'delete', 'none', 'keep', 'refuse', 'command'])
        .describe('Keep: another entry of that name. Refuse: see `reason`. Command: the user has to run it.'),
      reason: s.string().nullable().describe('Why a file is left as it is.'),
      command: words.nullable().describe('What to run instead.'),
      existing: s.unknown().describe('With `keep`: the entry that stands there; else null.'),
      wanted: s.unknown().describe('The entry that belongs there; null for `uninstall`.'),
      snippet: s.string().nullable().describe('With `print`: what to add to the file.'),
      next: s.string().nullable().describe('What the user has to know or do then.'),
    }),
  ),
  alsoHere: words.describe('Where no client was named: further ones that this user seems to have.'),
});

export type McpInstallReport = s.Infer<typeof mcpInstallReportSchema>;
