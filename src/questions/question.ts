/**
 * A question: anything that can be asked of a repository, on the command line (`git socraticode NAME`), by agents (a tool), or both. Its
 * declaration is small and loaded at every start; its answer and text are loaded when it is asked.
 */
import type { SocraticodeError } from '../base/errors.js';
import { visibleDocument } from '../base/printable.js';
import type { Param, Params, Values } from '../params/param.js';
import type { ObjectShape } from '../params/shape.js';
import type { Asker } from './asker.js';
import type { Writing } from './pen.js';
import type { Written } from './view.js';

/** Headings of `help --all`, in its order. */
export const GROUPS = [
  'Find code',
  'Follow code',
  'See changes',
  'Knowledge',
  'Index',
  'Share',
  'Agents',
  'Maintain',
] as const;
export type Group = (typeof GROUPS)[number];

/** Commands that hold others, by the first word of their members' names. */
export const COMMAND_GROUPS: Readonly<Record<string, { summary: string; group: Group }>> = {
  graph: { summary: 'ask who imports, calls and inherits what, and what a change breaks', group: 'Follow code' },
  docs: { summary: 'ask what documents say about code, and where they are out of date', group: 'Find code' },
  context: {
    summary:
      'search and index artifacts: files and folders next to the code, such as specifications, that .socraticode.json names',
    group: 'Find code',
  },
  tag: { summary: 'ask which code has a tag, and why; give one by hand', group: 'Knowledge' },
  note: { summary: 'keep what was learnt about code, by its content', group: 'Knowledge' },
  task: { summary: 'work to be done, kept in git with its history', group: 'Knowledge' },
  knowledge: {
    summary: 'share and look after what people and agents wrote: notes, tasks and tags',
    group: 'Knowledge',
  },
  hooks: { summary: 'keep the index up to date by git hooks, in the background', group: 'Index' },
  share: { summary: 'configure how the index travels with a remote', group: 'Share' },
  fleet: { summary: 'look after a store of many repositories', group: 'Maintain' },
  agents: { summary: 'tell coding agents in their own files when to use it', group: 'Agents' },
};

export const TOOLSETS = [
  'core',
  'graph',
  'history',
  'context',
  'docs',
  'knowledge',
  'tasks',
  'admin',
  'fleet',
] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Effect on the repository: none; updates its index; deletes something. */
export type Effect = 'reads' | 'writes' | 'deletes';

/** A command line with the reason to type it; the program's name is added. */
export type Example = readonly [line: string, purpose: string];

/** How a tool describes a parameter, or differs from its declaration. `{default}` stands for the declared default. */
export type ToolParam =
  | string
  | (Partial<
      Pick<Param, 'summary' | 'min' | 'max' | 'minLength' | 'maxLength' | 'maxEntries' | 'default' | 'required'>
    > & {
      /** Name for agents, if it differs. */
      name?: string;
      /** Takes one text instead of a list. */
      one?: boolean;
    });

/** Parameters of the reply rather than of the question. */
export type ReplyParam = 'maxTokens' | 'cursor' | 'projectPath';

/** How agents ask: a tool of the Model Context Protocol. */
export interface ToolForm<P extends Params> {
  name: `codebase_${string}`;
  title: string;
  toolset: Toolset;
  /** Purpose of the tool, and when to prefer another one, in one or two sentences. Never text of a repository. */
  description: string;
  /** Parameters for agents, in listed order. */
  params: { readonly [K in keyof P]?: ToolParam };
  /** Parameters of the reply; default: all three. */
  reply?: readonly ReplyParam[];
  /** Default tokens of a reply. */
  maxTokens: number;
  /** Paging of lists. Without it, the question's `limit` applies as given. */
  page?: {
    /** Entries of a page; the default of `limit`, if the tool has that parameter. */
    size: number | ((values: Values<P>) => number);
    /** Most entries that can be requested, earlier pages included. */
    most: number;
    /** True if the document does not count the rest: then one further entry is requested to see whether there is any. */
    isOpenEnded?: boolean;
    /** Entries of the first page that are worth their tokens, where no number of them was asked for. */
    worth?: (document: object) => number;
  };
}

/** How people ask. */
interface CommandForm<P extends Params, Document> {
  group: Group;
  /** Examples for help and the manual: at least two. */
  examples: readonly Example[];
  /** Not listed in help. */
  hidden?: boolean;
  /** Opens the repository without writing to it, caches included. */
  readOnly?: boolean;
  /** No session is opened, or the answer opens it. A function decides by the values. */
  withoutSession?: boolean | ((values: Values<P>) => boolean);
  /** Help of `--json`. */
  json?: string | false;
  /** True for a negative answer, such as no result: the exit status is 1. */
  isNegative?: (document: Document, values: Values<P>) => boolean;
  /** True for a document that reports a failure: the exit status is 2. */
  isFailed?: (document: Document, values: Values<P>) => boolean;
  /** Failure of a part, reported after the document was printed. */
  failure?: (document: Document) => SocraticodeError | null;
  /** Prints while it runs instead of returning a document. */
  stream?: {
    when: (values: Values<P>) => boolean;
    load: () => Promise<(at: Asker, values: Values<P>) => Promise<void>>;
  };
  /** The front end runs it (`cli/command`), since it needs a layer above questions. */
  isRunByFrontEnd?: boolean;
}

export interface Question<P extends Params, Document extends object> {
  /** Command as typed: `search`, `graph impact`. */
  name: string;
  summary: string;
  effect: Effect;
  /** Reaches other machines: a remote, an embedder. */
  openWorld?: boolean;
  params: P;
  /** Loads the computation. */
  answer: () => Promise<(at: Asker, values: Values<P>) => Promise<Document>>;
  /**
   * Loads the writer of a document, in blocks or as text, for terminals and agents alike; agents get at most 60 % of the JSON's size.
   * Names and texts of the repository are made visible before it is given the document, so no writer does so itself.
   */
  text: () => Promise<(document: Document, writing: Writing<Values<P>>) => Written>;
  /** Fields of the documents whose text has lines and tabs; in all others these are escaped. */
  multiline?: readonly string[];
  /** True for a text that programs read: its writer is given the document as it is, and escapes what people see. */
  isExact?: (document: Document, values: Values<P>) => boolean;
  /** Schemas of the documents, by file name in `schemas/`. */
  documents: Readonly<Record<string, DocumentSchema>>;
  command?: CommandForm<P, Document>;
  tool?: ToolForm<P>;
}

export interface DocumentSchema {
  schema: ObjectShape;
  /** Title in the schema's file; default: `git socraticode NAME --json`. */
  title?: string;
  /** False for a document that no tool answers with. */
  tool?: false;
}

/** A question as tables hold it. */
// biome-ignore lint/suspicious/noExplicitAny: parameters and document belong together inside a question only.
export type AnyQuestion = Question<any, any>;

/**
 * Lets the compiler check a question by its own types, and gives its writer visible documents alone. A question that may be about
 * branches as merged gets their tree as its ref.
 */
export function defineQuestion<const P extends Params, Document extends object>(
  question: Question<P, Document>,
): AnyQuestion {
  const { isExact, multiline = [] } = question;
  const text: typeof question.text = async () => {
    const write = await question.text();
    return (document, writing) =>
      write(isExact?.(document, writing.values) ? document : visibleDocument(document, multiline), writing);
  };
  const visible: Question<P, Document> = { ...question, text };
  return 'merged' in question.params ? ofMerged(visible) : visible;
}

function ofMerged<P extends Params, Document extends object>(question: Question<P, Document>): AnyQuestion {
  const answer = async () => {
    const ask = await question.answer();
    return async (at: Asker, values: Values<P> & { merged?: readonly string[] }) => {
      if (values.merged === undefined) return ask(at, values);
      const { askMerged } = await import('./conflicts/branches.js');
      return askMerged(at, values, (one, ofTree) => ask(one, ofTree as Values<P>));
    };
  };
  return { ...question, answer } as AnyQuestion;
}

/** Members of a question without a document: its command streams, or the front end runs it. */
export const NO_DOCUMENT = {
  answer: async () => () => Promise.reject(new Error('this question has no document')),
  text: async () => () => '',
  documents: {},
};

/** An option of the program itself, valid anywhere on a command line. */
export interface GlobalOption {
  names: readonly string[];
  /** Placeholder of the option's value, if it takes one. */
  value?: string;
  summary: string;
}

/** Options in the order of `--help` (data). */
export const GLOBAL_OPTIONS: readonly GlobalOption[] = [
  { names: ['-C'], value: 'dir', summary: 'work on the repository at this directory' },
  { names: ['-v', '--verbose'], summary: 'say more on stderr' },
  { names: ['--color'], value: 'when', summary: 'auto, always or never (default: what color.ui of git says)' },
  { names: ['--no-pager'], summary: 'print long answers without a pager' },
  { names: ['--no-hyperlinks'], summary: 'print places without links that a terminal opens' },
];

/** The option as help shows it: `-v, --verbose`, `-C <dir>`. */
export const globalForm = ({ names, value }: GlobalOption): string =>
  `${names.join(', ')}${value === undefined ? '' : ` <${value}>`}`;

/** Number of words of the global option at `at`; 0 if there is none. */
export function globalLength(words: readonly string[], at: number): number {
  const [name, joined] = words[at].startsWith('--') ? words[at].split('=', 2) : [words[at]];
  const option = GLOBAL_OPTIONS.find(({ names }) => names.includes(name));
  if (option === undefined) return 0;
  return option.value === undefined || joined !== undefined || at + 1 >= words.length ? 1 : 2;
}
