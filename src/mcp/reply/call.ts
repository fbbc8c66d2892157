/** Handles one call of a tool: checks its arguments, runs it, cuts the document to the budget and writes the reply. Errors become replies. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { unlessAborted } from '../../base/abortable.js';
import { visibleDocument } from '../../base/hygiene.js';
import { estimateTokens } from '../../base/tokens.js';
import { describeRun } from '../../serve/background-protocol.js';
import type { Project } from '../../serve/project.js';
import type { Answered, Tool, ToolCall } from '../tool.js';
import { parameterNames, readArguments } from './arguments.js';
import { type Cursor, checkCommit, hashQuestion, readCursor, shortCommit, writeCursor } from './cursor.js';
import { failure, UNTRUSTED } from './failure.js';
import { headerLine } from './header.js';
import type { CutDocument } from './lists.js';
import { cutToBudget } from './paging.js';

/** Context that the server gives to a call. */
export type CallContext = Omit<ToolCall, 'skip' | 'project'> & {
  project: (projectPath?: string) => Promise<Project>;
  /** Send the document beside its text. Hosts that show models one of the two show the document: JSON, of twice the tokens. */
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
    if (!projects.has(opened)) projects.set(opened, tellWork(opened, context.progress));
    return opened;
  };
  const asked = tool.answer(input as Record<string, unknown>, { ...context, project, skip: cursor?.skip ?? 0 });
  const answered = await unlessAborted(asked, context.signal).finally(() => {
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
    text: answered.write,
    running,
    cursor: cursor ?? { skip: 0, question, commit },
    commit,
  });
}

/** Steps of background work, so small that the counts of an answer's own work, from 1, are progress after them. */
const STEP = 1e-6;

/** Linking says nothing until it ends; clients that count the time since the last progress must not give up. */
const SIGN_OF_LIFE_MS = 2_000;

/** Tells the client what the background indexer does while it waits. Returns the function that ends this. */
function tellWork({ background }: Project, progress: CallContext['progress']): () => void {
  let steps = 0;
  const tell = () => {
    const { running } = background.state();
    if (running !== null) progress(++steps * STEP, null, describeRun(running));
  };
  const timer = setInterval(tell, SIGN_OF_LIFE_MS);
  const stop = background.onChange(tell);
  return () => {
    clearInterval(timer);
    stop();
  };
}

/** Parameters that this file handles for every tool. */
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
  text: Answered['write'];
  /** Text about the background indexer's work, or its failure; null if idle. */
  running: string | null;
  cursor: Cursor;
  commit: string;
}

function reply(answer: Answer): CallToolResult {
  const { tool, input, document, cursor } = answer;
  const budget = input.maxTokens ?? tool.maxTokens;
  // A budget that the agent names is spent on what is sent. The tools' own budgets were chosen with documents counted: over
  // the eight tasks of `bench agents`, texts that fill them cost 11,417 tokens instead of 9,121, and show no target more.
  const counts = answer.structured || input.maxTokens === undefined;
  const isWithin = (text: string) => estimateTokens(text) <= budget;
  const page = cutToBudget(document, {
    skip: cursor.skip,
    limit: tool.limit?.(input as Record<string, unknown>) ?? Infinity,
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

/** Cuts the text itself, if all cuts of the document were not enough. */
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

function write({ tool, text: textOf, running, cursor, commit }: Answer, page: CutDocument): Written {
  const { document, shown, leftOut } = page;
  const text = `${headerLine(document, running)}${textOf(document).replace(/\n+$/, '')}`.replace(OUR_LINE, ' ');
  if (leftOut === 0 || !parameterNames(tool).includes('cursor')) return { text, structured: document };
  // The tool lists no more entries than these; a further page would be empty.
  if (shown === 0)
    return { text: `${text}\n${leftOut} more cannot be listed: narrow the question`, structured: document };
  const next = writeCursor({ ...cursor, skip: cursor.skip + shown, commit });
  return {
    text: `${text}\nmore: ${leftOut}${tool.limit ? ' or more' : ''} left out; ask again with cursor ${next}`,
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
