/** `git socraticode status` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { renderStatus } from '../../questions/status/text.js';
import type { CommandContext } from '../context.js';

export function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .description('say what is indexed, what is not and why, and what to type next')
    .option('--ref <ref>', 'branch, tag or commit (default: HEAD)')
    .option('--json', 'print the status as JSON')
    .action(async (options: { ref?: string; json?: boolean }) => {
      const { Session } = await import('../../session/session.js');
      const { readStatus } = await import('../../questions/status/answer.js');
      const session = await Session.open({ directory: context.directory() });
      try {
        const status = await readStatus(session, options.ref);
        context.io.stdout.write(options.json ? `${safeJson(status)}\n` : renderStatus(status));
      } finally {
        session.close();
      }
    });
}
