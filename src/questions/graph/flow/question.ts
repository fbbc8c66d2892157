/** `git socraticode graph flow` */
import type { Command } from 'commander';
import type { GraphEntriesResponse, GraphFlowResponse } from '../../../engine/contract.js';
import { renderEntries, renderFlow } from './text.js';
import type { CommandContext } from '../../../cli/context.js';
import { wholeNumber } from '../../../cli/options.js';
import { ask, type CommonOptions, question } from '../../../cli/commands/graph/question.js';

interface Options extends CommonOptions {
  file?: string;
  depth?: number;
}

export function flowCommand(context: CommandContext): Command {
  return question(
    'flow',
    'what runs when something runs, as a tree',
    'lines of the tree (default: 200), or entry points of a kind (50)',
  )
    .argument('[entry]', 'a function, method, class or file; without one, the entry points that there are')
    .option('--file <path>', 'the one in this file, or below this directory')
    .option('--depth <n>', 'calls below calls, 1 to 10 (default: 5)', wholeNumber)
    .action((entry: string | undefined, options: Options) =>
      ask<GraphFlowResponse | GraphEntriesResponse>(
        context,
        async (session, directory) => {
          const { runFlow } = await import('./answer.js');
          return runFlow(session, { ...options, entry, directory });
        },
        {
          options,
          render: (answer, pen) => ('tree' in answer ? renderFlow(answer, pen) : renderEntries(answer, pen)),
          isEmpty: (answer) => ('tree' in answer ? answer.tree.list.length <= 1 : isEmpty(answer)),
        },
      ),
    );
}

function isEmpty({ mains, bins, routes, scripts, tests, uncalled }: GraphEntriesResponse): boolean {
  return [mains, bins, routes, scripts, uncalled].every(({ list }) => list.length === 0) && tests.files === 0;
}
