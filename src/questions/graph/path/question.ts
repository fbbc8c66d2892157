/** `git socraticode graph path` */
import type { Command } from 'commander';
import { renderPath } from './text.js';
import type { CommandContext } from '../../../cli/context.js';
import { ask, type CommonOptions, question } from '../../../cli/commands/graph/question.js';

interface Options extends CommonOptions {
  reverse?: boolean;
}

export function pathCommand(context: CommandContext): Command {
  return question(
    'path',
    'the shortest way from one to another by calls and uses, else by imports',
    'candidates of an ambiguous name (default: 20)',
  )
    .argument('<from>', 'a symbol or a file')
    .argument('<to>', 'another one')
    .option('--reverse', 'the other way round')
    .action((from: string, to: string, options: Options) =>
      ask(
        context,
        async (session, directory) => {
          const { runPath } = await import('./answer.js');
          return runPath(session, { ...options, from, to, directory });
        },
        { options, render: renderPath, isEmpty: ({ path }) => path === null },
      ),
    );
}
