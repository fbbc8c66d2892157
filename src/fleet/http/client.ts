/** Asks a fleet's server over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.js';
import { SocraticodeError } from '../../base/errors.js';
import { isLoopback } from '../access/authorize-url.js';
import type { FleetAsking } from '../ask/asking.js';
import type { FleetQuestion } from './questions.js';

/** Milliseconds for an answer, with all that it takes to ask a busy server again. */
const TIMEOUT_MS = 60_000;
/** Milliseconds until a busy server that names no time is asked again; half as much again at random, so that not all come at once. */
const PAUSE_MS = 2_000;
/** Most bytes of an answer: a hundred results with whole texts are far below. */
const MAX_ANSWER = 64 << 20;

export interface FleetAddress {
  url: string;
  token: string | null;
}

/** Throws BAD_ARGUMENT for an address that is none, or that would carry the token in the clear. */
export function fleetClient(address: FleetAddress): FleetAsking {
  const url = checkedUrl(address);
  const ask =
    <Document>(name: FleetQuestion) =>
    async (query: object, signal?: AbortSignal): Promise<Document> =>
      (await post({ url: new URL(`fleet/${name}`, url), token: address.token }, query, signal)) as Document;
  return { search: ask('search'), repos: ask('repos'), file: ask('file'), uses: ask('uses'), close: async () => {} };
}

function checkedUrl({ url, token }: FleetAddress): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '')
    throw new SocraticodeError('BAD_ARGUMENT', 'the address of a fleet is http, https, file or a bucket', {
      hint: 'For example: git config --global socraticode.fleet.url https://fleet.example.com',
    });
  if (parsed.protocol === 'http:' && token !== null && !isLoopback(parsed.hostname))
    throw new SocraticodeError('BAD_ARGUMENT', 'the token would travel readable for everybody on the way', {
      hint: 'Use the https address of the fleet.',
    });
  if (!parsed.pathname.endsWith('/')) parsed.pathname += '/';
  return parsed;
}

interface Address {
  url: URL;
  token: string | null;
}

/** Asks, and asks a server again that says that it is busy, until the time is over. */
async function post({ url, token }: Address, body: object, signal?: AbortSignal): Promise<object> {
  const within = AbortSignal.timeout(TIMEOUT_MS);
  const request = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    redirect: 'error' as const,
    signal: signal === undefined ? within : AbortSignal.any([signal, within]),
  };
  for (;;) {
    const { status, text, pauseMs } = await answerOf(url, request).catch((error) => {
      signal?.throwIfAborted();
      throw unreachable(url, error.cause?.code ?? (within.aborted ? 'too slow' : 'the connection failed'));
    });
    const json = parsed(text);
    if (status === 200 && json !== null) return json;
    const failure = failureOf(json) ?? unreachable(url, `status ${status}, and no answer of a fleet`);
    if (failure.code !== 'FLEET_BUSY') throw failure;
    await sleep(pauseMs, undefined, { signal: request.signal }).catch(() => {
      signal?.throwIfAborted();
      throw failure;
    });
  }
}

async function answerOf(url: URL, request: RequestInit): Promise<{ status: number; text: string; pauseMs: number }> {
  const response = await fetch(url, request);
  const asked = Number(response.headers.get('retry-after')) * 1_000;
  const pauseMs = (asked > 0 ? Math.min(asked, TIMEOUT_MS) : PAUSE_MS) * (1 + Math.random() / 2);
  return { status: response.status, text: await boundedText(response), pauseMs };
}

const unreachable = ({ host }: URL, why: string) =>
  new SocraticodeError('FLEET_UNREACHABLE', `the fleet at ${host} does not answer: ${why}`);

/** The error that a server names; null if it is none of ours. */
function failureOf(json: object | null): SocraticodeError | null {
  const { code, message, hint } = (json ?? {}) as { code?: string; message?: string; hint?: string };
  if (typeof code !== 'string' || !Object.hasOwn(ERROR_CODES, code) || typeof message !== 'string') return null;
  return new SocraticodeError(code as ErrorCode, message, typeof hint === 'string' ? { hint } : {});
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
