/** `git socraticode history` */
import { Command } from 'commander';
import { SocraticodeError } from '../../base/errors.js';
import { safeJson } from '../../base/hygiene.js';
import type { HistoryOptions } from '../../engine/history/history-operation.js';
import { createPen } from '../../questions/writing/pen.js';
import { renderHistory } from '../../render/history.js';
import type { CommandContext } from '../context.js';
import { writeOut } from '../io.js';
import { collectGlob, wholeNumber } from '../options.js';

interface Options extends Omit<HistoryOptions, 'query' | 'path' | 'noContent'> {
  path?: string[];
  json?: boolean;
  content: boolean;
  events?: boolean;
  lines: number;
}

const DEFAULT_LINES = 4;

export function historyCommand(context: CommandContext): Command {
  return new Command('history')
    .description('say when code appeared, changed, moved and disappeared; finds deleted code too')
    .argument('[query...]', 'a symbol (Cart.total), or what the code is about')
    .option('--ref <ref>', 'branch, tag or commit whose history is read (default: HEAD)')
    .option('--limit <n>', 'results, 1 to 100 (default: 10)', wholeNumber)
    .option('--deleted', 'only code that is gone')
    .option('--words', 'take a single name for a word to look for')
    .option('--max-commits <n>', 'walk so many commits (default: all for a symbol, 1,000 for words)', wholeNumber)
    .option('--since <date>', 'walk commits since this date only: 2024-05-31, "3 months ago"')
    .option('--path <glob>', 'only these paths; "!glob" excludes; repeatable', collectGlob)
    .option('--events', 'list every event of each result')
    .option('--no-content', 'leave the text out')
    .option('--lines <n>', 'lines shown of each result, 0 for all', wholeNumber, DEFAULT_LINES)
    .option('--json', 'print the answer as JSON')
    .action((words: string[], options: Options) => run(context, words, options));
}

async function run({ io, directory, setExit }: CommandContext, words: string[], options: Options): Promise<void> {
  const query = words.join(' ');
  if (query.trim() === '') throw new SocraticodeError('EMPTY_QUERY', 'the query is empty');
  const { Session } = await import('../../session/session.js');
  const { runHistory } = await import('../../engine/history/history-operation.js');
  const session = await Session.open({ directory: directory() });
  const { ref, limit, deleted, words: asWords, maxCommits, since, path, content, json, lines, events } = options;
  try {
    const asked = { query, ref, limit, deleted, words: asWords, maxCommits, since, path, noContent: !content };
    const response = await runHistory(session, asked);
    if (response.results.length === 0) setExit(1);
    await writeOut(
      io,
      json ? `${safeJson(response)}\n` : renderHistory(response, { pen: createPen(io), lines, events }),
    );
  } finally {
    session.close();
  }
}
