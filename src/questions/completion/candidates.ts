/** Candidates for the last word of a command line, from the declarations of questions and from the repository. */
import { visibleLine } from '../../base/hygiene.js';
import { optionForm, optionOf, splitParams } from '../../params/command-line.js';
import type { Param } from '../../params/param.js';
import type { Asker } from '../asker.js';
import type { AnyQuestion } from '../question.js';
import { COMMAND_GROUPS, GLOBAL_OPTIONS, globalLength } from '../question.js';
import { valuesOf } from './values.js';

export interface Candidate {
  word: string;
  summary: string;
}

/** Options of the program itself, by their longest names. */
const GLOBAL: readonly Candidate[] = [
  ...GLOBAL_OPTIONS.map(({ names, summary }) => ({ word: names[names.length - 1], summary })),
  { word: '--help', summary: 'print this help' },
];

/** `words`: those after the program's name, the one being typed last. Never throws: a shell has nowhere to show it. */
export async function candidatesFor(words: readonly string[], at: Asker): Promise<Candidate[]> {
  try {
    const { done, typed } = withoutGlobals(words);
    const candidates = await find(done, typed, at);
    // A name with a tab, a line break or a control character would be read as two, or move the cursor.
    return candidates.filter(({ word }) => word.startsWith(typed) && visibleLine(word) === word);
  } catch {
    return [];
  }
}

/** Global options may precede the command. */
function withoutGlobals(words: readonly string[]): { done: string[]; typed: string } {
  const done = words.slice(0, -1);
  while (done.length > 0 && globalLength(done, 0) > 0) done.splice(0, globalLength(done, 0));
  return { done, typed: words.at(-1) ?? '' };
}

async function find(done: readonly string[], typed: string, at: Asker): Promise<Candidate[]> {
  const all = await at.questions();
  const questions = all.filter(({ command }) => command !== undefined && !command.hidden);
  const own = questions.find(({ name }) => name === done.slice(0, name.split(' ').length).join(' '));
  if (own === undefined) return typed.startsWith('-') ? [...GLOBAL] : commands(questions, done);
  const rest = done.slice(own.name.split(' ').length);
  const members = rest.length === 0 ? commands(questions, done) : [];
  return [...members, ...(await ofQuestion(own, rest, typed, at))];
}

/** Words that come next: `graph`, or `impact` after `graph`. */
function commands(questions: readonly AnyQuestion[], done: readonly string[]): Candidate[] {
  const found = new Map<string, string>();
  for (const { name, summary } of questions) {
    const parts = name.split(' ');
    if (parts.length <= done.length || !done.every((word, i) => parts[i] === word)) continue;
    const isLast = parts.length === done.length + 1;
    found.set(parts[done.length], isLast ? summary : (COMMAND_GROUPS[parts[0]]?.summary ?? ''));
  }
  return [...found].map(([word, summary]) => ({ word, summary }));
}

async function ofQuestion(
  { params, command }: AnyQuestion,
  rest: readonly string[],
  typed: string,
  at: Asker,
): Promise<Candidate[]> {
  const { argumentKeys, optionKeys } = splitParams(params);
  const takesValue = (key: string) => optionForm(key, params[key]).endsWith('>');
  const pending = optionKeys.find((key) => optionOf(key, params[key]) === rest.at(-1) && takesValue(key));
  if (pending !== undefined) return values(params[pending], typed, at);
  if (typed.startsWith('-')) {
    const json =
      command?.json === false ? [] : [{ word: '--json', summary: command?.json ?? 'print the answer as JSON' }];
    const own = optionKeys.filter((key) => !(params[key].cli || undefined)?.hidden);
    return [
      ...own.map((key) => ({ word: optionOf(key, params[key]), summary: params[key].summary })),
      ...json,
      ...GLOBAL,
    ];
  }
  const before = rest.filter((word, i) => !word.startsWith('-') && !isValue(rest[i - 1], params, optionKeys)).length;
  const key = argumentKeys[Math.min(before, argumentKeys.length - 1)];
  return key === undefined ? [] : values(params[key], typed, at);
}

const isValue = (option: string | undefined, params: Record<string, Param>, keys: readonly string[]): boolean =>
  keys.some((key) => optionOf(key, params[key]) === option && optionForm(key, params[key]).endsWith('>'));

async function values({ choices, completes }: Param, typed: string, at: Asker): Promise<Candidate[]> {
  if (choices !== undefined) return choices.map((word) => ({ word, summary: '' }));
  if (completes === undefined) return [];
  return (await valuesOf(completes, typed, at.directory)).map((word) => ({ word, summary: completes }));
}
