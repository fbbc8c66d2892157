/**
 * Answers the protocol's resource requests. Users attach resources to a conversation by hand. Each is the answer of a
 * tool as text; its URI names one file, symbol or artifact of the checkout.
 */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { unexpected } from '../base/errors.js';
import { visibleLine } from '../base/printable.js';
import type { Projects } from '../serve/projects.js';
import { UNTRUSTED } from './tool-call.js';

// URIs of resources (`socraticode://outline/src/a%20b.ts`). No URL parser reads them: it would resolve `..` and `%2e%2e` before
// they can be refused.

const RESOURCE_KINDS = ['status', 'outline', 'symbol', 'context'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

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
    const { artifactNames } = await import('./read-resource.js');
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
      const { readResource } = await import('./read-resource.js');
      const text = await readResource(name, { projects, signal });
      return { contents: [{ uri, mimeType: MIME_TYPE, text, _meta: UNTRUSTED }] };
    } catch (error) {
      throw failure({ uri, name, error });
    }
  });
  server.setRequestHandler('completion/complete', async ({ params }, { mcpReq: { signal } }) => {
    const { completions } = await import('./read-resource.js');
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
