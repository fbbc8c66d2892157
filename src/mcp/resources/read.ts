/** Reads a resource: the text of the tool that answers it. */
import type { ErrorCode } from '../../base/error-codes.js';
import { SocraticodeError } from '../../base/errors.js';
import { visibleText } from '../../base/hygiene.js';
import { artifactsOf } from '../../questions/context/project-artifacts.js';
import type { Projects } from '../../serve/projects.js';
import { type CallContext, callTool } from '../reply/call.js';
import type { Toolset } from '../tool.js';
import { loadTools } from '../toolsets.js';
import type { ResourceKind, ResourceName } from './uri.js';

export interface Asking {
  projects: Projects;
  signal: AbortSignal;
}

interface Source {
  tool: string;
  toolset: Toolset;
  args: (value: string | null) => Record<string, unknown>;
}

/** Token budget of a resource. Users attach it for its whole text: above a tool's default, below a tenth of a model's context. */
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
  // Resources have no further pages, so the last line names the tool that does.
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

/** Throws BAD_ARGUMENT if the document is about another file: tools accept the end of a path, a URI needs the whole. */
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
    // Status and the tools report problems of the repository; a list cannot.
    return [];
  }
}
