/** Everything that is asked of a repository, by each front end that there is; answers in a form that can be compared. */
import { isSocraticodeError } from '../../../../src/base/errors.js';
import { ParserPool } from '../../../../src/indexer/parser-pool.js';
import { answerSymbol } from '../../../../src/questions/graph/symbol/answer.js';
import type { SearchResponse } from '../../../../src/questions/search/question.js';
import { readStatus } from '../../../../src/questions/status/answer.js';
import { Lifeline } from '../../../../src/serve/project.js';
import { searcherOf } from '../../../../src/session/search/searcher.js';
import { Session } from '../../../../src/session/session.js';
import { askerOf } from '../../in-process/asker.js';
import { cli } from '../../processes/cli.js';
import { pathsOf } from '../../results.js';
import type { TestServer } from '../../servers/mcp.js';
import type { World } from './world.js';

/** What is asked, by a name for it: an answer, or the code of an error. */
export type Answers = Record<string, unknown>;

interface Question {
  kind: 'search' | 'symbol' | 'status';
  words: string;
  ref?: string;
  committed?: true;
}

/** A name, words, a word that nothing has: through each way in. */
const QUERIES = ['windmill speed', 'rememberToken', 'where are parcels', 'sesion stroe'];
const SYMBOL = 'loadSessions';

export const QUESTIONS: readonly Question[] = [
  ...QUERIES.map((words): Question => ({ kind: 'search', words })),
  { kind: 'search', words: QUERIES[0], committed: true },
  { kind: 'search', words: QUERIES[1], ref: 'side' },
  { kind: 'search', words: QUERIES[0], ref: 'HEAD' },
  { kind: 'symbol', words: SYMBOL },
  { kind: 'symbol', words: SYMBOL, ref: 'side' },
  { kind: 'status', words: '' },
];

/** One of each kind, for the suite. */
export const FEW: readonly Question[] = [
  { kind: 'search', words: QUERIES[0] },
  { kind: 'search', words: QUERIES[3], committed: true },
  { kind: 'search', words: QUERIES[1], ref: 'side' },
  { kind: 'symbol', words: SYMBOL },
  { kind: 'status', words: '' },
];

const LIMIT = 30;
const nameOf = ({ kind, words, ref, committed }: Question) =>
  [kind, words, ref && `--ref ${ref}`, committed && '--committed'].filter(Boolean).join(' ');

/** What every front end says of a search, but the text: agents are shown a part of it. */
function found({ commit, coverage, dirty, overlay, corrections, results }: SearchResponse): unknown {
  const places = results.map(({ path, startLine, endLine, places, symbol, kind, score, uncommitted }) =>
    [path, startLine, endLine, pathsOf({ path, places }).join(), symbol, kind, score, uncommitted ?? false].join(' '),
  );
  return { commit, coverage, dirty, overlay, corrections, places };
}

// biome-ignore lint/suspicious/noExplicitAny: one of two documents, of which the same is compared
function described(document: any): unknown {
  const { commit, coverage, dirty, overlay, definitions, candidates, callers, callees, noCallers } = document;
  return { commit, coverage, dirty, overlay, definitions, candidates, callers, callees, noCallers };
}

const stateOf = ({ commit, dirty }: { commit: string | null; dirty: number }) => ({ commit, dirty });

async function answered(question: () => Promise<unknown>): Promise<unknown> {
  try {
    return await question();
  } catch (error) {
    if (isSocraticodeError(error)) return error.code;
    throw error;
  }
}

/**
 * Sessions of this process share one pool of parsers from now on: starting some for each would take longer than all else.
 * Returns what ends it.
 */
export function shareParsers(): () => void {
  const shared = new ParserPool();
  const { parse, stop, warm } = ParserPool.prototype;
  Object.assign(ParserPool.prototype, {
    parse: (job: Parameters<ParserPool['parse']>[0]) => parse.call(shared, job),
    stop: () => {},
    warm: () => {},
  });
  return () => {
    Object.assign(ParserPool.prototype, { parse, stop, warm });
    shared.stop();
  };
}

/** What a process has open that asks more than once. */
interface Opened {
  session: Session;
  lifeline: Lifeline;
}

async function open(directory: string | undefined): Promise<Opened> {
  const session = await Session.open({ directory });
  return { session, lifeline: new Lifeline(session) };
}

/** A process of its own, as far as this program can tell: it may stay, as a server does, or end with its questions. */
export class Asker {
  private constructor(
    private readonly directory: string | undefined,
    private opened: Opened,
  ) {}

  /** Throws what opening a repository throws. */
  static async open(directory?: string): Promise<Asker> {
    return new Asker(directory, await open(directory));
  }

  async answers(questions: readonly Question[] = QUESTIONS): Promise<Answers> {
    // As a server does before each answer.
    if ((await this.opened.lifeline.check()) !== 'alive') {
      this.close();
      this.opened = await open(this.directory);
    }
    const answers: Answers = {};
    for (const question of questions) answers[nameOf(question)] = await answered(() => this.ask(question));
    return answers;
  }

  private async ask({ kind, words, ref, committed }: Question): Promise<unknown> {
    const { session } = this.opened;
    if (kind === 'status') return stateOf(await readStatus(session));
    const at = askerOf(session);
    if (kind === 'symbol') return described(await answerSymbol(at, { names: [words], ref }));
    const response = await searcherOf(session).search({ query: words, ref, committed, limit: LIMIT });
    return { ...(found(response) as object), contents: response.results.map(({ content }) => content) };
  }

  close(): void {
    this.opened.session.close();
  }
}

/** Opens a session with a world's variables, asks, and ends it. */
export async function askOnce(world: World, questions = QUESTIONS): Promise<Answers> {
  return inWorld(world, async (directory) => {
    const asker = await Asker.open(directory).catch((error: unknown) => {
      if (isSocraticodeError(error)) return error.code;
      throw error;
    });
    if (typeof asker === 'string') return { opened: asker };
    try {
      return await asker.answers(questions);
    } finally {
      asker.close();
    }
  });
}

/** Variables that lead git here are honoured by who names no directory. */
async function inWorld<T>(world: World, work: (directory: string | undefined) => Promise<T>): Promise<T> {
  const [before, cwd] = [{ ...process.env }, process.cwd()];
  const isLed = world.env.GIT_DIR !== undefined;
  Object.assign(process.env, world.env);
  if (isLed) process.chdir(world.dir);
  try {
    return await work(isLed ? undefined : world.dir);
  } finally {
    process.chdir(cwd);
    for (const key of Object.keys(world.env)) {
      if (before[key] === undefined) delete process.env[key];
      else process.env[key] = before[key];
    }
  }
}

/** The command line says why in words, and has one exit code for it. */
export const FAILED = 'failed';

/** The command line, a process each question. */
export async function askCommands(world: World, questions = QUESTIONS): Promise<Answers> {
  const answers: Answers = {};
  for (const question of questions) {
    const { kind, words, ref, committed } = question;
    const command = kind === 'symbol' ? ['graph', 'symbol', words] : kind === 'search' ? ['search', words] : ['status'];
    const args = [...command, ...(ref ? ['--ref', ref] : []), ...(committed ? ['--committed'] : [])];
    if (kind === 'search') args.push('--limit', String(LIMIT));
    const { code, stdout, stderr } = await cli([...args, '--json'], { cwd: world.dir, env: world.env });
    if (code !== 0 && code !== 1 && !/^git-socraticode: [^\n]+\n {2}\S/m.test(stderr))
      throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    answers[nameOf(question)] = code === 2 ? FAILED : plain(kind, JSON.parse(stdout));
  }
  return answers;
}

// biome-ignore lint/suspicious/noExplicitAny: documents of three commands
function plain(kind: Question['kind'], document: any): unknown {
  if (kind === 'status') return stateOf(document);
  return kind === 'symbol' ? described(document) : found(document);
}

/** What a server says that stays: an answer that lacks something says so, and is asked for again. */
export async function askServer(server: TestServer, questions = QUESTIONS): Promise<Answers> {
  const answers: Answers = {};
  for (const question of questions) {
    const { kind, words, ref, committed } = question;
    if (committed) continue;
    const named = kind === 'search' ? { query: words, limit: LIMIT } : kind === 'symbol' ? { name: words } : {};
    const tool = { search: 'codebase_search', symbol: 'codebase_symbol', status: 'codebase_status' }[kind];
    const { structured } = await server.ask(tool, {
      ...named,
      ...(ref && { ref }),
      ...(kind !== 'status' && { maxTokens: 50_000 }),
    });
    answers[nameOf(question)] = structured?.error?.code ?? plain(kind, structured);
  }
  return answers;
}

/** Without what only some front ends show. */
export function comparable(answers: Answers): Answers {
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => {
      if (typeof answer !== 'object' || answer === null || !('contents' in answer)) return [name, answer];
      const { contents: _, ...rest } = answer as Record<string, unknown>;
      return [name, rest];
    }),
  );
}
