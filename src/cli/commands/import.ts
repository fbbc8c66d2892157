/** `git socraticode import` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { renderImport } from '../../questions/export/text.js';
import type { CommandContext } from '../context.js';
import { withSession } from './pull.js';

interface Options {
  ref?: string;
  json?: boolean;
}

export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .description('bring records from files that `export` wrote into the local notes')
    .argument('[dir]', 'where from (default: .socraticode of the work tree, or of HEAD)')
    .option('--ref <ref>', 'take .socraticode of this ref')
    .option('--json', 'print the report as JSON')
    .action((directory: string | undefined, { ref, json }: Options) =>
      withSession(context, async (session, signal) => {
        const { importRecords } = await import('../../questions/export/answer.js');
        const report = await importRecords(session, { ref, directory, signal });
        if (report.profiles.length === 0) context.setExit(1);
        context.io.stdout.write(json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderImport(report));
      }),
    );
}
