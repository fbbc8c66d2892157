/** Asks a fleet's server over HTTP. */
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.js';
import { SocraticodeError } from '../../base/errors.js';
import { isLoopback } from '../access/authorize-url.js';
import type { FleetAsking } from '../ask/asking.js';
import type { FleetQuestion } from './questions.js';

const TIMEOUT_MS = 60_000;
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

async function post({ url, token }: { url: URL; token: string | null }, body: object, signal?: AbortSignal) {
  const within = AbortSignal.timeout(TIMEOUT_MS);
  const unreachable = (why: string) =>
    new SocraticodeError('FLEET_UNREACHABLE', `the fleet at ${url.host} does not answer: ${why}`);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: signal === undefined ? within : AbortSignal.any([signal, within]),
    });
    text = await boundedText(response);
  } catch (error) {
    signal?.throwIfAborted();
    const cause = (error as { cause?: { code?: string } }).cause?.code;
    throw unreachable(cause ?? (within.aborted ? 'too slow' : 'the connection failed'));
  }
  const json = parsed(text);
  if (response.status === 200 && json !== null) return json;
  const { code, message, hint } = (json ?? {}) as { code?: string; message?: string; hint?: string };
  if (typeof code !== 'string' || !Object.hasOwn(ERROR_CODES, code) || typeof message !== 'string')
    throw unreachable(`status ${response.status}, and no answer of a fleet`);
  throw new SocraticodeError(code as ErrorCode, message, typeof hint === 'string' ? { hint } : {});
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
