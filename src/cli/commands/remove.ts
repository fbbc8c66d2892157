/** `git socraticode remove` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { renderRemove } from '../../questions/compact/text.js';
import type { CommandContext } from '../context.js';
import { withSession } from './pull.js';

interface Options {
  remote?: string | true;
  profile?: string;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function removeCommand(context: CommandContext): Command {
  return new Command('remove')
    .description('delete the index: notes and local state, all of which can be made again')
    .option('--remote [name]', 'on a remote as well; needs --yes')
    .option('--profile <id>', 'only what belongs to this profile')
    .option('--yes', "delete a remote's records, for everybody")
    .option('--dry-run', 'say what would be deleted; change nothing')
    .option('--json', 'print the report as JSON')
    .action(({ json, ...options }: Options) =>
      withSession(context, async (session, signal) => {
        const { removeIndex } = await import('../../questions/remove/answer.js');
        const report = await removeIndex(session, { ...options, signal });
        context.io.stdout.write(json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderRemove(report));
      }),
    );
}
