/**
 * Tells requests of this machine's programs from those of web pages. Every program of this machine reaches a loopback port,
 * browsers included: a page may send requests to it, or have its own domain resolve to 127.0.0.1.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const HTTP_PORT = 80;
/** Values of `Sec-Fetch-Site` for requests that no other site caused. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

export interface Refusal {
  status: number;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

/** Refuses a request whose Host header is not exactly this server's, which defeats DNS rebinding; null lets it pass. */
export function foreignHost({ headersDistinct }: IncomingMessage, port: number): Refusal | null {
  const { host = [] } = headersDistinct;
  if (host.length === 1 && allowedHosts(port).has(host[0].toLowerCase())) return null;
  return { status: 403, message: 'the Host header is not of this server' };
}

/** Refuses a request that a page of another origin caused; null lets it pass. */
export function foreignPage({ headersDistinct }: IncomingMessage, port: number): Refusal | null {
  const { origin = [], 'sec-fetch-site': site = [] } = headersDistinct;
  const hosts = allowedHosts(port);
  const isForeign =
    origin.some((each) => !hosts.has(each.toLowerCase().replace(/^http:\/\//, ''))) ||
    site.some((each) => !OWN_SITES.has(each));
  return isForeign ? { status: 403, message: 'web pages are not answered' } : null;
}

/** Refuses a request without the bearer token; null lets it pass. */
export function withoutToken({ headersDistinct }: IncomingMessage, token: string): Refusal | null {
  const { authorization = [] } = headersDistinct;
  const sent = /^Bearer +(\S+) *$/i.exec(authorization.length === 1 ? authorization[0] : '')?.[1] ?? '';
  if (isSameSecret(sent, token)) return null;
  return { status: 401, message: 'a bearer token is required', headers: { 'WWW-Authenticate': 'Bearer' } };
}

/** Compares digests, which have equal lengths, in a time that does not depend on where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function allowedHosts(port: number): ReadonlySet<string> {
  const names = ['localhost', '127.0.0.1', '[::1]'];
  const withPort = names.map((name) => `${name}:${port}`);
  return new Set(port === HTTP_PORT ? [...names, ...withPort] : withPort);
}
