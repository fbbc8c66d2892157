/** Refused command lines, reported like every other failure: one line, and a next step. */
import type { Command, CommanderError } from 'commander';
import { SocraticodeError } from '../base/errors.js';
import { shellWord, signs, visibleLine } from '../base/printable.js';
import { nearest } from '../base/spelling.js';
import { commandCalled } from '../questions/table.js';
import type { Refusal } from './program.js';

/** Characters of a typed line that a hint repeats. */
const MAX_REPEATED = 80;
/** A mistyped command has few words; more words are a search. */
const MAX_MISTYPED = 2;
/** Words of a command's name are letters; any other word is taken for a search. */
const COMMAND_WORD = /^[a-z][a-z-]*$/i;

/** The failure to show for a refused command line. */
export function usageError({ error, command }: Refusal): SocraticodeError {
  const [first, ...rest] = error.message.split('\n');
  const message = first
    .replace(/^error: /, '')
    .replace(/^option '(?:-\w, )?(--\S+).*' argument missing$/, "option '$1' needs a value");
  const suggestion = /^\((Did you mean .*\?)\)$/.exec(rest.join(' '))?.[1];
  const unknown = unknownWord(error, command);
  if (unknown !== undefined) return unknownCommand(command, unknown, suggestion);
  const near =
    shortened(message, command) ??
    (isFar(message, suggestion) ? undefined : suggestion) ??
    synonym(message, command) ??
    placed(error, command);
  return failure(message, near === undefined ? [] : [near], command);
}

/** Minimum length of an option that a typed one spells out: `--in` is no beginning of `--index`. */
const MIN_SPELT_OUT = '--lang'.length;

const typedOption = (message: string) => /^unknown option '(--\w[\w-]+)/.exec(message)?.[1];

/**
 * The option that the typed name abbreviates or spells out: `--lang` and `--language` are one, although `--tag` differs from the first in fewer
 * letters.
 */
function shortened(message: string, { options }: Command): string | undefined {
  const typed = typedOption(message);
  if (typed === undefined) return undefined;
  const intended =
    options.find(({ long }) => long?.startsWith(typed)) ??
    options.find(({ long = '' }) => long.length >= MIN_SPELT_OUT && typed.startsWith(long));
  return intended && `Did you mean ${intended.long}?`;
}

/** Options of this and of other programs that ask for the same; a command has few of each group. */
const SYNONYMS = [
  'path paths file files glob dir directory folder include in only scope',
  'limit max max-count max-results count number top head',
  'ref branch commit rev revision at tag',
  'since after from',
  'until before to',
  'lang language languages type',
  'ignore-case icase insensitive',
  'word word-regexp whole-word',
  'fixed fixed-strings literal exact',
  'regexp regex pattern expression',
  'files-with-matches files list-files',
  'context around surrounding',
  'content no-content body',
  'json format output',
  'linked repos repositories all-repos',
  'write apply fix in-place',
].map((group) => group.split(' ').map((name) => `--${name}`));

/** The option of the command that asks for what the typed one asks for in another program: `--file` of `history` is `--path`. */
function synonym(message: string, { options }: Command): string | undefined {
  const typed = typedOption(message);
  if (typed === undefined) return undefined;
  const known = new Set(options.filter(({ hidden }) => !hidden).map(({ long }) => long));
  for (const group of SYNONYMS) {
    const found = group.includes(typed) ? group.find((name) => known.has(name)) : undefined;
    if (found !== undefined) return `Did you mean ${found}?`;
  }
  return undefined;
}

/** The ref or the path that an argument too many names: `index main` means `index --ref main`. */
function placed({ code }: CommanderError, { args, options, registeredArguments }: Command): string | undefined {
  const more = args.slice(registeredArguments.length);
  const isOne = code === 'commander.excessArguments' && more.length === 1;
  const offers = (name: string) => options.some(({ long }) => long === name);
  if (!isOne || !offers('--ref')) return undefined;
  const word = shellWord(more[0].slice(0, MAX_REPEATED));
  const path = ['--focus', '--path'].find((name) => more[0].includes('/') && offers(name));
  return `Did you mean ${path === undefined ? '' : `${path} ${word} or `}--ref ${word}?`;
}

/** Are the options that commander suggests others than the typed one? It takes `--regex` for `--merged`. */
function isFar(message: string, suggestion = ''): boolean {
  const typed = typedOption(message);
  const offered = suggestion.match(/--\w[\w-]*/g);
  return typed !== undefined && offered !== null && nearest(typed, offered) === null;
}

/** The word that should be a command: commander takes one after `mcp` for an argument. */
function unknownWord({ code }: CommanderError, { args, commands }: Command): string | undefined {
  const isWord = code === 'commander.unknownCommand' || (code === 'commander.excessArguments' && commands.length > 0);
  return isWord ? args[0] : undefined;
}

function unknownCommand(command: Command, word: string, suggestion: string | undefined): SocraticodeError {
  const names = namesOf(command);
  const option = command.args.findIndex((arg) => arg.startsWith('-'));
  const words = option < 0 ? command.args : command.args.slice(0, option);
  const isQuestion = command.parent === null && (words.length > MAX_MISTYPED || !COMMAND_WORD.test(word));
  const near = isQuestion ? [] : nearestCommands(command, word, suggestion);
  const commands = near.map((name) => `\`${['git socraticode', ...names, name].join(' ')}\``);
  const hints = near.length === 0 ? [] : [`Did you mean ${commands.join(' or ')}?`];
  if (command.parent === null && near.length === 0) hints.push(searchHint(words));
  return failure(`unknown command '${[...names, word].join(' ')}'`, hints, command);
}

/**
 * Commands near a mistyped one. A group's command that was typed without the group (`install`) is nearer than one that is
 * spelled alike, and so are one that other programs call so, and the only one that the word abbreviates: `refs` is `references`.
 */
function nearestCommands({ commands, parent }: Command, word: string, suggestion: string | undefined): string[] {
  const groups = commands.filter((each) => each.commands.some((member) => member.name() === word));
  if (groups.length > 0) return groups.map((group) => `${group.name()} ${word}`);
  const known = commands.map((each) => each.name());
  // Members of the graph need no group.
  const members = commands.find((each) => parent === null && each.name() === 'graph')?.commands ?? [];
  const all = [...known, ...members.map((each) => each.name())];
  const called = commandCalled(word);
  if (called !== null && all.includes(called)) return [called];
  const meant = all.filter((name) => isAbbreviation(word, name));
  const near = meant.length === 1 ? meant[0] : (nearest(word, known) ?? nearestOffered(suggestion));
  return near === null ? [] : [near];
}

/** Minimum letters of an abbreviation: fewer fit many names. */
const MIN_ABBREVIATION = 3;

/** Are the letters of a word letters of a name in that order, the first two its first two? */
function isAbbreviation(word: string, name: string): boolean {
  if (word.length < MIN_ABBREVIATION || !name.startsWith(word.slice(0, 2))) return false;
  let at = 0;
  for (const letter of name) if (letter === word[at]) at++;
  return at === word.length;
}

const nearestOffered = (suggestion = ''): string | null => /^Did you mean (\S+)\?$/.exec(suggestion)?.[1] ?? null;

/** Takes several words for a search, quoted so that a shell leaves `?` and `*` alone. */
function searchHint(words: readonly string[]): string {
  const typed = visibleLine(words.join(' '));
  const cut = typed.length > MAX_REPEATED ? `${typed.slice(0, MAX_REPEATED)}${signs.cut}` : typed;
  // Double quotes are what people type, and what Windows knows; these characters mean something inside of them.
  const quoted = /["$`\\!]/.test(cut) ? shellWord(cut) : `"${cut}"`;
  return `To search for it: \`git socraticode search ${quoted}\`.`;
}

function failure(message: string, hints: readonly string[], command: Command): SocraticodeError {
  const help = ['git socraticode help', ...namesOf(command)].join(' ');
  return new SocraticodeError('BAD_ARGUMENT', message, { hint: [...hints, `See \`${help}\`.`].join(' ') });
}

/** `['graph', 'impact']`; empty for the program itself. */
function namesOf(command: Command): string[] {
  return command.parent === null ? [] : [...namesOf(command.parent), command.name()];
}
