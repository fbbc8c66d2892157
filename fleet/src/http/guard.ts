/** Recognizes routes, and refuses requests before their body is read. */
import type { IncomingMessage } from 'node:http';
import { foreignHost, foreignPage, type Refusal } from '../internal.js';
import { PUBLISHING, type Publishing } from './publishing.js';
import { type FleetQuestion, QUESTIONS } from './questions.js';

export type Route =
  | { kind: 'publish'; name: Publishing }
  | { kind: 'ask'; name: FleetQuestion }
  | { kind: 'mcp' | 'healthz' | 'readyz' | 'metrics'; name?: undefined };

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...PUBLISHING.map((name): [string, Route] => [`POST /fleet/${name}`, { kind: 'publish', name }]),
  ...QUESTIONS.map((name): [string, Route] => [`POST /fleet/${name}`, { kind: 'ask', name }]),
  ['POST /mcp', { kind: 'mcp' }],
  ...(['healthz', 'readyz', 'metrics'] as const).map((kind): [string, Route] => [`GET /${kind}`, { kind }]),
]);
const PATHS = new Set([...ROUTES.keys()].map((line) => line.split(' ')[1]));

/** The route of a request, or its refusal. */
export function routeOf({ method, url = '' }: IncomingMessage): Route | Refusal {
  const route = ROUTES.get(`${method} ${url}`);
  if (route !== undefined) return route;
  if (!PATHS.has(url)) return { status: 404, message: 'nothing is served here' };
  const allowed = [...ROUTES.keys()].find((line) => line.endsWith(` ${url}`))?.split(' ')[0] ?? 'POST';
  return { status: 405, message: 'method not allowed', headers: { Allow: allowed } };
}

/** Refuses web pages. Without tokens, the request must also be addressed to this machine, which defeats a page whose domain resolves to it. */
export function foreign(request: IncomingMessage, { port, isOpen }: { port: number; isOpen: boolean }): Refusal | null {
  if (isOpen) return foreignHost(request, port) ?? foreignPage(request, port);
  const { origin = [] } = request.headersDistinct;
  return origin.length === 0 ? null : { status: 403, message: 'web pages are not answered' };
}

const TOKEN = /^Bearer +([\x21-\x7e]{1,4096}) *$/i;

/** The bearer token of a request; null if it has none, or more than one. */
export function tokenOf({ headersDistinct }: IncomingMessage): string | null {
  const { authorization = [] } = headersDistinct;
  return TOKEN.exec(authorization.length === 1 ? authorization[0] : '')?.[1] ?? null;
}
