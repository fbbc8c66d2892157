/** `git socraticode graph stats` */
import type { Command } from 'commander';
import { renderStats } from '../../../render/graph/stats.js';
import type { CommandContext } from '../../context.js';
import { ask, type CommonOptions, question } from './question.js';

export function statsCommand(context: CommandContext): Command {
  const limit = 'entries of each list (default: 10; 20 orphans)';
  return question('stats', 'sizes, what is most connected, and how much could be resolved', limit).action(
    (options: CommonOptions) =>
      ask(
        context,
        async (session) => {
          const { runGraphStats } = await import('../../../engine/graph/stats-operation.js');
          return runGraphStats(session, options);
        },
        { options, render: renderStats, isEmpty: ({ files }) => files === 0 },
      ),
  );
}
