/** The questions, in the order of `--help`: a declaration is loaded when its question is asked, all of them for help and for tools. */
import type { AnyQuestion } from './question.js';

/** Declarations of a folder: most hold one question, some the command and the tool of one thing that differ. */
interface Declarations {
  [name: string]: AnyQuestion | AnyQuestion[] | unknown;
  questions?: readonly AnyQuestion[];
  question?: AnyQuestion;
}

/** Folders by the first words of the command line that they answer to. */
const QUESTIONS = {
  'graph impact': () => import('./graph/impact/question.js'),
} as const satisfies Record<string, () => Promise<Declarations>>;

/** Groups of commands: the words before a question's last one. */
export const COMMAND_GROUPS: Readonly<Record<string, string>> = {
  graph: 'ask who imports, calls and inherits what, and what a change breaks',
  context: 'search and index named files and folders beside the code',
  hooks: 'keep the index up to date by git hooks, in the background',
  share: 'configure how the index travels with a remote',
};

const declared = ({ question, questions }: Declarations): readonly AnyQuestion[] =>
  questions ?? (question === undefined ? [] : [question]);

/** The questions that `words` of a command line name: one, those of a group, or all where they name none. */
export async function loadQuestions(words: readonly string[]): Promise<AnyQuestion[]> {
  const [first = '', second = ''] = words;
  const names = Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[];
  const exact = names.filter((name) => name === `${first} ${second}` || name === first);
  const group = names.filter((name) => name.startsWith(`${first} `));
  const wanted = exact.length > 0 ? exact : group.length > 0 ? group : names;
  const loaded: Declarations[] = await Promise.all(wanted.map((name) => QUESTIONS[name]()));
  return loaded.flatMap(declared);
}
