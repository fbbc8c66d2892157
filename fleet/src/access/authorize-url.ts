/**
 * Grants from a server of the operator, which is asked with the client's own token. It answers 200 with `{name, read,
 * publish}`, or 401, 403 or 404 for an unknown token. An answer is valid for a minute.
 */
import { SocraticodeError } from '../internal.js';
import { type Access, type Client, ClientCache, clientOf, readGrant, tokenHash } from './access.js';

const KEEP_MS = 60_000;
/** Clients in the cache. */
const CAPACITY = 10_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4 << 20;
const DENIED: ReadonlySet<number> = new Set([401, 403, 404]);

export class AuthorizeUrl implements Access {
  private readonly cache: ClientCache;
  private readonly asking = new Map<string, Promise<Client | null>>();

  /** Throws BAD_ARGUMENT for an address that would send tokens in the clear. */
  constructor(
    private readonly url: string,
    now?: () => number,
  ) {
    const parsed = URL.canParse(url) ? new URL(url) : null;
    const isSafe = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
    if (!isSafe)
      throw new SocraticodeError('BAD_ARGUMENT', 'tokens are sent to an https address, or to one of this machine', {
        hint: 'Name one such as https://auth.example.com/fleet.',
      });
    this.cache = new ClientCache(KEEP_MS, CAPACITY, now);
  }

  async clientOf(token: string | null): Promise<Client | null> {
    if (token === null) return null;
    const hash = tokenHash(token);
    const known = this.cache.get(hash);
    if (known !== undefined) return known;
    // Requests that arrive together ask once.
    const asking = this.asking.get(hash) ?? this.ask(token).finally(() => this.asking.delete(hash));
    this.asking.set(hash, asking);
    return this.cache.set(hash, await asking);
  }

  private async ask(token: string): Promise<Client | null> {
    const failed = (why: string, cause?: unknown): never => {
      throw new SocraticodeError('FLEET_STORE', `permissions cannot be asked for: ${why}`, {
        hint: 'Ask again later; the operator finds the reason in the log of the authorizing server.',
        cause,
      });
    };
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
      response = await fetch(this.url, { headers, signal, redirect: 'error' });
      text = await boundedText(response);
    } catch {
      // Gives no cause, which may hold the request and so the token.
      return failed('the authorizing server does not answer');
    }
    if (DENIED.has(response.status)) return null;
    if (response.status !== 200) return failed(`the authorizing server answers ${response.status}`);
    try {
      return clientOf(readGrant(JSON.parse(text), 'the answer of the authorizing server'));
    } catch {
      return failed('the authorizing server answers with no grant');
    }
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
