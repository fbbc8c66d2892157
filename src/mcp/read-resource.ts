/**
 * Reads a resource, which is the text of the tool that answers it, and suggests names of resources while the user types
 * (`completion/complete`).
 */
import { type CompleteResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type ErrorCode, SocraticodeError } from '../base/errors.js';
import { visibleLine, visibleText } from '../base/printable.js';
import { artifactsOf } from '../questions/context/question.js';
import type { Projects } from '../serve/projects.js';
import { type ResourceKind, type ResourceName, TEMPLATES } from './resources.js';
import { type CallContext, callTool, loadTools, type Toolset } from './tool-call.js';

export interface Asking {
  projects: Projects;
  signal: AbortSignal;
}

interface Source {
  tool: string;
  toolset: Toolset;
  args: (value: string | null) => Record<string, unknown>;
}

/**
 * Token budget of a resource: users attach it for its whole text, so it is above a tool's default, and below a tenth of a
 * model's context.
 */
const TOKENS = 10_000;

const SOURCES: Readonly<Record<ResourceKind, Source>> = {
  status: { tool: 'codebase_status', toolset: 'core', args: () => ({}) },
  outline: {
    tool: 'codebase_outline',
    toolset: 'core',
    args: (path) => (path === null ? {} : { files: [path], signatures: true, maxTokens: TOKENS }),
  },
  symbol: { tool: 'codebase_symbol', toolset: 'graph', args: (name) => ({ name, maxTokens: TOKENS }) },
  context: {
    tool: 'codebase_context',
    toolset: 'context',
    args: (name) => ({ artifactName: name, maxTokens: TOKENS }),
  },
};

/** Text of a resource. Throws BAD_ARGUMENT for an unknown name, with the nearest names as its hint, and the tool's errors. */
export async function readResource({ kind, value }: ResourceName, asking: Asking): Promise<string> {
  const { tool, toolset, args } = SOURCES[kind];
  const { text, document } = await ask({ tool, toolset, args: args(value) }, asking);
  if (kind === 'outline' && value !== null) checkPath(document, value);
  const { more } = document as { more?: { leftOut: number } };
  // A resource has no further pages: the last line names the tool that has them.
  return more === undefined ? text : text.replace(/\n.*$/, `\nmore: ${more.leftOut} left out; ${tool} lists the rest`);
}

interface Reply {
  text: string;
  document: Record<string, unknown>;
}

async function ask(
  { tool: name, toolset, args }: { tool: string; toolset: Toolset; args: Record<string, unknown> },
  { projects, signal }: Asking,
): Promise<Reply> {
  const tool = (await loadTools([toolset], false)).get(name);
  if (tool === undefined) throw new SocraticodeError('INTERNAL', `there is no tool ${name}`);
  const project = (path?: string) => projects.open(path);
  const call: CallContext = { project, projects, structured: true, signal, progress: () => {} };
  const { content, structuredContent = {}, isError } = await callTool(tool, args, call);
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const document = structuredContent as Record<string, unknown>;
  if (!isError) return { text, document };
  const { code, message, hint } = (document.error ?? { code: 'INTERNAL', message: text }) as Failure;
  throw new SocraticodeError(code, message, hint === undefined ? {} : { hint });
}

interface Failure {
  code: ErrorCode;
  message: string;
  hint?: string;
}

/** Throws BAD_ARGUMENT if the document is about another file: tools accept the end of a path, a URI must be whole. */
function checkPath(document: Record<string, unknown>, path: string): void {
  const files = (document.files ?? []) as { path: string }[];
  // Documents make invisible characters of names visible.
  if (files[0]?.path === visibleText(path)) return;
  const candidates = document.candidates as { list: { path: string }[] } | undefined;
  const near = (candidates?.list ?? files).map((each) => each.path).slice(0, MAX_NEAR);
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'Paths begin at the top of the repository.';
  throw new SocraticodeError('BAD_ARGUMENT', `no file ${path} is indexed in this snapshot`, { hint, file: path });
}

const MAX_NEAR = 3;

/** Names of the repository's context artifacts, in its order; none if the list cannot be read. */
export async function artifactNames({ projects }: Asking): Promise<string[]> {
  try {
    const context = await artifactsOf(await projects.open());
    return ((await context.origin(undefined)).artifacts ?? []).map(({ name }) => name);
  } catch {
    // Status and tools report problems of the repository; a list cannot.
    return [];
  }
}

// Suggestions while the user types the path or name of a resource.

/** Most suggestions that the protocol allows. */
const MAX_VALUES = 100;
/** Longest text that is completed. */
const MAX_TYPED = 1_024;
/** Time to answer while a user types; a later result serves the next keystroke. */
const PATIENCE_MS = 1_000;

interface Completing {
  ref: { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string };
  argument: { name: string; value: string };
}

type Completion = CompleteResult['completion'];

const NOTHING: Completion = { values: [], total: 0, hasMore: false };

/** Suggestions for an argument; none for prompts, which take free text. Throws InvalidParams for an unknown template. */
export async function completions({ ref, argument }: Completing, asking: Asking): Promise<CompleteResult> {
  if (ref.type === 'ref/prompt') return { completion: NOTHING };
  const { name, value } = argument;
  if (value.length > MAX_TYPED) return { completion: NOTHING };
  const find = finder(ref.uri, name);
  if (find === null)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no resource template with such an argument');
  return { completion: await patiently(find(value, asking)) };
}

type Found = { values: string[]; total: number };
type Find = (text: string, asking: Asking) => Promise<Found>;

function finder(uri: string, argument: string): Find | null {
  if (uri === TEMPLATES.outline && argument === 'path') return (text, asking) => fromGraph('path', text, asking);
  if (uri === TEMPLATES.symbol && argument === 'name') return (text, asking) => fromGraph('name', text, asking);
  return uri === TEMPLATES.context && argument === 'name' ? fromArtifacts : null;
}

async function fromGraph(what: 'path' | 'name', text: string, { projects, signal }: Asking): Promise<Found> {
  const [project, { runComplete }] = await Promise.all([
    projects.open(),
    import('../questions/graph/symbols/answer.js'),
  ]);
  const question = { what, text, limit: MAX_VALUES, directory: project.root, signal };
  return runComplete(project.session, question, await project.graphs());
}

async function fromArtifacts(text: string, asking: Asking): Promise<Found> {
  const wanted = text.toLowerCase();
  const values = (await artifactNames(asking)).filter((name) => name.toLowerCase().includes(wanted));
  return { values: values.slice(0, MAX_VALUES), total: values.length };
}

/** Waits a short time. A failure gives no suggestions, since a question will report it; slow work goes on for the next keystroke. */
async function patiently(found: Promise<Found>): Promise<Completion> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  try {
    const answer = await Promise.race([found, late]);
    if (answer === null) return NOTHING;
    // A name with invisible characters would come back in another spelling.
    const values = answer.values.filter((value) => visibleLine(value) === value);
    return { values, total: answer.total, hasMore: answer.total > values.length };
  } catch {
    return NOTHING;
  } finally {
    clearTimeout(timer);
  }
}
