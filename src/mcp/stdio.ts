/** Serves one client over standard input and output, until the client disconnects. */
import { type Readable, Transform, type TransformCallback, type Writable } from 'node:stream';
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { log } from '../base/log.js';
import { createServer, type ServerOptions } from './server.js';

/** Most requests whose answers the client has not read. Agents have far fewer, and the answers of all are some megabytes. */
const OPEN = 64;
/** Requests and bytes that may wait before reading stops. Answers and cancellations of the client come in the same pipe, behind them. */
const WAITING = { requests: 1_024, bytes: 4 << 20 };

/** Answered only when the subscription ends, so it does not count as open. */
const SUBSCRIBES = 'subscriptions/listen';

const [NEWLINE, BRACKET] = Buffer.from('\n[');
/** Longest line that is taken apart: a longer one is no batch of requests. */
const MAX_BATCH = 1 << 20;

/**
 * Takes batches apart, which clients of the protocol of March 2025 may send and its library refuses: an array in one line becomes one line
 * for each of its messages, and each is answered by itself. Other lines pass as they are.
 */
export class Unbatched extends Transform {
  private batch: Buffer[] | null = null;
  private length = 0;
  private atStart = true;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, at);
      const end = newline < 0 ? chunk.length : newline + 1;
      this.add(chunk.subarray(at, end), newline >= 0);
      at = end;
    }
    done();
  }

  private add(part: Buffer, isEnd: boolean): void {
    if (this.atStart && part[0] === BRACKET) [this.batch, this.length] = [[], 0];
    this.atStart = isEnd;
    if (this.batch === null) {
      this.push(part);
      return;
    }
    this.batch.push(part);
    this.length += part.length;
    if (!isEnd && this.length <= MAX_BATCH) return;
    const line = Buffer.concat(this.batch);
    this.batch = null;
    this.push(isEnd && line.length <= MAX_BATCH ? linesOf(line) : line);
  }
}

function linesOf(line: Buffer): Buffer | string {
  try {
    const messages: unknown = JSON.parse(line.toString('utf8'));
    if (Array.isArray(messages)) return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  } catch {
    // The library says that it is no message.
  }
  return line;
}

/**
 * Bounds the open requests of a client. A client that asks faster than it reads would fill this process with answers: its
 * further requests wait here, and where many wait, in the pipe.
 */
export class StdioGate extends StdioServerTransport {
  private readonly open = new Set<RequestId>();
  /** Open requests whose answers are being sent: cancelling one takes no answer out of the pipe. */
  private readonly sending = new Set<RequestId>();
  private readonly waiting: { request: JSONRPCRequest; bytes: number }[] = [];
  private bytes = 0;
  private deliver: (message: JSONRPCMessage) => void = () => {};
  private readonly forward: (chunk: Buffer) => void;

  constructor(
    private readonly input: Readable = process.stdin,
    output: Writable = process.stdout,
  ) {
    const lines = new Unbatched();
    super(lines, output);
    // No pipe: what waits here is told by pausing the input.
    this.forward = (chunk) => void lines.write(chunk);
    input.on('error', (error) => lines.destroy(error)).on('end', () => lines.end());
  }

  /** An input that is read on would keep the process alive. */
  override async close(): Promise<void> {
    this.input.off('data', this.forward).pause();
    await super.close();
  }

  override async start(): Promise<void> {
    this.deliver = this.onmessage ?? this.deliver;
    this.onmessage = (message: JSONRPCMessage) => this.take(message);
    await super.start();
    this.input.on('data', this.forward);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    const answered = 'method' in message ? undefined : message.id;
    if (answered !== undefined) this.sending.add(answered);
    // Waits until the client reads, if it is behind.
    await super.send(message);
    if (answered !== undefined) this.settle(answered);
  }

  private take(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message && message.method !== SUBSCRIBES) this.ask(message);
    else {
      if ('method' in message && message.method === 'notifications/cancelled') this.cancel(message.params?.requestId);
      this.deliver(message);
    }
  }

  private ask(request: JSONRPCRequest): void {
    // Two requests with one id would count as one.
    if (this.open.size < OPEN && !this.open.has(request.id)) this.pass(request);
    else {
      const bytes = Buffer.byteLength(JSON.stringify(request));
      this.waiting.push({ request, bytes });
      this.bytes += bytes;
      if (this.isFull()) this.input.pause();
    }
  }

  /** Nobody answers a cancelled request. */
  private cancel(id: unknown): void {
    if (this.sending.has(id as RequestId)) return;
    if (this.open.has(id as RequestId)) this.settle(id as RequestId);
    else this.takeOut(this.waiting.findIndex(({ request }) => request.id === id));
  }

  private pass(request: JSONRPCRequest): void {
    this.open.add(request.id);
    this.deliver(request);
  }

  private settle(id: RequestId): void {
    this.open.delete(id);
    this.sending.delete(id);
    const isFree = ({ request }: { request: JSONRPCRequest }) => !this.open.has(request.id);
    const next = this.open.size < OPEN ? this.takeOut(this.waiting.findIndex(isFree)) : undefined;
    if (next !== undefined) this.pass(next);
  }

  private takeOut(at: number): JSONRPCRequest | undefined {
    const [taken] = at < 0 ? [] : this.waiting.splice(at, 1);
    if (taken === undefined) return undefined;
    this.bytes -= taken.bytes;
    if (!this.isFull()) this.input.resume();
    return taken.request;
  }

  private isFull(): boolean {
    return this.waiting.length > WAITING.requests || this.bytes > WAITING.bytes;
  }
}

/** Transport that reports when either side closes it. */
class Watched extends StdioGate {
  private end: () => void = () => {};
  readonly closed = new Promise<void>((resolve) => {
    this.end = resolve;
  });

  override async close(): Promise<void> {
    await super.close();
    this.end();
  }
}

/** Serves until the client closes its end or `signal` aborts; running requests are aborted then. */
export async function serveOverStdio(options: ServerOptions, signal: AbortSignal): Promise<void> {
  // Every answer to a slow reader adds a listener to the stream, so Node's limit of 10 does not apply.
  process.stdout.setMaxListeners(0);
  const transport = new Watched();
  const onerror = (error: Error) => log.debug(`mcp: ${error.message}`);
  const handle = serveStdio(() => createServer(options), { transport, onerror });
  signal.addEventListener('abort', () => void handle.close(), { once: true });
  await transport.closed;
  await handle.close();
}
