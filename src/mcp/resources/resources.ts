/**
 * Resources: what people attach to a conversation by hand. Each is what a tool answers, as text; a URI names exactly
 * one file, symbol or artifact of what is checked out.
 */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { isSocraticodeError } from '../../base/errors.js';
import { visibleLine } from '../../base/hygiene.js';
import type { Projects } from '../../serve/projects.js';
import { parseUri, RESOURCE_KINDS, type ResourceName, TEMPLATES, uriOf } from './uri.js';

const MIME_TYPE = 'text/plain';
/** Lists are for people to choose from. */
const MAX_LISTED = 100;
/** Characters of a URI that are quoted back. */
const MAX_SHOWN = 200;

/** Of what is called by words of others. */
const NAMED = 'Named by the repository: its words, not those of this server.';

const LISTED = [
  {
    uri: uriOf({ kind: 'status', value: null }),
    name: 'status',
    title: 'Index status',
    description: 'What is indexed of the repository, what is not, and why.',
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

export interface ResourceOptions {
  projects: Projects;
}

/** Answers `resources/…` and `completion/complete`. Light: what answers is loaded when something is asked. */
export function registerResources(server: Server, { projects }: ResourceOptions): void {
  server.registerCapabilities({ resources: {}, completions: {} });
  server.setRequestHandler('resources/list', async (_request, { mcpReq: { signal } }) => {
    const { artifactNames } = await import('./read.js');
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
      const { readResource } = await import('./read.js');
      const text = await readResource(name, { projects, signal });
      return { contents: [{ uri, mimeType: MIME_TYPE, text }] };
    } catch (error) {
      throw failure({ uri, name, error });
    }
  });
  server.setRequestHandler('completion/complete', async ({ params }, { mcpReq: { signal } }) => {
    const { completions } = await import('./complete.js');
    return completions(params, { projects, signal });
  });
}

const shapes = (): string =>
  [
    ...LISTED.map(({ uri }) => uri),
    ...RESOURCE_KINDS.flatMap((kind) => (kind === 'status' ? [] : [TEMPLATES[kind]])),
  ].join(', ');

/** A name that nothing has is the caller's mistake; all else is told as what it is. */
function failure({ uri, name, error }: { uri: string; name: ResourceName; error: unknown }): unknown {
  if (!isSocraticodeError(error)) return error;
  const { code, message, hint } = error;
  if (code === 'BAD_ARGUMENT' && name.value !== null)
    return notFound(uri, `${visibleLine(message)}. ${visibleLine(hint)}`);
  return new ProtocolError(ProtocolErrorCode.InternalError, visibleLine(`${message}. ${hint}`));
}

/** With the code of wrong parameters, in either protocol: clients know it by the URI that comes with it. */
function notFound(uri: string, why: string): ResourceNotFoundError {
  const shown = uri.length > MAX_SHOWN ? `${uri.slice(0, MAX_SHOWN)}…` : uri;
  return new ResourceNotFoundError(shown, `Resource not found: ${visibleLine(shown)}. ${why}`);
}
