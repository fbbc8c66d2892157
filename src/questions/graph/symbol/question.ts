/** `git socraticode graph symbol` */
import type { Command } from 'commander';
import { renderSymbol } from './text.js';
import type { CommandContext } from '../../../cli/context.js';
import { ask, type CommonOptions, question } from '../../../cli/commands/graph/question.js';

interface Options extends CommonOptions {
  file?: string;
}

export function symbolCommand(context: CommandContext): Command {
  return question(
    'symbol',
    'one definition: who calls it, what it calls, its relatives, its tests',
    'entries of each list (default: 30)',
  )
    .argument('<name>', 'total, Cart.total, src/cart.ts:Cart.total or src/cart.ts:42')
    .option('--file <path>', 'the one in this file, or below this directory')
    .action((name: string, options: Options) =>
      ask(
        context,
        async (session, directory) => {
          const { runSymbol } = await import('./answer.js');
          return runSymbol(session, { ...options, name, directory });
        },
        { options, render: renderSymbol },
      ),
    );
}
