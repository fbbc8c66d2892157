/**
 * Sends one HTTP request to an embedder, with a time limit, a bound on the answer and no redirects; repeats it,
 * explains its failures, and downloads models. Every failure is an `HttpFailure` until it is explained.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fetch } from 'ollama';
import pRetry from 'p-retry';
import { SocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { visibleLine } from '../base/printable.js';
import { namesHost } from './endpoint.js';

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
    /** For kind `status`: the HTTP status, the server's reason as one visible line, and the pause that it asks for. */
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
async function openStream(url: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
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

/** Repetition of requests that may succeed a moment later, with p-retry's exponential backoff. */
export interface RetryPolicy {
  retries: number;
  /**
   * Milliseconds, doubled for every further retry. p-retry lengthens the delay at random by up to a factor of two, so
   * that clients spread out.
   */
  firstDelayMs: number;
  /** Longest pause that a server may ask for, in milliseconds; beyond it the request fails at once. */
  maxPauseMs: number;
}

/** For indexing, which can wait. */
export const PATIENT: RetryPolicy = { retries: 3, firstDelayMs: 500, maxPauseMs: 30_000 };
/** For a search, or a check whether the embedder is reachable: a person is waiting. */
export const BRISK: RetryPolicy = { retries: 1, firstDelayMs: 200, maxPauseMs: 2_000 };

function mayRetry(error: unknown, policy: RetryPolicy): error is HttpFailure {
  return error instanceof HttpFailure && error.isTransient && (error.retryAfterMs ?? 0) <= policy.maxPauseMs;
}

/**
 * Returns the result of `attempt`, or throws its last HttpFailure. Throws CANCELLED as soon as `signal` fires, also
 * during a pause.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  signal?: AbortSignal,
  pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms, undefined, { signal }),
): Promise<T> {
  try {
    return await pRetry(attempt, {
      retries: policy.retries,
      minTimeout: policy.firstDelayMs,
      randomize: true,
      signal,
      shouldRetry: ({ error }) => mayRetry(error, policy),
      onFailedAttempt: async ({ error, retriesLeft }) => {
        if (retriesLeft === 0 || !mayRetry(error, policy)) return;
        log.debug(`embedder ${error.message}; trying again, ${retriesLeft} left`);
        if (error.retryAfterMs !== null) await pause(error.retryAfterMs);
      },
    });
  } catch (error) {
    if (signal?.aborted) throw cancelled();
    throw error;
  }
}

/** Facts about the request that error messages mention. */
export interface EmbedderServer {
  provider: 'ollama' | 'openai';
  endpoint: string;
  model: string;
  /** Value of embedder.timeout, in seconds. */
  timeout: number;
  /** Name of the environment variable whose key was sent; null if no key was sent. */
  keyVariable: string | null;
}

const SET = 'git config --global socraticode.';

const START = {
  ollama: `Start it with \`ollama serve\`, or say where it runs: ${SET}embedder.endpoint URL`,
  openai: `Check that the server runs and its address is right: ${SET}embedder.endpoint URL`,
};

function modelMissing(server: EmbedderServer, failure?: HttpFailure): SocraticodeError {
  const { provider, endpoint, model } = server;
  const hint =
    provider === 'ollama'
      ? `ollama pull ${model}`
      : `Name a model it has in embedder.model, or correct the path of the address, often /v1: ${SET}embedder.endpoint URL`;
  return new SocraticodeError('EMBEDDER_MODEL_MISSING', `${endpoint} has no model ${model}`, { hint, cause: failure });
}

/** Leaves out the server's own words, because some servers repeat parts of the key. */
function denied({ endpoint, keyVariable, provider }: EmbedderServer, { status }: HttpFailure): SocraticodeError {
  const sent = keyVariable === null ? 'no key was sent' : `the key was that of ${keyVariable}`;
  let hint = `Check the key in the environment variable ${keyVariable}.`;
  if (keyVariable === null) hint = 'Set the key in the environment variable SOCRATICODE_OPENAI_API_KEY.';
  // Ollama's own protocol has no keys, but a proxy in front of it may want one. Ollama also speaks OpenAI's protocol.
  if (provider === 'ollama') {
    hint = `Set embedder.name to openai, embedder.endpoint to ${endpoint}/v1, and SOCRATICODE_OPENAI_API_KEY to the key.`;
  }
  return new SocraticodeError('EMBEDDER_DENIED', `${endpoint} answered ${status}; ${sent}`, { hint });
}

function unreachableHint(server: EmbedderServer, failure: HttpFailure): string {
  if (failure.kind === 'connection') return START[server.provider];
  if (failure.kind === 'timeout') {
    const longer = Math.min(300, server.timeout * 2);
    return `Send less at a time, ${SET}embedder.batch 8, or wait longer, ${SET}embedder.timeout ${longer}`;
  }
  if (failure.status !== 429) return 'The server failed: look at its log, then run again; finished work is kept.';
  return `Ask less at a time, ${SET}embedder.concurrency 1, or run again later; finished work is kept.`;
}

/** Turns any error of a request into a SocraticodeError; a SocraticodeError is returned unchanged. */
export function explain(error: unknown, server: EmbedderServer): unknown {
  const { endpoint } = server;
  if (error instanceof SyntaxError) {
    // Gives no cause, which would quote the answer.
    return new SocraticodeError('EMBEDDER_BAD_ANSWER', `${endpoint} answered with text that is not JSON`);
  }
  if (!(error instanceof HttpFailure)) return error;
  const { kind, status } = error;
  if (status === 401 || status === 403) return denied(server, error);
  if (status === 404 && (error.said !== '' || server.provider === 'openai')) return modelMissing(server, error);
  const message = `${endpoint} ${error.message}`;
  const isBadAnswer =
    kind === 'too-large' || kind === 'redirect' || (kind === 'status' && status < 500 && status !== 429);
  const hint = kind === 'too-large' ? `Ask for less at a time: ${SET}embedder.batch 8` : undefined;
  if (isBadAnswer) return new SocraticodeError('EMBEDDER_BAD_ANSWER', message, { hint, cause: error });
  return new SocraticodeError('EMBEDDER_UNREACHABLE', message, { hint: unreachableHint(server, error), cause: error });
}

/** Bound of one line of pull progress, which has about 200 bytes. */
const MAX_LINE_BYTES = 1 << 20;

export interface PullProgress {
  /** Ollama's own words, such as `pulling manifest`. */
  status: string;
  /** Bytes of the part in transfer; 0 if no part is. */
  completed: number;
  total: number;
}

/** Ends a stream whose line never ends: the client would collect all of it in memory. */
function boundedLines(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const newline = chunk.lastIndexOf(0x0a);
      size = newline < 0 ? size + chunk.length : chunk.length - newline - 1;
      if (size > MAX_LINE_BYTES) controller.error(new HttpFailure('too-large', 'answered with an endless line'));
      else controller.enqueue(chunk);
    },
  });
}

const bytes = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/**
 * Downloads a model through Ollama's own client, when the user asks for it. Throws EMBEDDER_REFUSED for a name that contains a
 * host, which a repository may have chosen, EMBEDDER_MODEL_MISSING if Ollama cannot pull the model, and CANCELLED.
 */
export async function pullModel(
  server: EmbedderServer,
  onProgress: (progress: PullProgress) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { model, endpoint } = server;
  if (namesHost(model)) {
    const hint = `If you trust that host: ollama pull ${model}`;
    throw new SocraticodeError('EMBEDDER_REFUSED', `the model name ${model} contains a host`, { hint });
  }
  try {
    const { Ollama } = await import('ollama');
    const fetch: Fetch = async (url, init) => {
      const { body } = await openStream(String(url), init ?? {}, signal);
      return new Response(body?.pipeThrough(boundedLines()));
    };
    const client = new Ollama({ host: endpoint, fetch });
    for await (const part of await client.pull({ model, stream: true })) {
      onProgress({
        status: visibleLine(String(part.status)),
        completed: bytes(part.completed),
        total: bytes(part.total),
      });
    }
  } catch (error) {
    throw signal?.aborted ? cancelled() : pullFailure(error, server);
  }
}

/** Explains a failed pull. Ollama reports the failure inside the stream, and its client throws it as a plain error. */
function pullFailure(error: unknown, server: EmbedderServer): unknown {
  const { model, endpoint } = server;
  if (error instanceof HttpFailure && error.kind !== 'status') return explain(error, server);
  if (error instanceof SocraticodeError) return error;
  const said = visibleLine(error instanceof Error ? error.message : String(error)).slice(0, 200);
  const hint = `See which models there are on https://ollama.com/search, or try \`ollama pull ${model}\`.`;
  return new SocraticodeError('EMBEDDER_MODEL_MISSING', `${endpoint} could not pull ${model}: ${said}`, { hint });
}
