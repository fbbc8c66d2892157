/** `git socraticode graph status` */
import { Command } from 'commander';
import { safeJson } from '../../../base/hygiene.js';
import { createPen } from '../../writing/pen.js';
import { renderGraphStatus } from './text.js';
import type { CommandContext } from '../../../cli/context.js';
import { writeOut } from '../../../cli/io.js';
import { withSession } from '../../../cli/commands/pull.js';

interface Options {
  ref?: string;
  json?: boolean;
}

export function graphStatusCommand(context: CommandContext): Command {
  return new Command('status')
    .description('say whether a graph is linked, how much of it is resolved, and what is kept; links nothing')
    .option('--ref <ref>', 'branch, tag or commit (default: HEAD)')
    .option('--json', 'print the status as JSON')
    .action(({ ref, json }: Options) =>
      withSession(context, async (session) => {
        const { readGraphStatus } = await import('./answer.js');
        const status = await readGraphStatus(session, { ref });
        if (status.state === 'none') context.setExit(1);
        await writeOut(context.io, json ? `${safeJson(status)}\n` : renderGraphStatus(status, createPen(context.io)));
      }),
    );
}
