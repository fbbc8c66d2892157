/** `git socraticode index` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import type { ParserPool } from '../../engine/parsers.js';
import type { CommandContext } from '../program.js';
import { renderDryRun, renderIndexReport } from '../render/index-report.js';

interface Options {
  ref?: string;
  json?: boolean;
  dryRun?: boolean;
}

export function indexCommand(context: CommandContext): Command {
  return new Command('index')
    .description('index what a ref holds and no record covers yet')
    .option('--ref <ref>', 'branch, tag or commit (default: HEAD)')
    .option('--dry-run', 'say what would be done and what it would cost; write nothing')
    .option('--json', 'print the report as JSON')
    .action((options: Options) => run(context, options));
}

async function run({ io, directory }: CommandContext, options: Options): Promise<void> {
  const { startParsers } = await import('../../engine/parsers.js');
  const parsers = options.dryRun ? undefined : startParsers();
  try {
    await runWith(parsers, { io, directory }, options);
  } finally {
    parsers?.stop();
  }
}

type Context = Pick<CommandContext, 'io' | 'directory'>;

async function runWith(parsers: ParserPool | undefined, { io, directory }: Context, options: Options): Promise<void> {
  const { Session } = await import('../../engine/session.js');
  const { dryRun, indexRef } = await import('../../engine/index-operation.js');
  const session = await Session.open({ directory: directory() });
  const cancel = new AbortController();
  const stop = () => cancel.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    if (options.dryRun) {
      const plan = await dryRun(session, { ref: options.ref });
      io.stdout.write(options.json ? `${safeJson({ schemaVersion: 1, ...plan })}\n` : renderDryRun(plan));
      return;
    }
    const report = await indexRef(session, { ref: options.ref, signal: cancel.signal, parsers });
    io.stdout.write(options.json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderIndexReport(report));
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    session.close();
  }
}
