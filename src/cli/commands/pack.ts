/** `git socraticode pack` */
import { Command } from 'commander';
import { SocraticodeError } from '../../base/errors.js';
import { safeJson } from '../../base/hygiene.js';
import type { PackOptions } from '../../engine/pack/pack-operation.js';
import { renderFooter } from '../../questions/graph/text-parts.js';
import { createPen } from '../../questions/writing/pen.js';
import { renderPack } from '../../render/pack.js';
import type { CommandContext } from '../context.js';
import { writeOut } from '../io.js';
import { collectGlob, wholeNumber } from '../options.js';

interface Options extends Pick<PackOptions, 'ref' | 'committed' | 'maxTokens'> {
  path?: string[];
  tests: boolean;
  stdin?: boolean;
  json?: boolean;
}

export function packCommand(context: CommandContext): Command {
  return new Command('pack')
    .description('collect what a task needs, within a budget of tokens: code, declarations around it, tests')
    .argument('[task...]', 'what is to be done or understood; names and places (src/a.ts:12) in it are looked up')
    .option('--max-tokens <n>', 'budget, 500 to 100000 (default: 12000)', wholeNumber)
    .option('--ref <ref>', 'branch, tag or commit (default: HEAD and what is not committed yet)')
    .option('--committed', 'leave uncommitted files out')
    .option('--path <glob>', 'only these paths; "!glob" excludes; repeatable', collectGlob)
    .option('--no-tests', 'leave tests out')
    .option('--stdin', 'read the task from stdin: the output of a failing test, an issue')
    .option('--json', 'print the answer as JSON')
    .action((words: string[], options: Options) => run(context, words, options));
}

async function run({ io, directory, setExit }: CommandContext, words: string[], options: Options): Promise<void> {
  const parts = [words.join(' '), options.stdin ? await readAll(io.stdin) : ''];
  const task = parts.filter((part) => part.trim() !== '').join('\n');
  if (task === '') throw new SocraticodeError('EMPTY_QUERY', 'the task is empty');
  const { Session } = await import('../../session/session.js');
  // Git answers while the rest is loaded.
  const opening = Session.open({ directory: directory() });
  opening.catch(() => {});
  const { openSources, runPack } = await import('../../engine/pack/pack-operation.js');
  const session = await opening;
  try {
    const { ref, committed, maxTokens, path, tests } = options;
    const asked = { task, ref, committed, maxTokens, path, tests };
    const pack = await runPack(session, asked, await openSources(session));
    if (pack.items.length === 0) setExit(1);
    const pen = createPen(io);
    await writeOut(io, options.json ? `${safeJson(pack)}\n` : renderPack(pack, pen) + renderFooter(pack, pen));
  } finally {
    session.close();
  }
}

/** More is no task but a log: its beginning says what failed. */
const MAX_STDIN = 1 << 20;

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    parts.push(Buffer.from(part));
    bytes += parts[parts.length - 1].length;
    if (bytes >= MAX_STDIN) break;
  }
  return Buffer.concat(parts).toString('utf8', 0, MAX_STDIN);
}
