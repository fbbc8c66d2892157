// Describes the program for pages and manuals: commander knows the commands with their arguments and options, the declarations
// know examples, tools and documents. `modules` are the program's own, from dist/ or from a build of the tests.
import { PassThrough } from 'node:stream';

/** The modules that pages are made from; `folder` is where the compiled `src` is. */
export async function loadModules(folder) {
  const load = (path) => import(new URL(path, folder).href);
  return {
    ...(await load('base/runtime.js')),
    ...(await load('base/errors.js')),
    ...(await load('cli/program.js')),
    ...(await load('config/settings.js')),
    ...(await load('config/resolve.js')),
    ...(await load('languages/registry.js')),
    ...(await load('library/index.js')),
    ...(await load('mcp/tool-schemas.js')),
    ...(await load('mcp/tool-call.js')),
    ...(await load('questions/question.js')),
    ...(await load('questions/table.js')),
  };
}

/** The program: its own options, and its commands by purpose, each followed by its members. */
export async function describeProgram(modules) {
  const stream = new PassThrough();
  const io = { stdout: stream, stderr: stream, stdin: stream, env: {} };
  const program = modules.createProgram(io, () => {}, await modules.loadCommands([]));
  const questions = new Map(
    (await modules.loadQuestions()).filter(({ command }) => command !== undefined).map((each) => [each.name, each]),
  );
  const groups = new Map(modules.GROUPS.map((title) => [title, []]));
  for (const command of program.commands.filter(isListed)) {
    const title = command.helpGroup()?.replace(/:$/, '') || 'Other commands';
    const named = [command, ...command.commands.filter(isListed)];
    const described = await Promise.all(named.map((each) => describeCommand(each, command, questions)));
    groups.set(title, [...(groups.get(title) ?? []), ...described]);
  }
  return {
    summary: program.description(),
    options: program.createHelp().visibleOptions(program).map(describeOption),
    groups: [...groups].filter(([, commands]) => commands.length > 0).map(([title, commands]) => ({ title, commands })),
  };
}

const isListed = (command) => !command._hidden && command.name() !== 'help';

async function describeCommand(command, top, questions) {
  const name = command === top ? command.name() : `${top.name()} ${command.name()}`;
  const question = questions.get(name);
  // A command without an action only shows its help.
  const isGroup = command._actionHandler === null || command._actionHandler === undefined;
  return {
    name,
    summary: command.description(),
    usage: command.usage(),
    isGroup,
    members: command.commands.filter(isListed).map((member) => `${name} ${member.name()}`),
    arguments: command.registeredArguments.map((argument) => ({
      term: argument.name(),
      text: argument.description,
    })),
    options: optionsOf(command),
    examples: (question?.command.examples ?? []).map(([line, purpose]) => ({ line, purpose })),
    canBeNegative: question?.command.isNegative !== undefined,
    tool: question?.tool,
    documents: question === undefined || question.command.json === false ? [] : await documentsOf(question),
  };
}

function optionsOf(command) {
  return command.options.filter(({ hidden }) => !hidden).map(describeOption);
}

const describeOption = ({ flags, description }) => ({ term: flags, text: description });

/** Files in `schemas/` of the documents that a command prints; those of tools alone have a title of their own. */
async function documentsOf(question) {
  const documents = Object.entries(question.documents);
  return documents.filter(([, { title = 'git ' }]) => /^(A line of )?git /.test(title)).map(([file]) => file);
}

/** Notes by command: what a summary has no room for. Sections of `notes.md` with the command as heading. */
export function readNotes(text) {
  const sections = text.split(/^## /m).slice(1);
  return new Map(sections.map((section) => [section.split('\n', 1)[0], section.slice(section.indexOf('\n')).trim()]));
}
