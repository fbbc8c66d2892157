/** `git socraticode export` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { renderExport } from '../../questions/export/text.js';
import type { CommandContext } from '../context.js';
import { withSession } from './pull.js';

interface Options {
  ref?: string;
  output?: string;
  json?: boolean;
}

export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .description('write the records of a snapshot as files to commit, for places that drop notes')
    .option('--ref <ref>', 'branch, tag or commit (default: HEAD)')
    .option('--output <dir>', 'where to (default: .socraticode at the top of the work tree)')
    .option('--json', 'print the report as JSON')
    .action(({ ref, output, json }: Options) =>
      withSession(context, async (session, signal) => {
        const { exportRecords } = await import('../../questions/export/answer.js');
        const report = await exportRecords(session, { ref, output, signal });
        context.io.stdout.write(json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderExport(report));
      }),
    );
}
