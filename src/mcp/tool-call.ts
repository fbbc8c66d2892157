/**
 * Handles one call of a tool: checks its arguments, runs it, cuts the document to the budget and writes the reply.
 * Errors become replies.
 */
import { createHash } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { unlessAborted } from '../base/async.js';
import { ERROR_CODES, type ErrorCode, SocraticodeError, unexpected } from '../base/errors.js';
import { log } from '../base/log.js';
import { visibleDocument, visibleLine, visibleText } from '../base/printable.js';
import { estimateTokens } from '../base/tokens.js';
import { type Field, readValues } from '../params/read.js';
import type { ObjectShape } from '../params/shape.js';
import type { HostModel } from '../questions/asker.js';
import type { FleetAsking } from '../questions/fleet/asking.js';
import { type AnyQuestion, type Effect, TOOLSETS, type Toolset } from '../questions/question.js';
import { loadQuestions } from '../questions/table.js';
import { describeRun } from '../serve/job.js';
import type { Project } from '../serve/project.js';
import type { Projects } from '../serve/projects.js';
import { type CutDocument, cutToBudget } from './paging.js';

/** One call, as the answer of a tool is given it. */
export interface ToolCall {
  /** The repository that `projectPath` names, or the server's own: opened when first asked for. */
  project: () => Promise<Project>;
  projects: Projects;
  /** Set in a fleet's server, which has no projects: the answers that this client may have. */
  fleet?: FleetAsking;
  /** Aborts when the client cancels the request or goes away. */
  signal: AbortSignal;
  /** Sends a progress notification if the client asked for them. `total`: null where it is not known. */
  progress: (done: number, total: number | null, message: string) => void;
  /** The client's model, where the client offers it. */
  model?: HostModel;
  /** The document is sent beside its text. */
  structured?: boolean;
  /** First wanted entry of each list: from the cursor, else 0. Lists are cut after the answer. */
  skip: number;
}

/** A document, and its text: of the whole, or of the part that a page shows. */
interface Answered {
  document: object;
  write: (shown: object) => string;
}

export interface Tool {
  name: string;
  title: string;
  toolset: Toolset;
  description: string;
  effect: Effect;
  /** Reaches beyond this machine (a remote, an embedder). */
  openWorld?: boolean;
  /** Parameters by the names that agents use, in the order in which they are listed. */
  fields: readonly Field[];
  /** Parameters of the question that agents cannot set: no answer holds fields that only they request. */
  unoffered: ReadonlySet<string>;
  /** Schema of `structuredContent`, without the fields that paging adds. */
  output: () => Promise<ObjectShape>;
  /** Tokens of a reply where none are asked for. */
  maxTokens: number;
  /** Entries of a page, for a document that does not count the rest: one more is requested, to tell whether there is any. */
  limit?: (input: Readonly<Record<string, unknown>>, first?: object) => number;
  /** `input` by the names of the declaration, checked. */
  answer: (input: Record<string, unknown>, call: ToolCall) => Promise<Answered>;
}

/** Context that the server gives to a call. */
export type CallContext = Omit<ToolCall, 'skip' | 'project' | 'structured'> & {
  project: (projectPath?: string) => Promise<Project>;
  /** Sends the document beside its text. Hosts that show models one of the two show the document, JSON with twice the tokens. */
  structured: boolean;
};

export async function callTool(tool: Tool, args: unknown, context: CallContext): Promise<CallToolResult> {
  try {
    return await answer(tool, args, context);
  } catch (error) {
    const failed = failure(error, tool.name);
    return context.structured ? failed : withoutDocument(failed);
  }
}

async function answer(tool: Tool, args: unknown, context: CallContext): Promise<CallToolResult> {
  const input = readArguments(tool, args) as Shared;
  const question = hashQuestion(tool.name, input);
  const cursor = input.cursor === undefined ? null : readCursor(input.cursor, question);
  const projects = new Map<Project, () => void>();
  const project = async () => {
    const opened = await context.project(input.projectPath);
    if (!projects.has(opened)) projects.set(opened, reportWork(opened, context.progress));
    return opened;
  };
  const pending = tool.answer(input as Record<string, unknown>, { ...context, project, skip: cursor?.skip ?? 0 });
  const answered = await unlessAborted(pending, context.signal).finally(() => {
    for (const stop of projects.values()) stop();
  });
  const document = visibleDocument(answered.document);
  const commit = shortCommit((document as { commit?: string | null }).commit);
  if (cursor !== null) checkCommit(cursor, commit);
  const running = [...projects.keys()].map(runningIn).find((note) => note !== null) ?? null;
  return reply({
    tool,
    structured: context.structured,
    input,
    document,
    textOf: answered.write,
    running,
    cursor: cursor ?? { skip: 0, question, commit },
    commit,
  });
}

/** Progress per step of background work: so small that the answer's own counts, from 1, come after it. */
const STEP = 1e-6;

/**
 * Milliseconds between signs of life while linking, which reports nothing until it ends: clients count the time since the last
 * progress.
 */
const SIGN_OF_LIFE_MS = 2_000;

/** Reports the background indexer's work to the client while it waits. Returns the function that ends this. */
function reportWork({ background }: Project, progress: CallContext['progress']): () => void {
  let steps = 0;
  const report = () => {
    const { running } = background.state();
    if (running !== null) progress(++steps * STEP, null, describeRun(running));
  };
  const timer = setInterval(report, SIGN_OF_LIFE_MS);
  const stop = background.onChange(report);
  return () => {
    clearInterval(timer);
    stop();
  };
}

/** Parameters of every tool, handled here. */
interface Shared {
  projectPath?: string;
  maxTokens?: number;
  cursor?: string;
}

interface Answer {
  tool: Tool;
  structured: boolean;
  input: Shared;
  document: object;
  textOf: Answered['write'];
  /** Text about the background indexer's work, or its failure; null if idle. */
  running: string | null;
  cursor: Cursor;
  commit: string;
}

function reply(answer: Answer): CallToolResult {
  const { tool, input, document, cursor } = answer;
  const budget = input.maxTokens ?? tool.maxTokens;
  // A budget that the agent names covers all that is sent. The tools' own budgets were chosen for documents: over the eight
  // tasks of `bench agents`, texts that fill them cost 11,417 tokens instead of 9,121, and show no further target.
  const counts = answer.structured || input.maxTokens === undefined;
  const isWithin = (text: string) => estimateTokens(text) <= budget;
  const page = cutToBudget(document, {
    skip: cursor.skip,
    limit: tool.limit?.(input as Record<string, unknown>, cursor.skip === 0 ? document : undefined) ?? Infinity,
    fits: (candidate) => {
      const { text, structured } = write(answer, candidate);
      return isWithin(text) && (!counts || isWithin(JSON.stringify(structured)));
    },
  });
  const { text, structured } = write(answer, page);
  const whole = { structuredContent: structured, _meta: UNTRUSTED };
  const result: CallToolResult = { content: [{ type: 'text', text: cutText(text, budget) }], ...whole };
  return answer.structured ? result : withoutDocument(result);
}

function withoutDocument({ structuredContent: _, ...result }: CallToolResult): CallToolResult {
  return result;
}

/** Most characters of a token in any text. */
const CHARACTERS_A_TOKEN = 8;
const CUT = '\n… cut: the reply is larger than its budget';

/** Cuts the text itself, if no cut of the document was enough. */
function cutText(text: string, budget: number): string {
  if (estimateTokens(text) <= budget) return text;
  let length = Math.min(text.length, budget * CHARACTERS_A_TOKEN);
  while (length > 0 && estimateTokens(text.slice(0, length) + CUT) > budget) length = Math.floor(length * 0.9);
  return text.slice(0, length) + CUT;
}

/** Beginning of the last line of our replies; a space before it keeps names of a repository from imitating that line. */
const OUR_LINE = /^(?=more: )/gm;

interface Written {
  text: string;
  structured: Record<string, unknown>;
}

function write({ tool, textOf, running, cursor, commit }: Answer, page: CutDocument): Written {
  const { document, shown, leftOut } = page;
  const text = `${headerLine(document, running)}${textOf(document).replace(/\n+$/, '')}`.replace(OUR_LINE, ' ');
  if (leftOut === 0 || !parameterNames(tool).includes('cursor')) return { text, structured: document };
  // The tool lists no further entries: another page would be empty.
  if (shown === 0)
    return { text: `${text}\n${leftOut} more cannot be listed: narrow the question`, structured: document };
  const next = writeCursor({ ...cursor, skip: cursor.skip + shown, commit });
  return {
    // A search never counts all that it left out. The instructions say what a cursor is for.
    text: `${text}\nmore: ${tool.limit ? '' : `${leftOut} left out; `}cursor ${next}`,
    structured: { ...document, more: { leftOut, cursor: next } },
  };
}

/** Text about the background work that will complete this answer, or about its failure. */
function runningIn(project: Project): string | null {
  const { running, last } = project.background.state();
  if (running !== null) return running.phase === 'linking' ? null : `${describeRun(running)}, ask again for more`;
  const error = last?.ok === false && last.kind === 'index' ? last.error : undefined;
  return error === undefined || error.code === 'CANCELLED' ? null : `indexing failed: ${error.message}`;
}

/** Fields that most documents share. */
interface About {
  ref?: unknown;
  commit?: unknown;
  coverage?: unknown;
  dirty?: unknown;
  overlay?: unknown;
}

/** Longest name of a ref, in characters; longer ones are cut. */
const MAX_REF = 80;

/** Header line; '' for a document about no snapshot. `running`: text about the background indexer. */
export function headerLine(document: object, running: string | null): string {
  const { ref, commit, coverage, dirty, overlay } = document as About;
  const parts = typeof ref === 'string' ? [snapshot(ref, typeof commit === 'string' ? commit : '')] : [];
  let isPartial = false;
  if (typeof coverage === 'object' && coverage !== null) {
    const { covered, total } = coverage as { covered: number; total: number };
    isPartial = covered < total;
    parts.push(isPartial ? `partial: ${covered}/${total} files` : `${covered}/${total} files`);
  }
  if (typeof dirty === 'number' && dirty > 0)
    parts.push(uncommitted(dirty, typeof overlay === 'number' ? overlay : dirty));
  // Waiting improves only answers from a partial index.
  if (running !== null && isPartial) parts.push(visibleLine(running));
  return parts.length === 0 ? '' : `${parts.join(' · ')}\n`;
}

function snapshot(ref: string, commit: string): string {
  const name = visibleLine(ref.length > MAX_REF ? `${ref.slice(0, MAX_REF)}…` : ref);
  return commit === '' || commit.startsWith(ref) ? name : `${name} @ ${shortCommit(commit)}`;
}

function uncommitted(dirty: number, overlay: number): string {
  if (overlay === 0) return `${dirty} uncommitted not included`;
  return overlay === dirty ? `${dirty} uncommitted included` : `${overlay} of ${dirty} uncommitted included`;
}

// Cursors: the start of the next page, and the answer that it belongs to. All of a cursor is checked, since it comes from the
// client.

interface Cursor {
  /** Entries of each list that were shown. */
  skip: number;
  /** Hash of the tool and of its arguments, without cursor and budget. */
  question: string;
  /** First digits of the commit that the answer is about; '' without one. */
  commit: string;
}

/** Most entries to skip, which bounds the work for a forged cursor. */
const MAX_SKIP = 1_000_000;
/** Digits of a cursor, for which an agent pays in each reply. They tell mistakes apart; nothing is kept secret by them. */
const HASH_DIGITS = 6;
const PAGE_COMMIT_DIGITS = 4;
const COMMIT_DIGITS = 9;
const FORM = /^(\d{1,7})\.([0-9a-f]{6})\.([0-9a-f]{0,4})$/;

/** Arguments that change the size of a page, not the answer. */
const PAGE_ARGUMENTS = new Set(['cursor', 'maxTokens']);

const AGAIN = { hint: 'Ask again without cursor.' };

export function hashQuestion(tool: string, input: object): string {
  const requested = Object.entries(input).filter(([name, value]) => !PAGE_ARGUMENTS.has(name) && value !== undefined);
  const sorted = requested.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, sorted]))
    .digest('hex')
    .slice(0, HASH_DIGITS);
}

export const shortCommit = (commit: string | null | undefined): string => (commit ?? '').slice(0, COMMIT_DIGITS);

const commitOfPage = (commit: string): string => commit.slice(0, PAGE_COMMIT_DIGITS);

export const writeCursor = ({ skip, question, commit }: Cursor): string =>
  `${skip}.${question}.${commitOfPage(commit)}`;

/** Parses a cursor. Throws BAD_ARGUMENT for one that no reply contained, and for that of another question. */
export function readCursor(text: string, question: string): Cursor {
  const match = FORM.exec(text);
  const skip = Number(match?.[1] ?? Number.NaN);
  if (match === null || !(skip <= MAX_SKIP))
    throw new SocraticodeError('BAD_ARGUMENT', 'this is no cursor of a reply', AGAIN);
  if (match[2] !== question)
    throw new SocraticodeError('BAD_ARGUMENT', 'the cursor belongs to a question with other arguments', {
      hint: 'Repeat the arguments of the reply that it came with, or ask again without cursor.',
    });
  return { skip, question, commit: match[3] };
}

/** Throws BAD_ARGUMENT if the answer is about another commit than the previous page. */
export function checkCommit(cursor: Cursor, commit: string): void {
  if (cursor.commit === commitOfPage(commit)) return;
  throw new SocraticodeError(
    'BAD_ARGUMENT',
    `the repository has moved on to ${commit || 'another tree'} since the page before`,
    AGAIN,
  );
}

// Tools, made from declarations of questions (`question-tool`): by toolset, and in the order of the table of questions.

/** Tools by toolset. Each request of a 2026 client gets a server object of its own, and tools never change. */
const LOADED = new Map<string, Promise<Map<string, Tool>>>();

/** `readOnly` leaves out tools that write. Made once in a process. */
export function loadTools(toolsets: readonly Toolset[], readOnly: boolean): Promise<ReadonlyMap<string, Tool>> {
  const key = `${toolsets.join()} ${readOnly}`;
  const loaded = LOADED.get(key) ?? makeTools(toolsets, readOnly);
  LOADED.set(key, loaded);
  return loaded;
}

async function makeTools(toolsets: readonly Toolset[], readOnly: boolean): Promise<Map<string, Tool>> {
  const [questions, { toolOf }] = await Promise.all([loadQuestions(), import('./question-tool.js')]);
  for (const { name, tool } of questions)
    if (tool !== undefined) {
      const isOffered = toolsets.includes(tool.toolset) || COMMANDS.get(name)?.isOffered === true;
      COMMANDS.set(name, { name: tool.name, params: Object.keys(tool.params), isOffered });
    }
  const isIn =
    (toolset: Toolset) =>
    ({ tool, effect }: AnyQuestion) =>
      tool?.toolset === toolset && (!readOnly || effect === 'reads');
  const tools = toolsets.flatMap((toolset) => questions.filter(isIn(toolset)).map(toolOf));
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** The toolset of every tool, including toolsets that the server was not started with. */
export async function loadToolNames(): Promise<Map<string, Toolset>> {
  const questions = await loadQuestions();
  const named = questions.flatMap(({ tool }) => (tool === undefined ? [] : [[tool.name, tool.toolset] as const]));
  return new Map(TOOLSETS.flatMap((toolset) => named.filter(([, own]) => own === toolset)));
}

export { TOOLSETS, type Toolset };

/** Checks the arguments of a call; returns them by their declared names. Throws BAD_ARGUMENT, which tells a model how to correct them. */
export function readArguments(tool: Tool, given: unknown): Record<string, unknown> {
  const hint = `Parameters of ${tool.name}: ${parameterNames(tool).join(', ')}.`;
  return readValues(given, { fields: tool.fields, hint });
}

/** Names that agents use, in the order in which they are listed. */
export function parameterNames(tool: Tool): string[] {
  return tool.fields.map(({ name }) => name);
}

// Failed calls. They are replies with the error and the next step, since models do not see protocol errors.

/** Tools by the commands of the same questions. `makeTools` fills it, before any tool can be called. */
const COMMANDS = new Map<string, { name: string; params: readonly string[]; isOffered: boolean }>();
const COMMAND_LINE = /git socraticode ((?:[a-z]+ ){0,2}[a-z]+)((?: --[a-z-]{1,40}){0,4})/g;

/**
 * Advice in the words of agents: a command line becomes its tool, and options parameters. One without a tool is for the user, and stays; one
 * whose tool this server does not offer is left out where other advice remains.
 */
export function inToolWords(hint: string): string {
  const parts = hint.split('; ');
  const own = parts.filter((part) => toolsIn(part).every(({ isOffered }) => isOffered));
  return (own.length === 0 ? parts : own).map((part) => part.replace(COMMAND_LINE, inOne)).join('; ');
}

const toolsIn = (text: string) =>
  Array.from(text.matchAll(COMMAND_LINE), ([, words]) => toolOfWords(words)?.tool ?? ALWAYS);
const ALWAYS = { isOffered: true };

/** The tool of the command that some words begin with, and the words behind it. */
function toolOfWords(words: string) {
  const parts = words.split(' ');
  for (let count = parts.length; count > 0; count--) {
    const tool = COMMANDS.get(parts.slice(0, count).join(' '));
    if (tool !== undefined) return { tool, rest: parts.slice(count) };
  }
  return null;
}

function inOne(line: string, words: string, options: string): string {
  const found = toolOfWords(words);
  const names = Array.from(options.matchAll(/ --([a-z-]+)/g), ([, name]) =>
    name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  if (found === null || !names.every((name) => found.tool.params.includes(name))) return line;
  const named = names.length === 0 ? '' : ` with ${names.join(', ')}`;
  return [found.tool.name + named, ...found.rest].join(' ');
}

/** Tells hosts that the content is untrusted, as are names in messages; the instructions tell models. */
export const UNTRUSTED = { 'git-socraticode/content': 'untrusted' };

/** Longest message that is passed on, in characters: git's messages can be long. */
const MAX_MESSAGE = 1_000;

export function failure(error: unknown, tool: string): CallToolResult {
  const known = unexpected(error);
  const { code } = known;
  // Goes to stderr alone, not to a log file, because messages quote the question.
  if (code === 'INTERNAL') log.print('error', `${tool}: ${(error as Error).stack ?? String(error)}`);
  else log.print('debug', `${tool}: ${code}: ${known.message}`);
  log.failure(known);
  const hint = visibleText(known.hint === ERROR_CODES[code] ? (HINTS[code] ?? known.hint) : inToolWords(known.hint));
  const said = code === 'INTERNAL' ? withoutPlaces(known.message) : known.message;
  const message = visibleText(said.length > MAX_MESSAGE ? `${said.slice(0, MAX_MESSAGE)}…` : said);
  return {
    isError: true,
    // Further lines are indented: quoted text cannot pass for our hint.
    content: [{ type: 'text', text: `${code}: ${message.replaceAll('\n', '\n ')}\n${hint}` }],
    structuredContent: { error: { code, message, hint } },
    _meta: UNTRUSTED,
  };
}

const ABSOLUTE = /(?:[A-Za-z]:)?(?:[\\/][^\\/\s'":,;()]+){2,}/g;

/** Shortens absolute paths to their last part, since an unexpected message may name any file of this machine. */
const withoutPlaces = (text: string) => text.replace(ABSOLUTE, (path) => `…/${path.split(/[\\/]/).pop()}`);

/** Next steps for agents, in place of those that name commands or options, with what only the user can do said so (data). */
const HINTS: Partial<Record<ErrorCode, string>> = {
  NOT_A_REPOSITORY: 'Name a git repository with the parameter projectPath.',
  UNBORN_HEAD: 'The repository needs a first commit; or name another ref with the parameter ref.',
  UNKNOWN_REF: 'Name a branch, tag or commit in the parameter ref.',
  EMPTY_QUERY: 'Say what to look for in the parameter query.',
  BAD_ARGUMENT: 'See the descriptions of the parameters.',
  UNSAFE_REPOSITORY: 'The user can trust it: git config --global --add safe.directory DIR',
  GIT_MISSING: 'The user has to install git 2.31 or newer, on the PATH of this server.',
  GIT_FAILED: 'The repository may be damaged: the user can check it with `git fsck`.',
  UNREADABLE_OBJECT:
    'The user can check it with `git fsck`; in a partial clone, `git fetch --refetch --no-filter` brings missing objects.',
  BAD_CONFIG: 'The setting that the message names has to be corrected in its file, or by the user.',
  EMBEDDER_UNREACHABLE: 'The user has to start the embedder, or set its address in embedder.endpoint.',
  EMBEDDER_BAD_ANSWER: 'The settings embedder.endpoint and embedder.model have to belong together; the user sets them.',
  EMBEDDER_DENIED: 'The user has to set SOCRATICODE_OPENAI_API_KEY or OPENAI_API_KEY where this server starts.',
  EMBEDDER_REFUSED:
    'The user can allow that text leaves this machine: git config --global socraticode.embedder.remote true',
  NO_REMOTE: 'The user can add one: git remote add origin URL',
  REMOTE_UNREACHABLE: 'The local index works without it; the user can check the connection.',
  REMOTE_BUSY: 'Another clone shares at the same time; ask again, nothing is lost.',
  FLEET_UNSAFE_STORE:
    'The user needs a store that keeps the first of two writes: a directory on a disk, or another bucket.',
  FLEET_PACKAGES: 'The user has to install it beside git-socraticode: npm install git-socraticode-fleet',
  FLEET_DENIED: 'The user has to set SOCRATICODE_FLEET_TOKEN, to a token that may do this, where this server starts.',
  FLEET_UNREACHABLE: 'Ask again; the user can check the address in fleet.url, and the connection.',
  RECORD_CORRUPT: 'The record is ignored and made anew by codebase_index.',
  DISK: 'The user has to free some space, or to correct permissions of the .git directory.',
  RESOURCES: 'Too many files or processes are open: ask again; the user can raise the limits (ulimit -n).',
  BROKEN_INSTALLATION: 'The user has to install it again: npm install -g git-socraticode',
  LOCKED: 'Another process is indexing this repository; ask again in some seconds.',
  SHARD_CORRUPT: 'The damaged file was moved aside and is rebuilt; ask again.',
  CANCELLED: 'Ask again to continue; finished work is kept.',
  INTERNAL: 'This is a bug in git-socraticode; other tools may still answer.',
};
