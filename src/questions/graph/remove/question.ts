/** `git socraticode graph remove` */
import { Command } from 'commander';
import { safeJson } from '../../../base/hygiene.js';
import { renderGraphRemove } from '../status/text.js';
import type { CommandContext } from '../../../cli/context.js';
import { writeOut } from '../../../cli/io.js';
import { withSession } from '../../../cli/commands/pull.js';

export function graphRemoveCommand(context: CommandContext): Command {
  return new Command('remove')
    .description('delete the linked graphs kept here; the next question links again')
    .option('--json', 'print what was deleted as JSON')
    .action(({ json }: { json?: boolean }) =>
      withSession(context, async (session) => {
        const { removeGraphs } = await import('../status/answer.js');
        const report = removeGraphs(session);
        if (report.removed.files === 0) context.setExit(1);
        await writeOut(context.io, json ? `${safeJson(report)}\n` : renderGraphRemove(report));
      }),
    );
}
