/**
 * Requests of publishers and readers to a fleet's server. They use `node:http`: Node takes 110 ms of processor time to load its
 * `fetch`, a quarter of a small publication, and 15 for this.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isLoopback } from './access/authorize-url.js';
import { SocraticodeError } from './internal.js';

export interface FleetAddress {
  url: string;
  token: string | null;
}

interface Posted {
  body: Uint8Array;
  type: string;
  token: string | null;
  signal: AbortSignal;
  /** Bytes of the longest answer. */
  most: number;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Address of the server, ending with a slash. Throws BAD_ARGUMENT for an invalid address, or one that would carry the token in the clear. */
export function checkedUrl({ url, token }: FleetAddress): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '')
    throw new SocraticodeError('BAD_ARGUMENT', 'the address of a fleet is http, https, file or a bucket', {
      hint: 'For example: git config --global socraticode.fleet.url https://fleet.example.com',
    });
  if (parsed.protocol === 'http:' && token !== null && !isLoopback(parsed.hostname))
    throw new SocraticodeError('BAD_ARGUMENT', 'the token would travel readable for everybody on the way', {
      hint: 'Use the https address of the fleet.',
    });
  if (!parsed.pathname.endsWith('/')) parsed.pathname += '/';
  return parsed;
}

/** Throws errors of the connection, and one for a redirection: nothing is sent to another server than the named one. */
export async function post(url: URL, { body, type, token, signal, most }: Posted): Promise<Answer> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const headers = {
    'Content-Type': type,
    'Content-Length': body.length,
    ...(token !== null && { Authorization: `Bearer ${token}` }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method: 'POST', headers, signal }, resolve).on('error', reject).end(body);
  });
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    response.destroy();
    throw new Error('it sends requests elsewhere');
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // An error in this loop ends the connection.
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > most) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return { status, headers: response.headers, body: Buffer.concat(chunks) };
}
