/**
 * Sends one HTTP request to an embedder, with a time limit, a bound on the answer and no redirects. Every failure is an
 * `HttpFailure`. This file knows no provider.
 */
import { SocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/hygiene.js';

/** Some 3 million numbers as JSON; a usual batch has fewer than 50,000. */
const MAX_ANSWER_BYTES = 64 << 20;
/** Bytes that are read of an error answer. */
const MAX_ERROR_BYTES = 64 << 10;
/** Characters of the server's own words that a message shows. */
const MAX_SAID = 200;

export interface RequestOptions {
  signal?: AbortSignal;
  /** Time limit for the whole answer, in milliseconds. */
  timeoutMs: number;
  /** Secret that messages never show, even if the server repeats it. */
  secret?: string;
}

type FailureKind = 'connection' | 'timeout' | 'status' | 'redirect' | 'too-large';

/** Reason why a request has no answer. Holds no text of the request unless the server repeats it in its answer. */
export class HttpFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** For kind `status`: the HTTP status, the server's reason as one visible line, and the pause it asks for. */
    readonly status = 0,
    readonly said = '',
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'HttpFailure';
  }

  /** True if the same request may succeed a moment later. */
  get isTransient(): boolean {
    if (this.kind === 'connection' || this.kind === 'timeout') return true;
    // OpenAI answers `insufficient_quota` for an account without money; waiting does not help.
    if (this.status === 429) return !this.said.includes('insufficient_quota');
    return this.status >= 500 && !this.isTooLong;
  }

  /** True if one text, or all texts together, are too much for the model. llama.cpp says so with status 500. */
  get isTooLong(): boolean {
    if (this.status === 413) return true;
    const words = /\btokens\b|context (?:length|size|window)|too (?:long|large)|sequence length|batch size/i;
    return [400, 422, 500].includes(this.status) && words.test(this.said);
  }
}

export function cancelled(cause?: unknown): SocraticodeError {
  return new SocraticodeError('CANCELLED', 'cancelled', { cause });
}

/**
 * Extracts the server's reason from the error documents of OpenAI, Ollama, vLLM and FastAPI; returns '' for anything
 * else.
 */
function reasonIn(text: string, secret?: string): string {
  let said: unknown;
  let code: unknown;
  try {
    const document = JSON.parse(text);
    said = document?.error?.message ?? document?.error ?? document?.message ?? document?.detail;
    code = document?.error?.code;
  } catch {
    // An HTML page: its text would explain nothing.
  }
  if (typeof said !== 'string') return '';
  const short = (words: string) => (secret ? words.replaceAll(secret, '***') : words).slice(0, MAX_SAID);
  return visibleLine(typeof code === 'string' ? `${short(said)} (${short(code)})` : short(said));
}

/** Reads a Retry-After header, which holds seconds or a date, as milliseconds; null if there is none. */
function retryAfter(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** Reads the whole body. Throws HttpFailure if it has more than `limit` bytes. */
async function readBounded(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream and closes the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > limit) throw new HttpFailure('too-large', `answered with more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Throws HttpFailure unless `response` has a success status. */
async function checkStatus(response: Response, secret?: string): Promise<void> {
  if (response.ok) return;
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    throw new HttpFailure('redirect', 'redirects elsewhere, which is not followed', status);
  }
  const body = await readBounded(response, MAX_ERROR_BYTES).catch(() => Buffer.alloc(0));
  const said = reasonIn(body.toString(), secret);
  const message = `answered ${status}${said === '' ? '' : `: ${said}`}`;
  throw new HttpFailure('status', message, status, said, retryAfter(response.headers.get('retry-after')));
}

/** Turns a rejection of `fetch` into an HttpFailure. The socket's error code says more than "fetch failed". */
function connectionFailure(error: unknown): HttpFailure {
  const cause = (error as { cause?: { code?: unknown } } | null)?.cause;
  const code = typeof cause?.code === 'string' ? cause.code : 'the connection broke';
  return new HttpFailure('connection', `cannot be reached (${visibleLine(code)})`);
}

/**
 * Starts a request whose answer may take long and returns as soon as its headers are there. Throws HttpFailure or
 * CANCELLED.
 */
export async function openStream(url: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
  signal?.throwIfAborted();
  const response = await fetch(url, { ...init, redirect: 'manual', signal }).catch((error: unknown) => {
    throw signal?.aborted ? cancelled(error) : connectionFailure(error);
  });
  await checkStatus(response);
  return response;
}

/** Sends a request and reads its whole answer. Throws HttpFailure, or CANCELLED as soon as `call.signal` fires. */
export async function exchange(url: string, init: RequestInit, call: RequestOptions): Promise<string> {
  const { signal, timeoutMs, secret } = call;
  if (signal?.aborted) throw cancelled(signal.reason);
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop.abort();
  }, timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    // 'manual' follows no redirect, as 'error' does, but lets the message say that there was one.
    const response = await fetch(url, { ...init, redirect: 'manual', signal: stop.signal });
    await checkStatus(response, secret);
    return (await readBounded(response, MAX_ANSWER_BYTES)).toString();
  } catch (error) {
    if (signal?.aborted) throw cancelled();
    if (isLate) throw new HttpFailure('timeout', `gave no answer within ${timeoutMs / 1_000} s`);
    throw error instanceof HttpFailure ? error : connectionFailure(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
