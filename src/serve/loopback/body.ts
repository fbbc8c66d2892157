/** Reads request bodies, which are bounded. */
import type { IncomingMessage } from 'node:http';
import type { Refusal } from './guard.js';

/** Most bytes of a body. Arguments are names, queries and task descriptions, which need far less than a mebibyte. */
export const MAX_BODY_BYTES = 1 << 20;

/** Body as JSON, or a refusal if it is too long or no JSON. Rejects if the client disconnects. */
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

/** Refusal of a large body; it closes the connection, because the rest of the body is not read. */
const TOO_LARGE: Refusal = {
  status: 413,
  message: `the body is longer than ${MAX_BODY_BYTES} bytes`,
  headers: { Connection: 'close' },
};
