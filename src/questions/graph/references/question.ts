/** `git socraticode graph references` */
import type { Command } from 'commander';
import { renderReferences } from './text.js';
import type { CommandContext } from '../../../cli/context.js';
import { ask, type CommonOptions, question } from '../../../cli/commands/graph/question.js';

interface Options extends CommonOptions {
  file?: string;
}

export function referencesCommand(context: CommandContext): Command {
  return question(
    'references',
    'every use: calls, types, inheritance, imports; exits with 1 if there are none',
    'uses (default: 100)',
  )
    .argument('<name>', 'total, Cart.total, src/cart.ts:Cart.total, src/cart.ts:42 or a file')
    .option('--file <path>', 'the one in this file, or below this directory')
    .action((name: string, options: Options) =>
      ask(
        context,
        async (session, directory) => {
          const { runReferences } = await import('./answer.js');
          return runReferences(session, { ...options, name, directory });
        },
        {
          options,
          render: renderReferences,
          isEmpty: ({ uses, possible }) => uses.list.length + possible.list.length === 0,
        },
      ),
    );
}
