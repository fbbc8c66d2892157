/** Writes refusals that are no protocol messages. */
import type { ServerResponse } from 'node:http';
import type { Refusal } from '../../serve/loopback/guard.js';

const INVALID_JSON = -32_700;
/** Error code that the specification gives to refusals at the level of HTTP. */
const REFUSED = -32_000;

export function refuse(response: ServerResponse, { status, message, headers }: Refusal, code?: number): void {
  if (response.headersSent || response.destroyed) return;
  const error = { code: code ?? (status === 400 ? INVALID_JSON : REFUSED), message };
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}
