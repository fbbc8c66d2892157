/** The commands, in the order of `--help`; each is loaded when it is asked for. */
import { Command } from 'commander';
import { COMMAND_GROUPS, GROUPS, type Group, globalLength } from '../questions/question.js';
import { loadQuestions, namesMeant, QUESTION_NAMES } from '../questions/table.js';
import type { CommandContext } from './context.js';

export type MakeCommand = (context: CommandContext) => Command;

/** A command by its words: `search`, `graph impact`. */
interface NamedCommand {
  name: string;
  make: MakeCommand;
  group: Group | undefined;
  hidden?: boolean;
}

/** The command that `args` name; all of them where none is named, for help and for suggestions. */
export async function loadCommands(args: readonly string[]): Promise<MakeCommand[]> {
  let at = 0;
  while (at < args.length && globalLength(args, at) > 0) at += globalLength(args, at);
  const found = await loadDeclared(namesMeant(args.slice(at), QUESTION_NAMES));
  // The name of a question that only agents ask is no command: all are loaded, for the suggestion.
  return found.length === 0 && args.length > 0 ? loadCommands([]) : joinGroups(found);
}

async function loadDeclared(names: readonly string[]): Promise<NamedCommand[]> {
  const [questions, { commandOf }] = await Promise.all([loadQuestions(names), import('./command.js')]);
  return questions.flatMap((question) => {
    const { name, command } = question;
    if (command === undefined) return [];
    const { group, hidden } = command;
    return [{ name, make: (context: CommandContext) => commandOf(question, context), group, hidden }];
  });
}

/** Commands of two words become members of the command that their first word names. */
function joinGroups(commands: readonly NamedCommand[]): MakeCommand[] {
  const groups = new Map<string, NamedCommand[]>();
  for (const each of commands) {
    const [first] = each.name.split(' ');
    groups.set(first, [...(groups.get(first) ?? []), each]);
  }
  const order = ({ group }: NamedCommand) => (group === undefined ? GROUPS.length : GROUPS.indexOf(group));
  const tops = [...groups].map(([first, members]): NamedCommand => {
    const own = members.find(({ name }) => name === first);
    if (own !== undefined && members.length === 1) return own;
    const { summary, group } = own === undefined ? COMMAND_GROUPS[first] : { summary: '', group: own.group };
    return {
      name: first,
      group,
      make(context) {
        const command = own?.make(context) ?? new Command(first).description(summary);
        for (const member of members)
          if (member !== own) command.addCommand(member.make(context), { hidden: member.hidden });
        return command;
      },
    };
  });
  return tops
    .sort((a, b) => order(a) - order(b))
    .map(({ make, group }) => (context) => {
      const command = make(context);
      return group === undefined ? command : command.helpGroup(`${group}:`);
    });
}
