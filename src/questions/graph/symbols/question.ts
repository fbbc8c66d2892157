/** `git socraticode graph symbols` */
import type { Command } from 'commander';
import { renderSymbols } from './text.js';
import type { CommandContext } from '../../../cli/context.js';
import { collectList } from '../../../cli/options.js';
import { ask, type CommonOptions, question } from '../../../cli/commands/graph/question.js';

interface Options extends CommonOptions {
  file?: string;
  query?: string;
  kind?: string[];
}

export function symbolsCommand(context: CommandContext): Command {
  return question('symbols', 'what files define, or what has such a name', 'symbols (default: 100)')
    .argument('[query]', 'part of a name, or the beginnings of its words: gUN finds getUserName')
    .option('--file <path>', 'only this file, or what is below this directory')
    .option('--query <part>', 'the same as the argument')
    .option('--kind <kind>', 'only these kinds (function, class, method…); repeatable', collectList)
    .action((query: string | undefined, options: Options) =>
      ask(
        context,
        async (session, directory) => {
          const { runSymbols } = await import('./answer.js');
          return runSymbols(session, { ...options, query: options.query ?? query, directory });
        },
        { options, render: renderSymbols, isEmpty: ({ total }) => total === 0 },
      ),
    );
}
