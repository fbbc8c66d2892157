/** `git socraticode similar` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { createPen } from '../../questions/writing/pen.js';
import { renderSimilar } from '../../render/search-results.js';
import type { SimilarOptions } from '../../session/search/searcher.js';
import type { CommandContext } from '../context.js';
import { writeOut } from '../io.js';
import { type FilterOptions, wholeNumber, withFilters } from '../options.js';

interface Options extends FilterOptions {
  json?: boolean;
  content: boolean;
  lines: number;
}

const DEFAULT_LINES = 8;

export function similarCommand(context: CommandContext): Command {
  const command = new Command('similar')
    .description('find code that resembles a place: the nearest chunks by meaning')
    .argument('<place>', 'a file, from the top of the repository, and a line: src/index.ts:42');
  return withFilters(command)
    .option('--json', 'print the answer as JSON')
    .option('--no-content', 'leave the text out')
    .option('--lines <n>', 'lines shown of each result, 0 for all', wholeNumber, DEFAULT_LINES)
    .action((place: string, options: Options) => run(context, place, options));
}

async function run({ io, directory, setExit }: CommandContext, place: string, options: Options): Promise<void> {
  const { Session } = await import('../../session/session.js');
  const { Searcher } = await import('../../session/search/searcher.js');
  const session = await Session.open({ directory: directory(), readOnly: true });
  const { ref, committed, limit, path, lang, kind } = options;
  const asked: SimilarOptions = { place, ref, committed, limit, path, lang, kind, noContent: !options.content };
  try {
    const response = await new Searcher(session).similar(asked);
    if (response.results.length === 0) setExit(1);
    await writeOut(
      io,
      options.json ? `${safeJson(response)}\n` : renderSimilar(response, { pen: createPen(io), lines: options.lines }),
    );
  } finally {
    session.close();
  }
}
