/** `git socraticode compact` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { renderCompact } from '../../questions/compact/text.js';
import type { CommandContext } from '../context.js';
import { withSession } from './pull.js';

interface Options {
  remote?: string | true;
  dryRun?: boolean;
  json?: boolean;
}

export function compactCommand(context: CommandContext): Command {
  return new Command('compact')
    .description('make the notes as small as they can be: no history, no records of blobs that nothing reaches')
    .option('--remote [name]', 'compact the notes of a remote instead')
    .option('--dry-run', 'say what would be done; change nothing')
    .option('--json', 'print the report as JSON')
    .action(({ remote, dryRun, json }: Options) =>
      withSession(context, async (session, signal) => {
        const { compactNotes } = await import('../../questions/compact/answer.js');
        const report = await compactNotes(session, { remote, dryRun, signal });
        context.io.stdout.write(json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderCompact(report));
      }),
    );
}
