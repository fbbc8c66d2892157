/** `git socraticode diff` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { createPen } from '../../questions/writing/pen.js';
import { renderDiff } from '../../render/diff.js';
import type { CommandContext } from '../context.js';
import { writeOut } from '../io.js';
import { collectGlob, wholeNumber } from '../options.js';

interface Options {
  path?: string[];
  limit?: number;
  json?: boolean;
}

export function diffCommand(context: CommandContext): Command {
  return new Command('diff')
    .description('list the symbols added, removed, moved and changed between two refs; exits with 1 if there are none')
    .argument('<refs...>', 'A (compared with HEAD), A B, A..B, or A...B (since they parted)')
    .option('--path <glob>', 'only these paths; "!glob" excludes; repeatable', collectGlob)
    .option('--limit <n>', 'symbols listed (default: 500)', wholeNumber)
    .option('--json', 'print the differences as JSON')
    .action((refs: string[], options: Options) => run(context, refs, options));
}

async function run({ io, directory, setExit }: CommandContext, refs: string[], options: Options): Promise<void> {
  const { Session } = await import('../../session/session.js');
  const { runDiff } = await import('../../engine/history/diff-operation.js');
  const session = await Session.open({ directory: directory() });
  try {
    const { path, limit } = options;
    const response = await runDiff(session, { refs, path, limit });
    if (response.files.length === 0) setExit(1);
    await writeOut(io, options.json ? `${safeJson(response)}\n` : renderDiff(response, createPen(io)));
  } finally {
    session.close();
  }
}
