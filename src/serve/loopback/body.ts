/** Reads request bodies, which are bounded. */
import type { IncomingMessage } from 'node:http';
import type { Refusal } from './guard.js';

/** Most bytes of a body. Arguments are names, queries and task descriptions, which need far less than a mebibyte. */
export const MAX_BODY_BYTES = 1 << 20;

/** Body as JSON, or a refusal if it is too long or no JSON. Rejects if the client disconnects. */
export async function readBody(request: IncomingMessage): Promise<{ json: unknown } | Refusal> {
  const body = await readBytes(request, MAX_BODY_BYTES);
  if ('status' in body) return body;
  try {
    return { json: JSON.parse(body.bytes.toString('utf8')) as unknown };
  } catch {
    return { status: 400, message: 'the body is no JSON' };
  }
}

/** Body of at most `most` bytes, or a refusal. Rejects if the client disconnects. */
export async function readBytes(request: IncomingMessage, most: number): Promise<{ bytes: Buffer } | Refusal> {
  if (Number(request.headers['content-length']) > most) return tooLarge(most);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) return tooLarge(most);
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks) };
}

/** Refusal of a large body; it closes the connection, because the rest of the body is not read. */
const tooLarge = (most: number): Refusal => ({
  status: 413,
  message: `the body is longer than ${most} bytes`,
  headers: { Connection: 'close' },
});
