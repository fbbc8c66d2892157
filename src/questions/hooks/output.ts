/** Documents of `hooks install`, `hooks uninstall` and `hooks status`. */
import { z } from 'zod';
import { count } from '../output-parts.js';

const manager = z
  .enum(['files', 'config', 'husky', 'lefthook', 'pre-commit'])
  .describe('Who looks after hooks here: files of git, entries of its configuration, or another tool.');
const event = z.enum(['post-commit', 'post-merge', 'post-checkout', 'post-rewrite', 'post-applypatch', 'pre-push']);

const byHand = z
  .string()
  .nullable()
  .describe('What to add by hand, where nothing can or should be written; null if nothing is left to do.');

export const hooksChangeSchema = z.strictObject({
  schemaVersion: z.literal(1),
  action: z.enum(['install', 'uninstall']),
  manager,
  managerFile: z.string().nullable().describe("The tool's own file, where what `byHand` says belongs."),
  directory: z.string().nullable().describe('Where the hooks are; null if that cannot be said.'),
  committed: z.boolean().describe('The files are part of the work tree: others get them with the next commit.'),
  written: z.boolean().describe('False with `print`, and where nothing had to change.'),
  hooks: z.array(
    z.strictObject({
      event,
      path: z.string().describe("File, or section of git's configuration."),
      change: z.enum(['create', 'add', 'update', 'remove', 'delete', 'none', 'refuse']),
      reason: z.string().nullable().describe('Why a hook is left as it is.'),
      text: z.string().nullable().describe('With `print`: what the file would hold.'),
    }),
  ),
  byHand,
});

export const hooksStatusSchema = z.strictObject({
  schemaVersion: z.literal(1),
  manager,
  managerFile: z.string().nullable(),
  directory: z.string().nullable(),
  refusal: z.string().nullable().describe('Why hooks cannot be installed here.'),
  hooks: z.array(
    z.strictObject({
      event,
      state: z
        .enum(['installed', 'outdated', 'foreign', 'absent'])
        .describe('Foreign: there is a hook, but not of ours. Outdated: of another version.'),
      path: z.string(),
    }),
  ),
  tool: z.string().nullable().describe('The program as PATH finds it; null if hooks have to name it themselves.'),
  fallback: z.string().nullable().describe('The program that the post-commit hook names, if it is still there.'),
  worker: z.number().int().nullable().describe('Process that is serving the queue.'),
  queued: count.describe('Events that wait for it.'),
  log: z.strictObject({
    path: z.string(),
    lines: z.array(z.string()).describe('The last ones of workers.'),
    output: z.array(z.string()).describe('What the last worker printed: nothing, unless it could not be run.'),
  }),
});

export type HooksChange = z.infer<typeof hooksChangeSchema>;
export type HooksStatus = z.infer<typeof hooksStatusSchema>;
