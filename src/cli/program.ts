/**
 * The command line: global options, commands in the order of `--help`, errors and exit codes. Commands load what they
 * need when they run.
 */
import { Command, type CommanderError, Help } from 'commander';
import { ERROR_CODES, type ErrorCode, isSocraticodeError, unexpected } from '../base/errors.js';
import { addTo } from '../base/lists.js';
import { isVerbose, log, setLogCommand, setLogLevel } from '../base/log.js';
import { safeJson, visibleText } from '../base/printable.js';
import { packageVersion } from '../base/runtime.js';
import type { Io } from '../questions/asker.js';
import { COMMAND_GROUPS, GLOBAL_OPTIONS, GROUPS, type Group, globalForm, globalLength } from '../questions/question.js';
import type { ErrorDocument } from '../questions/shared-output.js';
import { loadQuestions, matchedNames, QUESTION_NAMES } from '../questions/table.js';
import type { CommandContext, ExitCode, Look } from './command.js';

export type { Io };

/** Next steps in the spelling of the command line, in place of the general ones (data). */
const HINTS: Partial<Record<ErrorCode, string>> = {
  NOT_A_REPOSITORY: 'Run inside a git repository, or name one with -C DIR.',
  UNBORN_HEAD: 'Make a first commit, or name another ref with --ref.',
  BAD_CONFIG: 'Correct it where the message says; `git socraticode config --show-origin` then lists what is set.',
};

interface Printing {
  /** Prints a document on stdout as well. */
  json?: boolean;
}

/** Prints a failure as one line and its next step; anything unexpected counts as a bug. */
export function printError(io: Io, error: unknown, { json = false }: Printing = {}): void {
  const known = unexpected(error);
  const { code, message } = known;
  const hint = known.hint === ERROR_CODES[code] ? (HINTS[code] ?? known.hint) : known.hint;
  if (json) io.stdout.write(errorDocument({ code, message, hint }));
  io.stderr.write(`git-socraticode: ${visibleText(message)}\n  ${visibleText(hint)}\n`);
  log.failure(known);
  if (isVerbose() && error instanceof Error) io.stderr.write(`${error.stack}\n`);
}

/** The document of a failure, of the schema `error.schema.json`: one line. */
export function errorDocument(error: ErrorDocument['error']): string {
  const document: ErrorDocument = { schemaVersion: 1, error };
  return `${safeJson(document)}\n`;
}

/** Writes and waits until the pipe has taken it, so that a slow reader is not buffered without bound. */
export function writeOut(io: Io, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (io.stdout.write(text)) resolve();
    else io.stdout.once('drain', resolve);
  });
}

/** Commands that `--help` lists; \`help --all\` lists the rest too. */
const FIRST_COMMANDS: ReadonlySet<string> = new Set(
  'search grep show web graph history review index status hooks mcp agents help'.split(' '),
);

/** The choice among commands that resemble each other, for `--help`. */
const CHOICES = `
Which to take:
  a name     \`references\` lists its uses line by line, \`symbol\` shows a
             definition with what it calls and its callers, and \`impact\`
             follows uses of uses, and says which tests to run
  a change   \`review\` judges it; \`diff A..B\` lists its symbols, \`impact A..B\`
             who uses them, and \`graph diff A..B\` what depends on what now
`;

const HELP_END = `
\`git socraticode help --all\` lists all commands,
\`git socraticode help graph impact\` explains one,
\`git help socraticode\` is the manual.
`;

/** A command line that commander refused, with the command that refused it. */
export class Refusal extends Error {
  constructor(
    readonly error: CommanderError,
    readonly command: Command,
  ) {
    super(error.message, { cause: error });
  }
}

const HELP_COMMAND = ['help [command]', 'print the help of a command'] as const;

/** `markAnswered`: see `CommandContext`. `listsAll`: does its help list all commands? */
export function createProgram(
  io: Io,
  setExit: (code: ExitCode) => void,
  commands: readonly MakeCommand[],
  { markAnswered = () => {}, listsAll = true }: { markAnswered?: () => void; listsAll?: boolean } = {},
): Command {
  const program = new Command('git socraticode');
  const options = () => program.opts<Look & { C?: string; verbose?: boolean }>();
  const directory = () => options().C;
  const context: CommandContext = { io, setExit, markAnswered, directory, look: options };
  program
    .description('Search a git repository by words, names and structure, at any ref, from an index kept in git.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .commandsGroup(`${GROUPS.at(-1)}:`)
    .helpCommand(...HELP_COMMAND)
    .commandsGroup('')
    // Arguments in this column would leave half of a line for the description.
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      visibleCommands(command) {
        const all = Help.prototype.visibleCommands.call(this, command);
        return listsAll || command.parent !== null ? all : all.filter((each) => FIRST_COMMANDS.has(each.name()));
      },
      // Declarations describe an option without a value; commander would add a "preset".
      optionDescription: ({ description }) => description,
    })
    .addHelpText('after', listsAll ? HELP_END : CHOICES + HELP_END)
    .hook('preAction', (_, action) => {
      if (options().verbose) setLogLevel('debug');
      setLogCommand(topCommand(action).name());
    })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // The program prints failures, so that all have one form.
      outputError: () => {},
    })
    .showSuggestionAfterError();
  for (const option of GLOBAL_OPTIONS) program.option(globalForm(option), option.summary);
  refuseFrom(program);
  for (const command of commands) {
    // Commands inherit streams and error handling, those of a group as well.
    const added = command(context).copyInheritedSettings(program);
    refuseFrom(added);
    for (const member of added.commands) refuseFrom(member.copyInheritedSettings(program));
    // A group would show its `help` under a heading that only the program has.
    if (added.name() in COMMAND_GROUPS) added.helpCommand(...HELP_COMMAND);
    program.addCommand(added);
  }
  // After a command, `-C` belongs to it: `grep x -C 3`. Set here, since commands would inherit it.
  return program.enablePositionalOptions();
}

function refuseFrom(command: Command): void {
  command.exitOverride((error) => {
    throw new Refusal(error, command);
  });
}

/** `graph` of `graph deps`. */
function topCommand(command: Command): Command {
  const { parent } = command;
  return parent === null || parent.parent === null ? command : topCommand(parent);
}

export { chooseSigns } from '../base/printable.js';

/** Runs the command line to its end; never throws. */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exit: ExitCode = 0;
  let isAnswered = false;
  // A reader that stops early (head) is no failure.
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    printError(io, error);
    process.exit(2);
  });
  try {
    const typed = hoistGlobals(argv);
    const listsAll = asksForAll(typed);
    const hoisted = listsAll ? [...typed.slice(0, 2), '--help'] : helpOfMember(withoutGroup(typed));
    const setExit = (code: ExitCode) => {
      exit = code;
    };
    const markAnswered = () => {
      isAnswered = true;
    };
    const program = createProgram(io, setExit, await loadCommands(hoisted.slice(2)), { markAnswered, listsAll });
    await program.parseAsync(hoisted);
    return exit;
  } catch (error) {
    const json = wantsJson(argv) && !isAnswered;
    if (!(error instanceof Refusal)) printError(io, error, { json });
    // commander has printed a help text itself.
    else if (error.error.exitCode === 0) return 0;
    else if (error.error.code !== 'commander.help')
      printError(io, (await import('./usage-error.js')).usageError(error), { json });
    // A command that was interrupted has its code; one whose git alone was interrupted has none yet.
    return exit > 2 ? exit : isSocraticodeError(error, 'CANCELLED') ? exitCodeOf('SIGINT') : 2;
  }
}

/** As shells count the end of a process by a signal. */
export const exitCodeOf = (signal: NodeJS.Signals): ExitCode => (signal === 'SIGTERM' ? 143 : 130);

function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}

/** Moves global options to the front, since they may be anywhere: `search x -v -C dir` becomes `-v -C dir search x`. */
function hoistGlobals(argv: readonly string[]): string[] {
  const [node, script, ...words] = argv;
  const end = words.indexOf('--');
  const [before, after] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
  const [globals, rest]: [string[], string[]] = [[], []];
  // After a command, a number is no directory: `grep x -C 3` asks for lines of context.
  const isContext = (i: number) => rest.length > 0 && /^\d+$/.test(before[i + 1]);
  for (let i = 0; i < before.length; ) {
    const count = before[i] === '-C' && isContext(i) ? 0 : globalLength(before, i);
    (count > 0 ? globals : rest).push(...before.slice(i, i + Math.max(1, count)));
    i += Math.max(1, count);
  }
  return [node, script, ...globals, ...rest, ...after];
}

/** Is it `help --all`? git lists its commands by `help -a`. */
function asksForAll(argv: readonly string[]): boolean {
  const [first, second, ...rest] = argv.slice(firstWord(argv, 2));
  const isHelp = first === 'help' || first === '--help' || first === '-h';
  return isHelp && (second === '--all' || second === '-a') && rest.length === 0;
}

/** Position of the first word that is no global option. */
function firstWord(words: readonly string[], start: number): number {
  let at = start;
  while (at < words.length && globalLength(words, at) > 0) at += globalLength(words, at);
  return at;
}

/** `impact x` -> `graph impact x`: commands of the graph need no `graph` before them, unless another command has the name. */
function withoutGroup(argv: readonly string[]): readonly string[] {
  const first = firstWord(argv, 2);
  const at = argv[first] === 'help' ? first + 1 : first;
  const isOther = QUESTION_NAMES.some((name) => name.split(' ')[0] === argv[at]);
  return isOther || !QUESTION_NAMES.includes(`graph ${argv[at]}`)
    ? argv
    : [...argv.slice(0, at), 'graph', ...argv.slice(at)];
}

/** `help graph impact` -> `graph impact --help`: commander's own command looks at the first name alone. */
function helpOfMember(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('help', 2);
  const isCommand = argv.slice(2, at).every((word, i, before) => word.startsWith('-') || before[i - 1] === '-C');
  const names = argv.slice(at + 1);
  return at < 0 || !isCommand || names.length < 2 ? argv : [...argv.slice(0, at), ...names, '--help'];
}

export type MakeCommand = (context: CommandContext) => Command;

/** A command by its words: `search`, `graph impact`. */
interface NamedCommand {
  name: string;
  make: MakeCommand;
  group: Group | undefined;
  hidden?: boolean;
}

/** Loads the command that `args` name, or all commands if none is named, for help and suggestions. */
export async function loadCommands(args: readonly string[]): Promise<MakeCommand[]> {
  const found = await loadDeclared(matchedNames(args.slice(firstWord(args, 0)), QUESTION_NAMES));
  // A question that only agents ask is no command: all commands are loaded, to suggest one.
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

/** Commands of two words become members of the command of their first word. */
function joinGroups(commands: readonly NamedCommand[]): MakeCommand[] {
  const groups = new Map<string, NamedCommand[]>();
  for (const each of commands) {
    const [first] = each.name.split(' ');
    addTo(groups, first, each);
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
