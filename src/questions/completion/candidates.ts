/** Candidates for the last word of a command line, from the declarations of questions and from the repository. */
import { visibleLine } from '../../base/printable.js';
import { type Completes, optionForm, optionOf, type Param, splitParams } from '../../params/param.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { type AnyQuestion, COMMAND_GROUPS, GLOBAL_OPTIONS, globalLength } from '../question.js';

export interface Candidate {
  word: string;
  summary: string;
}

/** Options of the program itself, by their longest names. */
const GLOBAL: readonly Candidate[] = [
  ...GLOBAL_OPTIONS.map(({ names, summary }) => ({ word: names[names.length - 1], summary })),
  { word: '--help', summary: 'print this help' },
];

/** `words` follow the program's name; the last one is being typed. Never throws, since a shell cannot show an error. */
export async function candidatesFor(words: readonly string[], at: Asker): Promise<Candidate[]> {
  try {
    const { done, typed } = withoutGlobals(words);
    const candidates = await find(done, typed, at);
    // A name with a tab, a line break or a control character would look like two, or move the cursor.
    return candidates.filter(({ word }) => word.startsWith(typed) && visibleLine(word) === word);
  } catch {
    return [];
  }
}

/** Drops global options in front of the command. */
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

/** Next words of a command: `graph`, or `impact` after `graph`. */
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

// Values of parameters that the repository has: refs, remotes, paths, languages, symbols.

/** Most values offered: a shell asks its user before it shows more than about a hundred. */
const MAX_VALUES = 200;

/** Values that begin with `typed`. Opens the repository read-only, and neither indexes nor links. */
async function valuesOf(kind: Completes, typed: string, directory: string | undefined): Promise<string[]> {
  if (kind === 'language') return languages();
  if (kind === 'directory') return [];
  const { Session } = await import('../../session/session.js');
  const session = await Session.open({ directory, readOnly: true });
  try {
    return (await ofRepository(session, kind, typed)).slice(0, MAX_VALUES);
  } finally {
    session.close();
  }
}

async function languages(): Promise<string[]> {
  const { LANGUAGE_IDS } = await import('../../languages/registry.js');
  return [...LANGUAGE_IDS];
}

async function ofRepository(session: Session, kind: Completes, typed: string): Promise<string[]> {
  const { git } = session.repository;
  const lines = async (args: readonly string[]) =>
    (await git.text([...args])).split('\n').filter((line) => line !== '');
  switch (kind) {
    case 'remote':
      return lines(['remote']);
    case 'range': {
      const at = typed.lastIndexOf('..') + (typed.endsWith('...') ? 3 : 2);
      const before = typed.includes('..') ? typed.slice(0, at) : '';
      return (await refs(lines)).map((ref) => before + ref);
    }
    case 'ref':
      return refs(lines);
    case 'path':
      return paths(await listPaths(git), typed);
    default:
      return symbols(session, typed);
  }
}

/** Paths in git's index, with `-z`: otherwise git would quote unusual ones. */
async function listPaths(git: Session['repository']['git']): Promise<string[]> {
  return (await git.text(['ls-files', '--full-name', '-z'])).split('\0').filter((path) => path !== '');
}

function refs(lines: (args: readonly string[]) => Promise<string[]>): Promise<string[]> {
  return lines(['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes']);
}

/** Cuts paths at the next slash, as shells complete files: a directory is one candidate. */
function paths(all: readonly string[], typed: string): string[] {
  const begun = all.filter((path) => path.startsWith(typed));
  return [
    ...new Set(
      begun.map((path) => {
        const slash = path.indexOf('/', typed.length);
        return slash < 0 ? path : path.slice(0, slash + 1);
      }),
    ),
  ];
}

/** Symbols of the graph, if it is linked already: linking takes too long for a completion. */
async function symbols(session: Session, typed: string): Promise<string[]> {
  const [{ GraphPreparer }, { completeName }] = await Promise.all([
    import('../../session/graph/prepare.js'),
    import('../../graph/query/list-symbols.js'),
  ]);
  const known = new GraphPreparer(session).known(await session.origin(undefined));
  if (known === null) return [];
  return completeName(known.graph, typed, MAX_VALUES).values.filter((name) => name.startsWith(typed));
}
