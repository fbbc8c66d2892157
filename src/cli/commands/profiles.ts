/** `git socraticode profiles` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { renderProfiles } from '../../render/profiles.js';
import type { CommandContext } from '../context.js';
import { withSession } from './pull.js';

export function profilesCommand(context: CommandContext): Command {
  return new Command('profiles')
    .description('list every kind of records known here, where they are, and which of them this version uses')
    .option('--json', 'print the report as JSON')
    .action(({ json }: { json?: boolean }) =>
      withSession(context, async (session) => {
        const { readProfiles } = await import('../../engine/share/profiles-operation.js');
        const report = await readProfiles(session);
        context.io.stdout.write(json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderProfiles(report));
      }),
    );
}
