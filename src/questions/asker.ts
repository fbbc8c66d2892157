/**
 * The asking side: its repository, how long it waits, and how it is shown progress. Below it are the asker and the values of a page, an
 * editor or a program, the schemas of all documents, and linked repositories; then the command line's own: text on stdin, globs from the
 * current directory, and questions on stdin, one a line.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { addAbortSignal, type Readable } from 'node:stream';
import { SocraticodeError, unexpected } from '../base/errors.js';
import { safeJson } from '../base/printable.js';
import { commandText, type Params } from '../params/param.js';
import { type Field, readValues } from '../params/read.js';
import type { Project } from '../serve/project.js';
import type { Projects } from '../serve/projects.js';
import type { Session } from '../session/session.js';
import type { LinkAccess } from '../session/siblings/ask.js';
import type { FleetAsking } from './fleet/asking.js';
import type { AnyQuestion, DocumentSchema, Question } from './question.js';
import { loadQuestions, QUESTION_NAMES } from './table.js';

/** Streams and environment of a command: injected, so that commands can be tested without a terminal. */
export interface Io {
  /** `rows`: lines of a terminal. */
  stdout: NodeJS.WritableStream & { isTTY?: boolean; rows?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  stdin: NodeJS.ReadableStream;
  env: NodeJS.ProcessEnv;
}

/** Means of an answer: the open repository and its readers. */
export interface Asker {
  /** The open repository. Throws if the question is declared to need none. */
  readonly session: Session;
  /** Directory of the work tree that paths begin at; default: the process's. */
  readonly directory: string | undefined;
  /** Aborts when nobody wants the answer any more: Ctrl-C, or the client cancelled. */
  readonly signal: AbortSignal;
  /** Reports progress; `total` is null if unknown. */
  readonly progress: (done: number, total: number | null, message: string) => void;
  /** All declarations. An answer cannot import their table, which loads it. */
  readonly questions: () => Promise<readonly AnyQuestion[]>;
  /** Set in a fleet's server: the questions that this client may ask. Elsewhere questions connect to the fleet of the settings. */
  readonly fleet?: FleetAsking;
  /** Set if a person asks on the command line. */
  readonly command?: CommandCaller;
  /** Set if an agent asks a server. */
  readonly server?: ServerCaller;
}

export interface CommandCaller {
  io: Io;
  /** The document is printed as JSON. */
  json: boolean;
  /** Prints, and waits until a slow reader has taken the text. */
  write: (text: string) => Promise<void>;
}

export interface ServerCaller {
  project: Project;
  projects: Projects;
  /** Entries of each list on earlier pages. */
  skip: number;
  /** Budget of the reply in tokens, if the agent gave one. */
  maxTokens: number | undefined;
  /** The document is sent beside its text. */
  structured?: boolean;
  /** Set if the client lets its server ask the client's model (sampling). */
  model?: HostModel;
}

/** The client's model. It answers between two rounds of a call, and each round computes the whole answer again. */
export interface HostModel {
  /** Answer of the model; null if it is asked after this round, or if there were enough questions. */
  ask: (system: string, user: string) => { text: string; model: string } | null;
}

/**
 * Asker for a surface that shows documents itself: a page, an editor, a program. `signal` aborts when nobody wants the answer any
 * more.
 */
export function askerOf(
  opened: Pick<Project, 'session' | 'root'>,
  signal: AbortSignal,
  progress: Asker['progress'] = () => {},
): Asker {
  return {
    session: opened.session,
    directory: opened.root,
    signal,
    progress,
    questions: () => loadQuestions(),
  };
}

export async function questionNamed(name: string): Promise<AnyQuestion | undefined> {
  const rows = QUESTION_NAMES.filter((row) => name === row || name.startsWith(`${row} `));
  return (await loadQuestions(rows)).find((each) => each.name === name);
}

/** Values that a page or a program gives for some parameters of a question, under their declared names. Throws BAD_ARGUMENT. */
export function readNamed(params: Params, keys: readonly string[], question: { name: string; given: unknown }) {
  const fields = keys.map((key): Field => ({ key, name: key, label: key, param: params[key] }));
  return readValues(question.given, { fields, hint: `Parameters of ${question.name}: ${keys.join(', ')}.` });
}

/** Published JSON Schemas (`schemas/`) with their titles, by file name. */
export async function loadDocuments(): Promise<Map<string, Required<Pick<DocumentSchema, 'schema' | 'title'>>>> {
  const questions = await loadQuestions();
  const each = questions.flatMap(({ name, tool, command, documents }) => {
    const byName = command === undefined ? `MCP: ${tool?.name}` : commandText(name, { json: true });
    return Object.entries(documents as Question<Params, object>['documents']).map(
      ([file, { schema, title = byName }]) => [file, { schema, title }] as const,
    );
  });
  return new Map(each);
}

export interface OpenedLinks {
  access: LinkAccess;
  close: () => Promise<void>;
}

/** Access to linked repositories, which the caller closes: a server keeps them open among its projects, others open them for one answer. */
export async function openLinks({ server }: Pick<Asker, 'server'>): Promise<OpenedLinks> {
  if (server !== undefined) {
    const { servedLinks } = await import('../serve/projects.js');
    return { access: servedLinks(server.projects), close: async () => {} };
  }
  const { OpenLinks } = await import('../session/siblings/ask.js');
  const access = new OpenLinks();
  return { access, close: () => access.close() };
}

// Text on stdin, and globs relative to the current directory.

/** Most bytes that are read. A longer text is a log, whose beginning says what failed. */
const MAX_BYTES = 1 << 20;

/** Reads text until stdin ends, as UTF-8; the rest of a longer one is not read. Throws if the signal aborts. */
export async function readPiped(stdin: NodeJS.ReadableStream, signal: AbortSignal): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of addAbortSignal(signal, stdin as Readable)) {
    parts.push(Buffer.from(part));
    bytes += parts[parts.length - 1].length;
    if (bytes >= MAX_BYTES) break;
  }
  return Buffer.concat(parts).toString('utf8', 0, MAX_BYTES);
}

/** Makes globs begin at the top of the work tree: people type them relative to the current directory. */
export async function fromHere<V extends object>(at: Asker, params: Params, values: V): Promise<V> {
  const given = values as Record<string, unknown>;
  const keys = Object.keys(params).filter((key) => params[key].globs && given[key] !== undefined);
  if (keys.length === 0) return values;
  const [{ prefixOf }, { fromTop }] = await Promise.all([
    import('../session/session.js'),
    import('../search/typed-filters.js'),
  ]);
  const { directory, workTree } = prefixOf(at.session, at.directory);
  const exists = (path: string) => workTree !== null && existsSync(join(workTree, path));
  const rooted = keys.map((key) => [key, fromTop(given[key] as string[], directory, exists)]);
  return { ...values, ...Object.fromEntries(rooted) };
}

// Questions on stdin: one document for each line, in order. A line that fails is answered with an error, and reading goes on.

/** Format of a line. */
export interface LineForm {
  /** Parameters that a JSON object on a line may have. */
  params: Params;
  /** Parameter that a line without braces is the value of. */
  main: string;
}

/** Reads until stdin ends or Ctrl-C. `values` are the defaults of each line. */
export async function answerEachLine<V extends object>(
  at: Asker,
  { values, form, answer }: { values: V; form: LineForm; answer: (values: V) => Promise<object> },
): Promise<void> {
  const { io, write } = at.command as CommandCaller;
  const input = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY, signal: at.signal });
  for await (const line of input) {
    const document = await answerLine(async () => {
      return answer(await fromHere(at, form.params, parseLine(line, values, form)));
    });
    await write(`${safeJson(document)}\n`);
  }
}

async function answerLine(answer: () => Promise<object>): Promise<object> {
  try {
    return await answer();
  } catch (error) {
    const { code, message, hint } = unexpected(error);
    return { schemaVersion: 1, error: { code, message, hint } };
  }
}

/** Reads a line: the main parameter, or a JSON object of parameters. Throws BAD_ARGUMENT. */
export function parseLine<V extends object>(line: string, values: V, { params, main }: LineForm): V {
  if (!line.trimStart().startsWith('{')) return { ...values, [main]: line };
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch (cause) {
    throw new SocraticodeError('BAD_ARGUMENT', 'the line begins like a JSON object, but is not valid JSON', { cause });
  }
  const keys = Object.keys(params);
  const fields = keys.map((key): Field => {
    const param = key === main ? params[key] : { ...params[key], default: values[key as keyof V] as never };
    return { key, name: key, label: key, param };
  });
  return { ...values, ...readValues(given, { fields, hint: `Keys: ${keys.join(', ')}.` }) };
}
