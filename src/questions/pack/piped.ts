/** Text piped into a command. */
import { addAbortSignal, type Readable } from 'node:stream';

/** Most bytes that are read: more is a log, whose beginning says what failed. */
const MAX_BYTES = 1 << 20;

/** Reads until stdin ends. Throws an AbortError when `signal` aborts. */
export async function readPiped(stdin: NodeJS.ReadableStream, signal: AbortSignal): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of addAbortSignal(signal, stdin as Readable)) {
    parts.push(Buffer.from(part));
    bytes += parts[parts.length - 1].length;
    if (bytes >= MAX_BYTES) break;
  }
  return Buffer.concat(parts).toString('utf8', 0, MAX_BYTES);
}
