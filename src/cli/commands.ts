/** The commands, in the order of `--help`; each is loaded when it is asked for. */
import type { Command } from 'commander';
import type { CommandContext } from './context.js';

export type MakeCommand = (context: CommandContext) => Command;

/** What stands behind a command's name decides what of a group of commands is loaded. */
const COMMANDS: Readonly<Record<string, (rest: readonly string[]) => Promise<MakeCommand>>> = {
  index: async () => (await import('./commands/index.js')).indexCommand,
  search: async () => (await import('./commands/search.js')).searchCommand,
  pack: async () => (await import('./commands/pack.js')).packCommand,
  similar: async () => (await import('./commands/similar.js')).similarCommand,
  history: async () => (await import('./commands/history.js')).historyCommand,
  diff: async () => (await import('./commands/diff.js')).diffCommand,
  graph: async (rest) => (await import('./commands/graph.js')).loadGraph(rest),
  context: async () => (await import('./commands/context.js')).contextCommand,
  status: async () => (await import('./commands/status.js')).statusCommand,
  watch: async () => (await import('./commands/watch.js')).watchCommand,
  mcp: async () => (await import('./commands/mcp.js')).mcpCommand,
  config: async () => (await import('./commands/config.js')).configCommand,
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand,
  hooks: async () => (await import('./commands/hooks.js')).hooksCommand,
  push: async () => (await import('./commands/push.js')).pushCommand,
  pull: async () => (await import('./commands/pull.js')).pullCommand,
  share: async () => (await import('./commands/share.js')).shareCommand,
  export: async () => (await import('./commands/export.js')).exportCommand,
  import: async () => (await import('./commands/import.js')).importCommand,
  profiles: async () => (await import('./commands/profiles.js')).profilesCommand,
  fsck: async () => (await import('./commands/fsck.js')).fsckCommand,
  compact: async () => (await import('./commands/compact.js')).compactCommand,
  remove: async () => (await import('./commands/remove.js')).removeCommand,
};

/** Global options that stand before a command; the first takes a value. */
const BEFORE = ['-C', '-v', '--verbose'];

/** The command that `args` name; all of them where none is named, for help and for suggestions. */
export function loadCommands(args: readonly string[]): Promise<MakeCommand[]> {
  let at = 0;
  while (BEFORE.includes(args[at])) at += args[at] === BEFORE[0] ? 2 : 1;
  const name = args[at] ?? '';
  const loaders = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]] : Object.values(COMMANDS);
  return Promise.all(loaders.map((load) => load(args.slice(at + 1))));
}
