/** `git socraticode graph stats` */
import type { Command } from 'commander';
import { renderStats } from './text.js';
import type { CommandContext } from '../../../cli/context.js';
import { ask, type CommonOptions, question } from '../../../cli/commands/graph/question.js';

export function statsCommand(context: CommandContext): Command {
  const limit = 'entries of each list (default: 10; 20 orphans)';
  return question('stats', 'sizes, what is most connected, and how much could be resolved', limit).action(
    (options: CommonOptions) =>
      ask(
        context,
        async (session) => {
          const { runGraphStats } = await import('./answer.js');
          return runGraphStats(session, options);
        },
        { options, render: renderStats, isEmpty: ({ files }) => files === 0 },
      ),
  );
}
