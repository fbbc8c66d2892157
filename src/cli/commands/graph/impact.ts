/** `git socraticode graph impact` */
import { type Command, InvalidArgumentError } from 'commander';
import { renderImpact } from '../../../render/graph/impact.js';
import { wholeNumber } from '../../options.js';
import type { CommandContext } from '../../program.js';
import { ask, type CommonOptions, question } from './question.js';

interface Options extends CommonOptions {
  file?: string;
  depth?: number;
  minConfidence?: number;
}

export function impactCommand(context: CommandContext): Command {
  return question(
    'impact',
    'what may break when something changes, hop by hop, and which tests to run',
    'entries of each list (default: 50)',
  )
    .argument('[target]', 'a symbol, a file, or A..B; without one, what is not committed yet')
    .option('--file <path>', 'the symbol in this file, or below this directory')
    .option('--depth <n>', 'hops, 1 to 10 (default: 3)', wholeNumber)
    .option('--min-confidence <p>', 'leave out what is less likely, 0 to 1 (default: 0)', share)
    .action((target: string | undefined, options: Options) =>
      ask(
        context,
        async (session, directory) => {
          const { runImpact } = await import('../../../engine/graph/impact-operation.js');
          return runImpact(session, { ...options, target, directory });
        },
        {
          options,
          render: renderImpact,
          isEmpty: ({ affected, tests, changes }) =>
            affected + tests.list.length === 0 &&
            !(changes && changes.symbols.list.length + changes.removed.list.length),
        },
      ),
    );
}

function share(text: string): number {
  if (!/^(?:0|1|0?\.\d+|1\.0+)$/.test(text)) throw new InvalidArgumentError('It takes a number from 0 to 1.');
  return Number(text);
}
