/** `git socraticode share enable|disable|status` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import type { ShareAction } from '../../questions/share/answer.js';
import { renderShare } from '../../questions/share/text.js';
import type { CommandContext } from '../context.js';
import { withSession } from './pull.js';

const ACTIONS: readonly (readonly [ShareAction, string])[] = [
  ['enable', 'let a plain `git fetch` bring the index, too'],
  ['disable', 'take that back'],
  ['status', 'say what is shared, and what only one side has (as of the last fetch)'],
];

export function shareCommand(context: CommandContext): Command {
  const group = new Command('share').description('configure how the index travels with a remote');
  for (const [action, description] of ACTIONS) {
    group
      .command(action)
      .description(description)
      .argument('[remote]', "a configured remote (default: the current branch's, or origin)")
      .option('--json', 'print the report as JSON')
      .action((remote: string | undefined, { json }: { json?: boolean }) =>
        withSession(context, async (session) => {
          const { shareIndex } = await import('../../questions/share/answer.js');
          const report = await shareIndex(session, action, remote);
          context.io.stdout.write(json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderShare(report));
        }),
      );
  }
  return group;
}
