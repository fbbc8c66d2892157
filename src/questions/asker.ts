/**
 * The side that asks: which repository, how long it waits, and what it is shown meanwhile. Below the contract are the
 * asker of a page or an editor, the schemas of all documents, and the repositories linked to the one that is asked.
 */
import { commandText, type Params } from '../params/param.js';
import type { Project } from '../serve/project.js';
import type { Projects } from '../serve/projects.js';
import type { Searcher } from '../session/search/searcher.js';
import type { Session } from '../session/session.js';
import type { LinkAccess } from '../session/siblings/ask.js';
import type { FleetAsking } from './fleet/asking.js';
import type { GraphSource } from './graph/snapshot-graph.js';
import type { AnyQuestion, DocumentSchema, Question } from './question.js';
import { loadQuestions } from './table.js';

/** Streams and environment of a command: injected, so that commands are testable without a terminal. */
export interface Io {
  /** `rows`: lines of a terminal. */
  stdout: NodeJS.WritableStream & { isTTY?: boolean; rows?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  stdin: NodeJS.ReadableStream;
  env: NodeJS.ProcessEnv;
}

/** Means of an answer: the open repository and its readers. */
export interface Asker {
  /** The open repository. Throws where the question is declared to do without. */
  readonly session: Session;
  /** Directory that paths begin at: one of the work tree; default: the one that the process runs in. */
  readonly directory: string | undefined;
  /** Aborts when the answer is not wanted any more: Ctrl-C, or the client cancelled. */
  readonly signal: AbortSignal;
  /** Searches `session`; a server's searcher keeps its vocabulary between questions. */
  readonly searcher: () => Promise<Searcher>;
  /** Linked graphs of `session`; undefined: the question makes its own. */
  readonly graphs: () => Promise<GraphSource | undefined>;
  /** Reports progress; `total` is null where it is not known. */
  readonly progress: (done: number, total: number | null, message: string) => void;
  /** Every declaration: an answer cannot import the table that loads it. */
  readonly questions: () => Promise<readonly AnyQuestion[]>;
  /** Set in a fleet's server: what this client may ask. Elsewhere questions connect to the fleet of the settings. */
  readonly fleet?: FleetAsking;
  /** Set where a person asks on the command line. */
  readonly command?: CommandCaller;
  /** Set where an agent asks a server. */
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
  /** Entries of each list that earlier pages had. */
  skip: number;
  /** Tokens of the reply, where the agent gave a budget. */
  maxTokens: number | undefined;
  /** Set where the client lets its server ask the model that it has (sampling). */
  model?: HostModel;
}

/** The client's own model. The client answers between two rounds of one call, each of which computes the whole answer anew. */
export interface HostModel {
  /** Answer of the model; null: it is asked after this round, or there were enough questions. */
  ask: (system: string, user: string) => { text: string; model: string } | null;
}

// Asks a question for a surface that shows documents itself: a page, an editor.

/** `signal`: aborts when nobody wants the answer any more. */
export function askerOf(project: Project, signal: AbortSignal, progress: Asker['progress'] = () => {}): Asker {
  return {
    session: project.session,
    directory: project.root,
    signal,
    searcher: async () => project.searcher,
    graphs: () => project.graphs(),
    progress,
    questions: () => loadQuestions(),
  };
}

/** The declaration of that name; undefined for none. */
export async function questionNamed(name: string): Promise<AnyQuestion | undefined> {
  return (await loadQuestions([name])).find((each) => each.name === name);
}

// The JSON Schemas that `schemas/` publishes.

/** By the name of the file, with a title each. */
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

// Opens the repositories that are linked to the one that is asked. A server keeps them open for other questions, too.

export interface OpenedLinks {
  access: LinkAccess;
  close: () => Promise<void>;
}

export async function openLinks({ server }: Pick<Asker, 'server'>): Promise<OpenedLinks> {
  if (server !== undefined) {
    const { servedLinks } = await import('../serve/projects.js');
    return { access: servedLinks(server.projects), close: async () => {} };
  }
  const { OpenLinks } = await import('../session/siblings/ask.js');
  const access = new OpenLinks();
  return { access, close: () => access.close() };
}
