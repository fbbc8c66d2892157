/** Colours for a terminal, and the wording of next steps: commands and options for people, tools and parameters for agents. */
import { SocraticodeError } from '../base/errors.js';
import { shellWord, visiblePatch, visibleText } from '../base/printable.js';
import { optionText } from '../params/param.js';

export interface Pen {
  path: (text: string) => string;
  line: (text: string) => string;
  symbol: (text: string) => string;
  match: (text: string) => string;
  dim: (text: string) => string;
  /** Text for another program. Unchanged, unless a person or an agent reads it. */
  raw: (text: string) => string;
  words: Words;
  /** Entries of each list on earlier pages of the answer; undefined for none. */
  skipped?: number;
}

/** Context of a text. */
export interface Writing<V = unknown> {
  pen: Pen;
  values: V;
  /** True for a terminal, whose text names its snapshot; a reply to agents begins with a line that does. */
  isCommand: boolean;
}

/** Streams and environment of a terminal. */
interface Terminal {
  stdout: { isTTY?: boolean };
  env: NodeJS.ProcessEnv;
}

/** git's settings in order: the last one counts. */
type GitSettings = readonly { key: string; value: string }[];

export const lastValue = (settings: GitSettings, key: string): string | undefined =>
  settings.filter((entry) => entry.key === key).at(-1)?.value;

export const isOff = (value: string): boolean => /^(?:false|no|off|0|never|)$/i.test(value);

const COLOR_CHOICES = ['auto', 'always', 'never'];

/** True for a coloured answer. The command line wins over the environment, and the environment over git's settings. Throws BAD_ARGUMENT. */
export function wantsColor({ stdout, env }: Terminal, color: string | undefined, config: GitSettings): boolean {
  if (color !== undefined && !COLOR_CHOICES.includes(color))
    throw new SocraticodeError('BAD_ARGUMENT', `--color takes ${COLOR_CHOICES.join(', ')}, not "${color}"`);
  if (color === 'always' || color === 'never') return color === 'always';
  if (env.FORCE_COLOR !== undefined && !['', '0'].includes(env.FORCE_COLOR)) return true;
  if (env.NO_COLOR) return false;
  const wanted =
    color === undefined ? (lastValue(config, 'color.socraticode') ?? lastValue(config, 'color.ui')) : undefined;
  if (wanted === 'always') return true;
  if (wanted !== undefined && isOff(wanted)) return false;
  // With `pager.socraticode`, git itself has started a pager for us.
  const isPaged = env.GIT_PAGER_IN_USE === 'true' && !isOff(lastValue(config, 'color.pager') ?? 'true');
  return (stdout.isTTY === true || isPaged) && env.TERM !== 'dumb';
}

const sgr = (codes: string) => (text: string) => `\x1b[${codes}m${text}\x1b[0m`;
const plain = (text: string) => text;

export function plainPen(words: Words): Pen {
  return { path: plain, line: plain, symbol: plain, match: plain, dim: plain, raw: visiblePatch, words };
}

/** Pen of a command: the colours of `rg`, which people know, or none. */
export function createPen({ stdout }: { stdout: { isTTY?: boolean } }, isColored: boolean): Pen {
  const raw = stdout.isTTY === true ? visibleText : plain;
  if (!isColored) return { ...plainPen(COMMAND_WORDS), raw };
  const words = COMMAND_WORDS;
  return { path: sgr('35'), line: sgr('32'), symbol: sgr('36'), match: sgr('1;31'), dim: sgr('2'), raw, words };
}

/** Next steps as an answer words them: parts of sentences, for people or for agents. */
export interface Words {
  /** Ends a list that was cut; '' if the end of the answer says so once. */
  more: string;
  /** Question that lists unresolved uses of a name. */
  references: (name: string) => string;
  /** Question that lists all lines with a word. */
  grep: (word: string) => string;
  /** The question that knows other words, for a pattern that found nothing; '' for none. */
  otherWords: string;
  /** How to find a pattern's text as it is. */
  asText: string;
  /** Another way to pick one of several definitions. */
  byFile: string;
  /** How to get the path in the other direction, where there is only that one. */
  reverse: string;
  /** How to search the history for a name as a word, where no symbol has it. */
  words: string;
  /** How to see what a list left out. */
  narrower: string;
  /** How to name a part of the repository, where all of it is too much. */
  path: string;
  /** How to walk more commits. */
  maxCommits: string;
  /** The whole line of a search that found nothing. */
  noResults: string;
  /** Question that lists circles of imports. */
  cycles: string;
  /** How to get the commits that a shallow clone lacks. */
  unshallow: string;
  /** Question that compares uncommitted changes. */
  uncommitted: string;
}

export const COMMAND_WORDS: Words = {
  more: `raise ${optionText('limit')}`,
  references: (name) => `git socraticode graph references ${shellWord(name)}`,
  grep: (word) => `git socraticode grep -w ${shellWord(word)}`,
  otherWords: '',
  asText: '-F finds its signs as they are written',
  byFile: `or with ${optionText('file')} PATH`,
  reverse: `add ${optionText('reverse')}`,
  words: `${optionText('words')} looks for code that mentions it`,
  narrower: `raise ${optionText('limit')} or name a ${optionText('path')}`,
  path: `name a ${optionText('path')}`,
  maxCommits: `${optionText('maxCommits')} N walks further back`,
  noResults: 'no results; try other words, fewer filters, or `git socraticode status`',
  cycles: 'graph cycles lists them',
  unshallow: '`git fetch --unshallow` brings the rest',
  uncommitted: 'commits were compared; `graph impact` alone is about what is uncommitted',
};

export const TOOL_WORDS: Words = {
  more: '',
  references: () => 'codebase_references lists them',
  grep: (word) => `codebase_grep for the word ${word} lists them`,
  byFile: 'or with the parameter file',
  reverse: 'ask with the two exchanged',
  words: 'codebase_search looks for code that mentions it',
  narrower: 'ask again with the cursor, or narrow the path',
  path: 'narrow the path',
  maxCommits: 'a higher maxCommits walks further back',
  asText: 'with fixed, its signs are found as they are written',
  otherWords: 'codebase_search finds what is written in other words',
  noResults: 'no results; try other words or fewer filters; codebase_status says what is indexed',
  cycles: 'codebase_graph_circular lists them',
  unshallow: 'unshallow it to see the rest',
  uncommitted: 'commits were compared; codebase_impact without a target is about what is uncommitted',
};
