/** `git socraticode graph deps` */
import type { Command } from 'commander';
import { renderDeps } from './text.js';
import type { CommandContext } from '../../../cli/context.js';
import { wholeNumber } from '../../../cli/options.js';
import { ask, type CommonOptions, question } from '../../../cli/commands/graph/question.js';

interface Options extends CommonOptions {
  transitive?: boolean;
  depth?: number;
}

export function depsCommand(context: CommandContext): Command {
  return question('deps', 'what a file imports, and which files import it', 'entries of each list (default: 50)')
    .argument('<file>', 'a path, or the end of one')
    .option('--transitive', 'imports of imports, too')
    .option('--depth <n>', 'how far; implies --transitive (default: 5)', wholeNumber)
    .action((file: string, options: Options) =>
      ask(
        context,
        async (session, directory) => {
          const { runDeps } = await import('./answer.js');
          return runDeps(session, { ...options, file, directory });
        },
        {
          options,
          render: renderDeps,
          isEmpty: ({ imports, external, unresolved, dependents }) =>
            [imports, external, unresolved, dependents].every(({ list }) => list.length === 0),
        },
      ),
    );
}
