/** `git socraticode graph outline` */
import type { Command } from 'commander';
import { renderOutline } from '../../../render/graph/outline.js';
import type { CommandContext } from '../../program.js';
import { ask, type CommonOptions, question } from './question.js';

interface Options extends CommonOptions {
  signatures?: boolean;
  docs?: boolean;
  all?: boolean;
}

export function outlineCommand(context: CommandContext): Command {
  return question('outline', 'what files define: names and lines, without bodies', 'symbols of a file (default: 500)')
    .argument('<files...>', 'paths, or the ends of some')
    .option('--signatures', 'declarations, too')
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
          render: (answer, pen) => renderOutline(answer, pen, options),
          isEmpty: (answer) => answer.files.every(({ symbols }) => symbols.length === 0),
        },
      ),
    );
}
