/** `git socraticode graph outline` */
import type { Command } from 'commander';
import { renderMap } from '../../../render/graph/map.js';
import { renderOutline } from '../../../render/graph/outline.js';
import type { CommandContext } from '../../context.js';
import { wholeNumber } from '../../options.js';
import { ask, type CommonOptions, question } from './question.js';

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
          const { runOutline } = await import('../../../engine/graph/outline-operation.js');
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
