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
    return { json: jsonIn(body.bytes) };
  } catch {
    return { status: 400, message: NO_JSON };
  }
}

export const NO_JSON = 'the body is no JSON, or is nested too deeply';
/** Most levels of a body: whoever checks its values calls itself for each. No argument has more than a few. */
const MAX_DEPTH = 64;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\[]{}'].map((c) => c.charCodeAt(0));

/** Value of a body from another program. Throws for what is no JSON, or has too many levels. */
export function jsonIn(bytes: Uint8Array): unknown {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (depth > MAX_DEPTH) throw new RangeError(NO_JSON);
  }
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
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
