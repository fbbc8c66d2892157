/**
 * Answers the protocol's resource requests. Users attach resources to a conversation by hand. Each is the answer of a
 * tool as text; its URI names one file, symbol or artifact of the checkout. Names are suggested while the user types
 * (`completion/complete`).
 */
import {
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import { type ErrorCode, SocraticodeError, unexpected } from '../base/errors.js';
import { visibleLine, visibleText } from '../base/printable.js';
import type { Projects } from '../serve/projects.js';
import { type CallContext, callTool, loadTools, type Toolset, UNTRUSTED } from './tool-call.js';

// URIs of resources (`socraticode://outline/src/a%20b.ts`). No URL parser reads them: it would resolve `..` and `%2e%2e` before
// they can be refused.

const RESOURCE_KINDS = ['status', 'outline', 'symbol', 'context'] as const;
type ResourceKind = (typeof RESOURCE_KINDS)[number];

export interface ResourceName {
  kind: ResourceKind;
  /** Path, or name of a symbol or artifact, decoded; null for the resource of the whole repository. */
  value: string | null;
}

const SCHEME = 'socraticode:';
const URI = /^socraticode:\/\/([a-z]+)(?:\/(.*))?$/is;
/** Longest URI: the longest name (4,096 characters), each as four bytes of UTF-8 in `%xx`. */
export const MAX_URI = 4_096 * 12;

/** Reserved characters that `{+path}` leaves as they are, and that file names may have. */
const UNESCAPED_IN_PATHS = /%(?:2F|3A|40|21|24|26|27|28|29|2A|2B|2C|3B|3D)/g;

export const TEMPLATES: Readonly<Record<Exclude<ResourceKind, 'status'>, string>> = {
  outline: `${SCHEME}//outline/{+path}`,
  symbol: `${SCHEME}//symbol/{name}`,
  context: `${SCHEME}//context/{name}`,
};

export function uriOf({ kind, value }: ResourceName): string {
  if (value === null) return `${SCHEME}//${kind}`;
  const encoded = encodeURIComponent(value);
  return `${SCHEME}//${kind}/${kind === 'outline' ? encoded.replace(UNESCAPED_IN_PATHS, decodeURIComponent) : encoded}`;
}

/** Resource of a URI; null for another scheme or kind, a bad path, or bytes that are not text. */
export function parseUri(uri: string): ResourceName | null {
  const [, host = '', rest] = (uri.length <= MAX_URI && URI.exec(uri)) || [];
  const kind = RESOURCE_KINDS.find((each) => each === host.toLowerCase());
  if (kind === undefined) return null;
  if (rest === undefined) return kind === 'status' || kind === 'outline' ? { kind, value: null } : null;
  const value = decode(rest);
  if (value === null || kind === 'status') return null;
  if (kind === 'outline') return isPath(value) ? { kind, value } : null;
  return rest.includes('/') ? null : { kind, value };
}

/** Decoded text; null for `%` without two digits, invalid UTF-8, control characters, and blank text. */
function decode(text: string): string | null {
  try {
    const value = decodeURIComponent(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for control characters
    return value.trim() === '' || /[\u0000-\u001f\u007f]/.test(value) ? null : value;
  } catch {
    return null;
  }
}

/** Tells whether a path is written as git does, from the top of the repository, so that a file has one URI and none leads outside. */
function isPath(value: string): boolean {
  return value.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

const MIME_TYPE = 'text/plain';
/** Most resources of a list, from which a user chooses. */
const MAX_LISTED = 100;
/** Most characters of a URI that an error quotes. */
const MAX_SHOWN = 200;

/** Description of resources that a repository names. */
const NAMED = 'Written by the repository, not by this server.';

const LISTED = [
  {
    uri: uriOf({ kind: 'status', value: null }),
    name: 'status',
    title: 'Index status',
    description: 'Which files of the repository are indexed, which are left out, and why.',
    mimeType: MIME_TYPE,
  },
  {
    uri: uriOf({ kind: 'outline', value: null }),
    name: 'map',
    title: 'Repository map',
    description: 'The files that the rest depends on most, and what they define.',
    mimeType: MIME_TYPE,
  },
];

const LISTED_TEMPLATES = [
  {
    uriTemplate: TEMPLATES.outline,
    name: 'outline',
    title: 'Outline of a file',
    description: 'What a file defines, with signatures and lines, without bodies. The path is from the top.',
    mimeType: MIME_TYPE,
  },
  {
    uriTemplate: TEMPLATES.symbol,
    name: 'symbol',
    title: 'A symbol',
    description: 'Where a symbol is defined, what calls it, what it calls, which tests reach it.',
    mimeType: MIME_TYPE,
  },
  {
    uriTemplate: TEMPLATES.context,
    name: 'context',
    title: 'A context artifact',
    description: 'A document that the repository names as context: a schema, an API description, a decision.',
    mimeType: MIME_TYPE,
  },
];

/** Registers the handlers of `resources/…` and `completion/complete`; they load the rest on demand. */
export function registerResources(server: Server, { projects }: { projects: Projects }): void {
  server.registerCapabilities({ resources: {}, completions: {} });
  server.setRequestHandler('resources/list', async (_request, { mcpReq: { signal } }) => {
    const names = await artifactNames({ projects, signal });
    const artifacts = names.slice(0, MAX_LISTED).map((value) => {
      const uri = uriOf({ kind: 'context', value });
      return { uri, name: visibleLine(value), title: visibleLine(value), description: NAMED, mimeType: MIME_TYPE };
    });
    return { resources: [...LISTED, ...artifacts] };
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: LISTED_TEMPLATES }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    const name = parseUri(uri);
    if (name === null) throw notFound(uri, `Here are ${shapes()}.`);
    try {
      const text = await readResource(name, { projects, signal });
      return { contents: [{ uri, mimeType: MIME_TYPE, text, _meta: UNTRUSTED }] };
    } catch (error) {
      throw failure({ uri, name, error });
    }
  });
  server.setRequestHandler('completion/complete', async ({ params }, { mcpReq: { signal } }) => {
    return completions(params, { projects, signal });
  });
}

const shapes = (): string =>
  [
    ...LISTED.map(({ uri }) => uri),
    ...RESOURCE_KINDS.flatMap((kind) => (kind === 'status' ? [] : [TEMPLATES[kind]])),
  ].join(', ');

/** Protocol error for a failed read: "not found" for an unknown name, the error itself otherwise. */
function failure({ uri, name, error }: { uri: string; name: ResourceName; error: unknown }): unknown {
  const { code, message, hint } = unexpected(error);
  if (code === 'BAD_ARGUMENT' && name.value !== null)
    return notFound(uri, `${visibleLine(message)}. ${visibleLine(hint)}`);
  return new ProtocolError(ProtocolErrorCode.InternalError, visibleLine(`${message}. ${hint}`));
}

/** Has the code of wrong parameters in both protocols; clients recognize it by its URI. */
function notFound(uri: string, why: string): ResourceNotFoundError {
  const shown = uri.length > MAX_SHOWN ? `${uri.slice(0, MAX_SHOWN)}…` : uri;
  return new ResourceNotFoundError(shown, `Resource not found: ${visibleLine(shown)}. ${why}`);
}

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
async function artifactNames({ projects }: Asking): Promise<string[]> {
  try {
    const { session } = await projects.open();
    return ((await session.origin(undefined, { unborn: true })).artifacts ?? []).map(({ name }) => name);
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
  return runComplete(project.session, question);
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
