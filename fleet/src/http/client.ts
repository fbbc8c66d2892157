/** Asks a fleet's server over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_CODES, type ErrorCode, type FleetAsking, SocraticodeError } from '../internal.js';
import { checkedUrl, type FleetAddress, post } from '../post.js';
import type { FleetQuestion } from './questions.js';

/** Milliseconds for an answer, with all repetitions at a busy server. */
const TIMEOUT_MS = 60_000;
/** Milliseconds until a busy server that names no time is asked again; up to half as much again at random, so that clients spread out. */
const PAUSE_MS = 2_000;
/** Most bytes of an answer: a hundred results with whole texts have far fewer. */
const MAX_ANSWER = 64 << 20;

/** Throws BAD_ARGUMENT for an invalid address, or one that would carry the token in the clear. */
export function fleetClient(address: FleetAddress): FleetAsking {
  const url = checkedUrl(address);
  const ask =
    <Document>(name: FleetQuestion) =>
    async (query: object, signal?: AbortSignal): Promise<Document> =>
      (await askServer({ url: new URL(`fleet/${name}`, url), token: address.token }, query, signal)) as Document;
  return { search: ask('search'), repos: ask('repos'), file: ask('file'), uses: ask('uses'), close: async () => {} };
}

interface Address {
  url: URL;
  token: string | null;
}

/** Asks; repeats the request at a busy server until the time is over. */
async function askServer({ url, token }: Address, body: object, signal?: AbortSignal): Promise<object> {
  const within = AbortSignal.timeout(TIMEOUT_MS);
  const request = {
    ...{ body: Buffer.from(JSON.stringify(body)), type: 'application/json', token, most: MAX_ANSWER },
    signal: signal === undefined ? within : AbortSignal.any([signal, within]),
  };
  for (;;) {
    const answer = await post(url, request).catch((error) => {
      signal?.throwIfAborted();
      throw unreachable(url, within.aborted ? 'too slow' : (error.code ?? 'the connection failed'));
    });
    const { status } = answer;
    const json = parsed(answer.body.toString('utf8'));
    if (status === 200 && json !== null) return json;
    const failure = failureOf(json) ?? unreachable(url, `status ${status}, and no answer of a fleet`);
    if (failure.code !== 'FLEET_BUSY') throw failure;
    await sleep(pauseOf(answer.headers['retry-after']), undefined, { signal: request.signal }).catch(() => {
      signal?.throwIfAborted();
      throw failure;
    });
  }
}

function pauseOf(retryAfter: string | undefined): number {
  const wantedMs = Number(retryAfter) * 1_000;
  return (wantedMs > 0 ? Math.min(wantedMs, TIMEOUT_MS) : PAUSE_MS) * (1 + Math.random() / 2);
}

const unreachable = ({ host }: URL, why: string) =>
  new SocraticodeError('FLEET_UNREACHABLE', `the fleet at ${host} does not answer: ${why}`);

/** The error in a server's answer; null if it is none of ours. */
function failureOf(json: object | null): SocraticodeError | null {
  const { code, message, hint } = (json ?? {}) as { code?: string; message?: string; hint?: string };
  if (typeof code !== 'string' || !Object.hasOwn(ERROR_CODES, code) || typeof message !== 'string') return null;
  return new SocraticodeError(code as ErrorCode, message, typeof hint === 'string' ? { hint } : {});
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
