/**
 * A command made from a question's declaration: its options, its help, and one run of it with a session that is opened
 * for it.
 */
import { Argument, Command, Option } from 'commander';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { isVerbose } from '../base/log.js';
import { safeJson } from '../base/printable.js';
import { phase, phasesText, startPhases, takePhases } from '../base/progress.js';
import { stopHeldWork, undivided } from '../base/runtime.js';
import { describeParam, optionForm, optionOf, type Param, type Params, splitParams } from '../params/param.js';
import { type Field, readValues } from '../params/read.js';
import type { Asker, Io } from '../questions/asker.js';
import type { AnyQuestion } from '../questions/question.js';
import { loadQuestions } from '../questions/table.js';
import type { Session } from '../session/session.js';
import { exitCodeOf, writeOut } from './program.js';

/** 0 fine, 1 a negative answer (nothing found), 2 failure, 130 and 143 ended by SIGINT and SIGTERM. */
export type ExitCode = 0 | 1 | 2 | 130 | 143;

/** Values of the global options `--color`, `--no-pager` and `--no-hyperlinks`. */
export interface Look {
  color?: string;
  pager: boolean;
  hyperlinks: boolean;
}

export interface CommandContext {
  io: Io;
  /** Undefined: the current directory, or GIT_DIR. */
  directory: () => string | undefined;
  /** Colours and pages, as the command line sets them. */
  look: () => Look;
  /** The exit code the process ends with; commands set it to 1 for a negative answer, to 2 for a failure. */
  setExit: (code: ExitCode) => void;
  /** Called once the answer document is printed: a later failure is reported on stderr alone. */
  markAnswered: () => void;
}

type RunCommand = (context: CommandContext, values: Record<string, unknown>) => Promise<void>;

/** Commands that need a layer above questions, by the name of their question. */
const FRONT_COMMANDS: Readonly<Record<string, () => Promise<RunCommand>>> = {
  mcp: async () => (await import('./serve.js')).serveMcp,
  lsp: async () => (await import('./serve.js')).serveLsp,
  serve: async () => (await import('./serve.js')).serveFleet,
  web: async () => (await import('./serve.js')).serveWeb,
};

/** The command of a question; `name` is its last word. */
export function commandOf(question: AnyQuestion, context: CommandContext): Command {
  const form = question.command;
  const command = new Command(question.name.split(' ').at(-1)).description(question.summary);
  const { argumentKeys, optionKeys } = splitParams(question.params);
  for (const key of argumentKeys) command.addArgument(argumentOf(question.params[key]));
  for (const key of optionKeys) command.addOption(commanderOption(key, question.params[key]));
  if (form?.json !== false) command.option('--json', form?.json ?? 'print the answer as JSON');
  if (form !== undefined) command.addHelpText('after', () => `\nExamples:\n${examplesText(form.examples)}`);
  command.action((...all: unknown[]) => run(question, context, readCommand(question, all)));
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (argv) => parse(spelledOut(argv, command));
  return command;
}

/** Takes the beginning of a long option for it, as git does, if no other option of the command begins so. */
function spelledOut(argv: readonly string[], { options }: Command): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, at) => {
    const [name] = word.split('=', 1);
    if (!/^--\w/.test(name) || (end >= 0 && at > end)) return word;
    const meant = options.filter(({ long, hidden }) => !hidden && long?.startsWith(name));
    const isOne = meant.length === 1 && meant[0].long !== name;
    return isOne ? `${meant[0].long}${word.slice(name.length)}` : word;
  });
}

function argumentOf(param: Param): Argument {
  const { argument = '[value]' } = param.cli || {};
  return new Argument(argument, describeParam(param));
}

function commanderOption(key: string, param: Param): Option {
  const option = new Option(optionForm(key, param), describeParam(param));
  const { hidden, bare } = param.cli || {};
  if (hidden) option.hideHelp();
  if (bare !== undefined) option.preset(bare);
  if (param.type !== 'list') return option;
  return option.argParser((given: string, before: string[] = []) => [...before, ...entriesOf(given, param.commas)]);
}

function entriesOf(given: string, commas: boolean): string[] {
  if (!commas) return [given];
  return given.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()]));
}

function examplesText(examples: readonly (readonly [line: string, purpose: string])[]): string {
  const lines = examples.map(([line, purpose]) => [`git socraticode ${line}`, purpose] as const);
  const width = Math.max(...lines.map(([line]) => line.length));
  return lines.map(([line, purpose]) => `  ${line.padEnd(width)}  # ${purpose}\n`).join('');
}

interface Typed {
  values: Record<string, unknown>;
  json: boolean;
}

/** Arguments and options as commander read them, checked. Throws BAD_ARGUMENT. */
function readCommand(question: AnyQuestion, all: readonly unknown[]): Typed {
  const command = all.at(-1) as Command;
  const { params, name } = question;
  const { argumentKeys, optionKeys } = splitParams(params);
  // An option that a group has as well belongs to the group, wherever it is typed.
  const options = command.optsWithGlobals<Record<string, unknown>>();
  const given: Record<string, unknown> = {};
  for (const [at, key] of argumentKeys.entries()) given[key] = wordsOf(params[key], all[at]);
  for (const key of optionKeys) given[key] = optionValue(options, key, params[key]);
  const hint = `See \`git socraticode help ${name}\`.`;
  return { values: readValues(given, { fields: commandFields(params), hint }), json: options.json === true };
}

/** Joins several words to one text unless the parameter is a list: queries need no quotes. */
function wordsOf({ type }: Param, given: unknown): unknown {
  if (!Array.isArray(given)) return given;
  if (given.length === 0) return undefined;
  return type === 'list' ? given : given.join(' ');
}

function optionValue(options: Record<string, unknown>, key: string, param: Param): unknown {
  const option = new Option(optionForm(key, param));
  const value = options[option.attributeName()];
  // `--no-content` sets the flag `noContent`; `--no-tests` clears the flag `tests`, which is set by default.
  return option.negate ? (value === false ? param.default !== true : undefined) : value;
}

/** Parameters under the names of the command line. */
function commandFields(params: Params): Field[] {
  const { argumentKeys, optionKeys } = splitParams(params);
  const argumentLabel = ({ cli }: Param) => ((cli || undefined)?.argument ?? '').replace(/[[\]<>.]/g, '').toUpperCase();
  return [
    ...argumentKeys.map((key) => ({ key, name: key, label: argumentLabel(params[key]), param: params[key] })),
    ...optionKeys.map((key) => ({ key, name: key, label: optionOf(key, params[key]), param: params[key] })),
  ];
}

/**
 * Asks, prints, sets the exit status. A question that streams prints while it runs; any other one gives a document, which is printed whole.
 */
async function run(question: AnyQuestion, context: CommandContext, { values, json }: Typed): Promise<void> {
  const { command } = question;
  if (command?.isRunByFrontEnd) return (await FRONT_COMMANDS[question.name]())(context, values);
  const { stream } = command ?? {};
  const without = command?.withoutSession;
  const withoutSession = typeof without === 'function' ? without(values) : without === true;
  // Globs of another repository begin at its top.
  const typed = async (at: Asker) => (withoutSession ? values : typedHere(at, question.params, values));
  if (stream?.when(values)) {
    const ask = async (at: Asker, answer: Awaited<ReturnType<typeof stream.load>>) =>
      phase('answer', async () => answer(at, await typed(at)));
    await withAsker(question, context, { json, withoutSession, load: stream.load, ask });
    return;
  }
  const load = () => Promise.all([question.answer(), json ? null : loadText(question)]);
  const ask = async (at: Asker, [answer, write]: Awaited<ReturnType<typeof load>>) => {
    const given = await typed(at);
    // Reasons are loaded where an answer fails, not at the start: most commands do not need them.
    const document = await phase('answer', () => answer(at, given)).catch(async (error) =>
      (await import('../questions/explain/reasons.js')).withReason(error, at, values),
    );
    if (command?.isNegative?.(document, values)) context.setExit(1);
    if (command?.isFailed?.(document, values)) context.setExit(2);
    const config = withoutSession ? [] : at.session.gitConfig;
    const text = async () =>
      write === null ? `${safeJson(document)}\n` : write(document, { context, config }, values);
    const root = json || withoutSession ? null : at.session.repository.workTree;
    await phase('write', async () => {
      const written = await text();
      await show(written, { context, config }, root);
      if (!json) await printCommit(document, written, { context, config });
    });
    context.markAnswered();
    const failure = command?.failure?.(document);
    if (failure instanceof SocraticodeError) throw failure;
  };
  await withAsker(question, context, { json, withoutSession, load, ask });
}

/** Loads what reads globs only where some are given. */
async function typedHere<V extends Record<string, unknown>>(at: Asker, params: Params, values: V): Promise<V> {
  const isGiven = Object.keys(params).some((key) => params[key].globs && values[key] !== undefined);
  return isGiven ? (await import('../questions/asker.js')).fromHere(at, params, values) : values;
}

/** The terminal or pipe that an answer goes to, and git's settings. */
interface Place {
  context: CommandContext;
  config: Session['gitConfig'];
}

async function loadText(question: AnyQuestion) {
  const [write, { createPen, wantsColor }] = await Promise.all([question.text(), import('../questions/pen.js')]);
  return async (document: object, { context, config }: Place, values: Record<string, unknown>) => {
    const pen = createPen(context.io, wantsColor(context.io, context.look().color, config));
    const written = write(document, { pen, values, isCommand: true });
    return typeof written === 'string' ? written : (await import('../questions/view.js')).writtenText(written, pen);
  };
}

/** Says on stderr which commit the answer is about, in a terminal alone: a copy of stdout is the answer and nothing else. */
async function printCommit(document: object, text: string, { context: { io, look }, config }: Place): Promise<void> {
  if (io.stdout.isTTY !== true || io.stderr.isTTY !== true) return;
  const { commitLine } = await import('./terminal.js');
  const line = commitLine(document, text);
  if (line === null) return;
  const { createPen, wantsColor } = await import('../questions/pen.js');
  io.stderr.write(`${createPen(io, wantsColor(io, look().color, config)).dim(line)}\n`);
}

/** Prints, in a pager if the text is longer than the screen. `root`: the work tree to which places in the text become links. */
async function show(text: string, { context, config }: Place, root: string | null): Promise<void> {
  const { io, look } = context;
  if (io.stdout.isTTY === true) {
    const { isLong, page, pagerOf } = await import('./terminal.js');
    const pager = pagerOf(io, look(), config);
    if (pager !== null && isLong(text, io.stdout) && (await page(text, pager, io.env))) return;
    const { wantsLinks, withLinks } = await import('./terminal.js');
    if (root !== null && wantsLinks(io, look())) return writeOut(io, withLinks(text, root, config));
  }
  await writeOut(io, text);
}

/** One run of a command. */
interface Asking<Loaded> {
  json: boolean;
  /** The session is not opened. */
  withoutSession: boolean;
  /** Loads the question's code while git, which has been started, works. */
  load: () => Promise<Loaded>;
  ask: (at: Asker, loaded: Loaded) => Promise<void>;
}

/** Opens a session, asks, and closes it. Ctrl-C ends at once a question that only reads. Throws errors of opening a repository and of `ask`. */
async function withAsker<Loaded>(
  { command, effect }: AnyQuestion,
  { io, directory, setExit }: CommandContext,
  { json, withoutSession, load, ask }: Asking<Loaded>,
): Promise<void> {
  if (isVerbose()) startPhases();
  const cancel = new AbortController();
  let ending: NodeJS.Signals | null = null;
  const unlisten = stopHeldWork((signal) => {
    ending = signal;
    cancel.abort();
    // Ctrl-C ends git as well: work that is no longer awaited fails then.
    process.on('unhandledRejection', () => {});
  });
  let opening: Promise<Session> | null = null;
  try {
    if (!withoutSession) ({ opening } = await phase('load', () => startOpening(directory(), command?.readOnly)));
    const [loaded, session] = [await phase('load', load), await opening];
    const opened = () => {
      if (session === null) throw new SocraticodeError('INTERNAL', 'the question does without a repository');
      return session;
    };
    const at: Asker = {
      get session() {
        return opened();
      },
      directory: directory(),
      signal: cancel.signal,
      progress: () => {},
      questions: () => loadQuestions(),
      command: { io, json, write: (text) => writeOut(io, text) },
    };
    await (effect === 'reads' ? ask(at, loaded) : undivided(() => ask(at, loaded)));
  } catch (error) {
    if (ending !== null) setExit(exitCodeOf(ending));
    // An interrupted git makes other things fail, too. A CANCELLED error may already say which work is saved.
    if (cancel.signal.aborted && !isSocraticodeError(error, 'CANCELLED'))
      throw new SocraticodeError('CANCELLED', 'cancelled', { cause: error });
    throw error;
  } finally {
    unlisten();
    await opening?.then(
      (session) => session.close(),
      () => {},
    );
    const phases = takePhases();
    if (phases !== null) io.stderr.write(phasesText(phases));
  }
}

/** Returns as soon as git was started. */
async function startOpening(directory: string | undefined, readOnly = false): Promise<{ opening: Promise<Session> }> {
  const { Session } = await import('../session/session.js');
  const opening = phase('open', () => Session.open({ directory, readOnly }));
  // Avoids an unhandled rejection while the rest is loaded; the caller sees the error.
  opening.catch(() => {});
  return { opening };
}
