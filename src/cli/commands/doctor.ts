/** `git socraticode doctor` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { isVerbose, setLogLevel } from '../../base/log.js';
import { renderDoctor } from '../../questions/doctor/text.js';
import { createPen } from '../../questions/writing/pen.js';
import type { CommandContext } from '../context.js';

interface Options {
  online?: boolean;
  json?: boolean;
}

export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description('check the program, the settings, hooks, locks and the index here, and say what to do; writes nothing')
    .option('--online', 'ask the remote and the embedder, too')
    .option('--json', 'print the report as JSON')
    .action((options: Options) => run(context, options));
}

async function run({ io, directory, setExit }: CommandContext, { online, json }: Options): Promise<void> {
  // Whatever would be warned of is in the report.
  if (!isVerbose()) setLogLevel('error');
  const { readDoctor } = await import('../../questions/doctor/answer.js');
  const cancel = new AbortController();
  const stop = () => cancel.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const report = await readDoctor({ directory: directory(), online, signal: cancel.signal });
    io.stdout.write(json ? `${safeJson(report)}\n` : renderDoctor(report, createPen(io)));
    if (!report.ok) setExit(1);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
