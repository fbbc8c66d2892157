/**
 * Servers over HTTP on 127.0.0.1, where only programs of this machine connect: listening, guarding against web pages,
 * reading bodies, admitting requests, and ending.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { fstatSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';

export const HOST = '127.0.0.1';
const MAX_PORT = 65_535;

/** Checks for slow requests within the time for headers; Node's own checks are 30 seconds apart. */
const LOOKS = 4;

/** Options of a server that cuts slow clients off: after so many milliseconds for the headers, and for a whole request. */
export const cutOff = ({ headers, body }: { headers: number; body: number }) => ({
  headersTimeout: headers,
  requestTimeout: body,
  connectionsCheckingInterval: headers / LOOKS,
});

/** Starts listening; resolves to the port (0 chooses a free one). Rejects with BAD_ARGUMENT and `hint`. */
export function listen(server: Server, port: number, hint: string): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT)
    throw new SocraticodeError('BAD_ARGUMENT', `${port} is no port; it takes a number from 0 to ${MAX_PORT}`);
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `can't be had (${error.code})`;
      reject(new SocraticodeError('BAD_ARGUMENT', `port ${port} of ${HOST} ${why}`, { hint, cause: error }));
    };
    server.once('error', fail);
    server.listen(port, HOST, () => {
      server.off('error', fail);
      // Later errors concern single connections (too many open files), so the server goes on.
      server.on('error', ({ message }) => log.warn(`server: ${message}`));
      resolve((server.address() as AddressInfo).port);
    });
  });
}

// Requests of this machine's programs and those of web pages. Browsers reach a loopback port, too: a page may send requests to
// it, or have its own domain resolve to 127.0.0.1.

const HTTP_PORT = 80;
/** Values of `Sec-Fetch-Site` of requests that no other site caused. */
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

/** Most bytes of a body. Arguments are names, queries and task descriptions, which need far less than a mebibyte. */
export const MAX_BODY_BYTES = 1 << 20;

/** Body as JSON, or a refusal if it is too long or invalid. Rejects if the client disconnects. */
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
/** Most levels of a body: code that checks values recurses once a level. No argument has more than a few. */
const MAX_DEPTH = 64;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\[]{}'].map((c) => c.charCodeAt(0));

/** Value of a body from another program. Throws if it is no JSON, or has too many levels. */
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

interface AdmissionLimits {
  /** Requests that are let in however slow answers are: a few agents, whose questions may each take seconds. */
  alwaysIn: number;
  /** Longest expected milliseconds until a request is answered. */
  wait: number;
}

/** Answers in the moving average of the pace: more than come at the same time. */
const REMEMBERED = 128;
/** Assumed milliseconds between two answers, before a server has answered any. */
const FIRST_PACE = 10;
const SECOND = 1_000;

/**
 * Lets requests in as long as they will be answered soon, and tells the others when to come again. All requests that are in are
 * answered side by side, so each one makes every answer later; a refused client can wait just as well. Requests that wait for
 * another process, such as a first index, delay nobody and are not counted.
 */
export class Admission {
  private open = 0;
  /** Milliseconds with open requests, and answers in them; both decay. */
  private busy = FIRST_PACE;
  private answers = 1;
  /** Time of the last answer, or of the first request of a busy period. */
  private since = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly limits: AdmissionLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Lets a request in, which must call `leave`, and returns null; or returns the whole seconds after which to come again. */
  enter(): number | null {
    const { alwaysIn, wait } = this.limits;
    if (this.open <= 0) this.since = this.now();
    const expected = this.expected();
    if (this.open >= alwaysIn && expected > wait) return Math.max(1, Math.ceil(expected / SECOND));
    this.open++;
    return null;
  }

  /**
   * Resolves at the turn of a request that was let in: one in each turn of the event loop, so that requests which arrived in
   * the meantime are read, and refused, before more work begins. Unread ones would wait without being counted.
   */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) setImmediate(() => this.startNext());
    });
  }

  private startNext(): void {
    this.waiting[0]();
    this.waiting.shift();
    if (this.waiting.length > 0) setImmediate(() => this.startNext());
  }

  /** A request that is in begins to wait for another process. */
  pause(): void {
    this.open--;
    if (this.open === 0) this.busy += this.now() - this.since;
  }

  /** Its wait is over. A client may have left meanwhile, so the count of open requests may be negative for a moment. */
  resume(): void {
    if (this.open <= 0) this.since = this.now();
    this.open++;
  }

  leave(): void {
    const now = this.now();
    this.open--;
    this.busy = this.busy * (1 - 1 / REMEMBERED) + now - this.since;
    this.answers = this.answers * (1 - 1 / REMEMBERED) + 1;
    this.since = now;
  }

  /**
   * Expected milliseconds until one more request is answered: all requests before it at the average pace, and the time by which
   * the next answer is overdue.
   */
  private expected(): number {
    const pace = this.busy / this.answers;
    return (this.open + 1) * pace + Math.max(0, this.now() - this.since - pace);
  }
}

/**
 * Shortest time for which a parent holds the input. An input that ends sooner never had a waiting parent (cron,
 * `ssh host command &`), so its end does not stop the server.
 */
const DETACHED_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves when the server should end: on `signal`, or without one on a signal of the process or when the program that holds
 * its standard input is gone. A second signal kills the process.
 */
export function untilEnd(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const held = isHeld();
    const end = () => {
      for (const name of SIGNALS) process.off(name, end);
      if (held) process.stdin.destroy();
      resolve();
    };
    if (signal?.aborted) return end();
    if (signal === undefined) for (const name of SIGNALS) process.once(name, end);
    else signal.addEventListener('abort', end, { once: true });
    if (!held) return;
    const start = performance.now();
    const ended = () => {
      if (performance.now() - start > DETACHED_MS) end();
    };
    process.stdin.on('end', ended).on('error', ended).resume();
  });
}

/** True if a parent holds the input: only a pipe or a socket shows that its other end is gone. */
function isHeld(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket();
  } catch {
    return false;
  }
}
