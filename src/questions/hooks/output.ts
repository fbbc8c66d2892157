/** Documents of `hooks install`, `hooks uninstall` and `hooks status`. */
import * as s from '../../params/shape.js';
import { count } from '../output-parts.js';

const manager = s
  .enum(['files', 'config', 'husky', 'lefthook', 'pre-commit'])
  .describe('Who looks after hooks here: files of git, entries of its configuration, or another tool.');
const event = s.enum(['post-commit', 'post-merge', 'post-checkout', 'post-rewrite', 'post-applypatch', 'pre-push']);

const byHand = s
  .string()
  .nullable()
  .describe('What to add by hand, where nothing can or should be written; null if nothing is left to do.');

export const hooksChangeSchema = s.object({
  schemaVersion: s.literal(1),
  action: s.enum(['install', 'uninstall']),
  manager,
  managerFile: s.string().nullable().describe("The tool's own file, where what `byHand` says belongs."),
  directory: s.string().nullable().describe('Where the hooks are; null if that cannot be said.'),
  committed: s.boolean().describe('The files are part of the work tree: others get them with the next commit.'),
  written: s.boolean().describe('False with `print`, and where nothing had to change.'),
  hooks: s.array(
    s.object({
      event,
      path: s.string().describe("File, or section of git's configuration."),
      change: s.enum(['create', 'add', 'update', 'remove', 'delete', 'none', 'refuse']),
      reason: s.string().nullable().describe('Why a hook is left as it is.'),
      text: s.string().nullable().describe('With `print`: what the file would hold.'),
    }),
  ),
  byHand,
});

export const hooksStatusSchema = s.object({
  schemaVersion: s.literal(1),
  manager,
  managerFile: s.string().nullable(),
  directory: s.string().nullable(),
  refusal: s.string().nullable().describe('Why hooks cannot be installed here.'),
  hooks: s.array(
    s.object({
      event,
      state: s
        .enum(['installed', 'outdated', 'foreign', 'absent'])
        .describe('Foreign: there is a hook, but not of ours. Outdated: of another version.'),
      path: s.string(),
    }),
  ),
  tool: s.string().nullable().describe('The program as PATH finds it; null if hooks have to name it themselves.'),
  fallback: s.string().nullable().describe('The program that the post-commit hook names, if it is still there.'),
  worker: s.integer().nullable().describe('Process that is serving the queue.'),
  queued: count.describe('Events that wait for it.'),
  log: s.object({
    path: s.string(),
    lines: s.array(s.string()).describe('The last ones of workers.'),
    output: s.array(s.string()).describe('What the last worker printed: nothing, unless it could not be run.'),
  }),
});

export type HooksChange = s.Infer<typeof hooksChangeSchema>;
export type HooksStatus = s.Infer<typeof hooksStatusSchema>;
