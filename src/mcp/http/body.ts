/** Bodies of requests, and answers that are no protocol messages. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from './guard.js';

/** Arguments are names, queries and task descriptions: a mebibyte is more than any of them needs. */
export const MAX_BODY_BYTES = 1 << 20;

const INVALID_JSON = -32_700;
/** What the specification uses for refusals at the level of HTTP. */
const REFUSED = -32_000;

/** The body as JSON; a refusal where it is too long or no JSON. Rejects where the client goes away. */
export async function readBody(request: IncomingMessage): Promise<{ json: unknown } | Refusal> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) return TOO_LARGE;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return TOO_LARGE;
    chunks.push(chunk);
  }
  try {
    return { json: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown };
  } catch {
    return { status: 400, message: 'the body is no JSON' };
  }
}

/** The rest of the body is not read: the connection ends with the answer. */
const TOO_LARGE: Refusal = {
  status: 413,
  message: `the body is longer than ${MAX_BODY_BYTES} bytes`,
  headers: { Connection: 'close' },
};

export function refuse(response: ServerResponse, { status, message, headers }: Refusal, code?: number): void {
  if (response.headersSent || response.destroyed) return;
  const error = { code: code ?? (status === 400 ? INVALID_JSON : REFUSED), message };
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}
