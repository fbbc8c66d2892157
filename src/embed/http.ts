/**
 * One HTTP request to an embedder: with a time limit, a bound on the answer, no redirects, and every failure as an
 * `HttpFailure`. Nothing here knows a provider.
 */
import { SocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/hygiene.js';

/** Some 3 million numbers as JSON; a usual batch has less than 50,000. */
export const MAX_ANSWER_BYTES = 64 << 20;
/** Of an answer that is an error, all that is read. */
const MAX_ERROR_BYTES = 64 << 10;
/** Characters of a server's own words that a message shows. */
const MAX_SAID = 200;

export interface Call {
  signal?: AbortSignal;
  /** For the whole answer. */
  timeoutMs: number;
  /** Never shown, even if the server repeats it. */
  secret?: string;
}

export type FailureKind = 'connection' | 'timeout' | 'status' | 'redirect' | 'too-large';

/** Why there is no answer. Holds nothing of the request but what the server repeats of its texts. */
export class HttpFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** Of kind `status`: the HTTP status, the server's reason in one visible line, and its wish for a pause. */
    readonly status = 0,
    readonly said = '',
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'HttpFailure';
  }

  /** May the same request succeed a moment later? */
  get isTransient(): boolean {
    if (this.kind === 'connection' || this.kind === 'timeout') return true;
    // OpenAI's word for an account without money, which no pause brings back.
    if (this.status === 429) return !this.said.includes('insufficient_quota');
    return this.status >= 500 && !this.isTooLong;
  }

  /** Is a text, or all of them together, too much for the model? llama.cpp says so with status 500. */
  get isTooLong(): boolean {
    if (this.status === 413) return true;
    const words = /\btokens\b|context (?:length|size|window)|too (?:long|large)|sequence length|batch size/i;
    return [400, 422, 500].includes(this.status) && words.test(this.said);
  }
}

export function cancelled(cause?: unknown): SocraticodeError {
  return new SocraticodeError('CANCELLED', 'cancelled', { cause });
}

/** The server's reason out of the error documents of OpenAI, Ollama, vLLM and FastAPI; '' for anything else. */
function reasonIn(text: string, secret?: string): string {
  let said: unknown;
  let code: unknown;
  try {
    const document = JSON.parse(text);
    said = document?.error?.message ?? document?.error ?? document?.message ?? document?.detail;
    code = document?.error?.code;
  } catch {
    // A page for people: its text would explain nothing.
  }
  if (typeof said !== 'string') return '';
  const short = (words: string) => (secret ? words.replaceAll(secret, '***') : words).slice(0, MAX_SAID);
  return visibleLine(typeof code === 'string' ? `${short(said)} (${short(code)})` : short(said));
}

/** Seconds or a date; null if there is none. */
function retryAfter(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** Throws HttpFailure beyond `limit` bytes. */
async function readBounded(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream, and with it the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > limit) throw new HttpFailure('too-large', `answered with more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Throws HttpFailure unless `response` is a success. */
export async function checkStatus(response: Response, secret?: string): Promise<void> {
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

/** What `fetch` rejected with, as HttpFailure; the code of the socket says more than "fetch failed". */
function connectionFailure(error: unknown): HttpFailure {
  const cause = (error as { cause?: { code?: unknown } } | null)?.cause;
  const code = typeof cause?.code === 'string' ? cause.code : 'the connection broke';
  return new HttpFailure('connection', `cannot be reached (${visibleLine(code)})`);
}

/** Starts a request that may take long; only its end of headers is waited for. Throws HttpFailure or CANCELLED. */
export async function openStream(url: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
  signal?.throwIfAborted();
  const response = await fetch(url, { ...init, redirect: 'manual', signal }).catch((error: unknown) => {
    throw signal?.aborted ? cancelled(error) : connectionFailure(error);
  });
  await checkStatus(response);
  return response;
}

/** Sends a request and reads its whole answer. Throws HttpFailure, or CANCELLED as soon as `call.signal` fires. */
export async function exchange(url: string, init: RequestInit, call: Call): Promise<string> {
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
    // 'manual' follows nothing, as 'error' does, but lets the message say what happened.
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
