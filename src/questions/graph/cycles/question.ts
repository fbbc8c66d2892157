/** `git socraticode graph cycles` */
import type { Command } from 'commander';
import { renderCycles } from './text.js';
import type { CommandContext } from '../../../cli/context.js';
import { ask, type CommonOptions, question } from '../../../cli/commands/graph/question.js';

interface Options extends CommonOptions {
  types?: boolean;
  symbols?: boolean;
}

export function cyclesCommand(context: CommandContext): Command {
  return question(
    'cycles',
    'files that import each other in circles; exits with 1 if there are none',
    'groups (default: 20)',
  )
    .option('--types', 'let imports of types alone count')
    .option('--symbols', 'functions that call each other instead')
    .action((options: Options) =>
      ask(
        context,
        async (session) => {
          const { runCycles } = await import('./answer.js');
          return runCycles(session, options);
        },
        { options, render: renderCycles, isEmpty: ({ count }) => count === 0 },
      ),
    );
}
