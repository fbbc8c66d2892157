/**
 * Refuses HTTP requests of web pages. Every program of this machine reaches the port, browsers included: a page may send
 * requests to it, or have its own domain resolve to 127.0.0.1. No page is ever allowed.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const MCP_PATH = '/mcp';
const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'DELETE']);
const HTTP_PORT = 80;
/** Values of `Sec-Fetch-Site` for requests that no other site caused. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

export interface Refusal {
  status: number;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Guard {
  port: number;
  /** Bearer token that requests must carry; without one, every program of this machine may ask. */
  token?: string;
}

/** Reason to refuse a request, or null. It reads the headers alone, so that nothing of a refused request is stored. */
export function refusal({ method = '', url, headersDistinct }: IncomingMessage, guard: Guard): Refusal | null {
  const { host = [], origin = [], authorization = [], 'sec-fetch-site': site = [] } = headersDistinct;
  const hosts = allowedHosts(guard.port);
  if (host.length !== 1 || !hosts.has(host[0].toLowerCase()))
    return { status: 403, message: 'the Host header is not of this server' };
  if (origin.some((each) => !hosts.has(each.toLowerCase().replace(/^http:\/\//, ''))))
    return { status: 403, message: 'web pages are not answered' };
  if (site.some((each) => !OWN_SITES.has(each))) return { status: 403, message: 'web pages are not answered' };
  if (url !== MCP_PATH) return { status: 404, message: `only ${MCP_PATH} is served` };
  if (guard.token !== undefined && !hasToken(authorization, guard.token))
    return { status: 401, message: 'a bearer token is required', headers: { 'WWW-Authenticate': 'Bearer' } };
  if (!METHODS.has(method))
    return { status: 405, message: 'method not allowed', headers: { Allow: [...METHODS].join(', ') } };
  return null;
}

function allowedHosts(port: number): ReadonlySet<string> {
  const names = ['localhost', '127.0.0.1', '[::1]'];
  const withPort = names.map((name) => `${name}:${port}`);
  return new Set(port === HTTP_PORT ? [...names, ...withPort] : withPort);
}

/** Compares digests, which have equal lengths, in a time that does not depend on where they differ. */
function hasToken(authorization: readonly string[], token: string): boolean {
  const sent = /^Bearer +(\S+) *$/i.exec(authorization.length === 1 ? authorization[0] : '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(token));
}
