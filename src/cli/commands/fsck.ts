/** `git socraticode fsck` */
import { Command, InvalidArgumentError } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { renderFsck } from '../../questions/fsck/text.js';
import type { CommandContext } from '../context.js';
import { withSession } from './with-session.js';

interface Options {
  rederive?: number | 'all' | true;
  profile?: string;
  repair?: boolean;
  json?: boolean;
}

export function fsckCommand(context: CommandContext): Command {
  return new Command('fsck')
    .description('check records and local files; exit code 1 if something is wrong')
    .option('--rederive [n]', 'derive records again and compare them: so many, or "all" (default: 200)', sampleSize)
    .option('--profile <id>', 'only records of this profile; with --repair also if it is not the one in use')
    .option('--repair', 'set bad parts aside and make them again')
    .option('--json', 'print the report as JSON')
    .action(({ rederive, profile, repair, json }: Options) =>
      withSession(context, async (session, signal) => {
        const { DEFAULT_SAMPLE, fsck } = await import('../../questions/fsck/answer.js');
        const sample = rederive === true ? DEFAULT_SAMPLE : rederive;
        const report = await fsck(session, { rederive: sample, profile, repair, signal });
        context.io.stdout.write(json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderFsck(report));
        if (!report.ok) context.setExit(1);
      }),
    );
}

function sampleSize(text: string): number | 'all' {
  if (text === 'all') return text;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a number of records, or "all".');
  return Number(text);
}
