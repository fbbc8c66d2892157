/** `git socraticode graph`: a group of questions, each loaded when it is asked. */
import { Command } from 'commander';
import { loadQuestions } from '../../questions/table.js';
import type { MakeCommand } from '../commands.js';

/** A question that is declared in `questions/`. */
async function declared(name: string): Promise<MakeCommand> {
  const [[question], { commandOf }] = await Promise.all([loadQuestions(name.split(' ')), import('../command.js')]);
  return (context) => commandOf(question, context);
}

const QUESTIONS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  deps: async () => (await import('./graph/deps.js')).depsCommand,
  symbol: async () => (await import('./graph/symbol.js')).symbolCommand,
  references: async () => (await import('./graph/references.js')).referencesCommand,
  impact: () => declared('graph impact'),
  flow: async () => (await import('./graph/flow.js')).flowCommand,
  path: async () => (await import('./graph/path.js')).pathCommand,
  outline: async () => (await import('./graph/outline.js')).outlineCommand,
  symbols: async () => (await import('./graph/symbols.js')).symbolsCommand,
  stats: async () => (await import('./graph/stats.js')).statsCommand,
  cycles: async () => (await import('./graph/cycles.js')).cyclesCommand,
  visualize: async () => (await import('./graph/visualize.js')).visualizeCommand,
  status: async () => (await import('./graph/status.js')).graphStatusCommand,
  remove: async () => (await import('./graph/remove.js')).graphRemoveCommand,
};

/** The group with the question that `args` name; with all of them where none is named. */
export async function loadGraph(args: readonly string[]): Promise<MakeCommand> {
  const name = args[0] ?? '';
  const loaders = Object.hasOwn(QUESTIONS, name) ? [QUESTIONS[name]] : Object.values(QUESTIONS);
  const questions = await Promise.all(loaders.map((load) => load()));
  return (context) => {
    const group = new Command('graph').description(
      'ask who imports, calls and inherits what, and what a change breaks',
    );
    for (const question of questions) group.addCommand(question(context));
    return group;
  };
}
