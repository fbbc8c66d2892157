/** `git socraticode profiles` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { renderProfiles } from '../../questions/profiles/text.js';
import type { CommandContext } from '../context.js';
import { withSession } from './pull.js';

export function profilesCommand(context: CommandContext): Command {
  return new Command('profiles')
    .description('list every kind of records known here, where they are, and which of them this version uses')
    .option('--json', 'print the report as JSON')
    .action(({ json }: { json?: boolean }) =>
      withSession(context, async (session) => {
        const { readProfiles } = await import('../../questions/profiles/answer.js');
        const report = await readProfiles(session);
        context.io.stdout.write(json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderProfiles(report));
      }),
    );
}
