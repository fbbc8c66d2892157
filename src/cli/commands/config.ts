/** `git socraticode config` */
import { Command } from 'commander';
import { safeJson, visibleLine } from '../../base/hygiene.js';
import type { CommandContext } from '../context.js';

interface Options {
  ref?: string;
  showOrigin?: boolean;
  json?: boolean;
}

export function configCommand(context: CommandContext): Command {
  return new Command('config')
    .description('print the settings in effect')
    .option('--show-origin', 'print where each value comes from')
    .option('--ref <ref>', 'settings of this ref instead of the work tree')
    .option('--json', 'print values and origins as JSON')
    .action((options: Options) => run(context, options));
}

async function run({ io, directory }: CommandContext, options: Options): Promise<void> {
  const { Session } = await import('../../session/session.js');
  const { readConfig } = await import('../../questions/config/answer.js');
  const session = await Session.open({ directory: directory() });
  try {
    const report = await readConfig(session, options.ref);
    if (options.json) {
      io.stdout.write(`${safeJson(report)}\n`);
      return;
    }
    const width = Math.max(...report.values.map(({ origin }) => origin.length));
    for (const { key, value, origin } of report.values) {
      const prefix = options.showOrigin ? `${visibleLine(origin).padEnd(width)}  ` : '';
      io.stdout.write(`${prefix}${key}=${visibleLine(typeof value === 'string' ? value : JSON.stringify(value))}\n`);
    }
  } finally {
    session.close();
  }
}
