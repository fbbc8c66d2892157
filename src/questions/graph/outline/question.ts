/** `git socraticode graph outline` */
import type { Command } from 'commander';
import { renderMap } from './map/text.js';
import { renderOutline } from './text.js';
import type { CommandContext } from '../../../cli/context.js';
import { wholeNumber } from '../../../cli/options.js';
import { ask, type CommonOptions, question } from '../../../cli/commands/graph/question.js';

interface Options extends CommonOptions {
  signatures?: boolean;
  docs?: boolean;
  all?: boolean;
  maxTokens?: number;
}

export function outlineCommand(context: CommandContext): Command {
  return question('outline', 'what files define: names and lines, without bodies', 'symbols of a file (default: 500)')
    .argument('[files...]', 'paths, the ends of some, or globs; of a directory, or of nothing, a map by centrality')
    .option('--max-tokens <n>', 'budget of a map (default: 4000)', wholeNumber)
    .option('--signatures', 'declarations, too (in a map in any case)')
    .option('--docs', 'first lines of comments, too')
    .option('--all', 'what is not exported on lines of its own, too, not by name and line alone')
    .action((files: string[], options: Options) =>
      ask(
        context,
        async (session, directory) => {
          const { runOutline } = await import('./answer.js');
          return runOutline(session, { ...options, files, directory });
        },
        {
          options,
          render: (answer, pen) => ('folders' in answer ? renderMap(answer, pen) : renderOutline(answer, pen, options)),
          isEmpty: (answer) =>
            'folders' in answer ? answer.folderCount === 0 : answer.files.every(({ symbols }) => symbols.length === 0),
        },
      ),
    );
}
