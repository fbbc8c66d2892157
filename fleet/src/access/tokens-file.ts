/**
 * Grants from a file: `{"tokens": [{"sha256": "…", "name": "ci of shop", "read": ["acme/*"], "publish": ["acme/shop"]}]}`. It
 * holds hashes, so that its readers learn no token, and it is read again after a change.
 */
import { readFileSync, statSync } from 'node:fs';
import { log, SocraticodeError } from '../internal.js';
import { type Access, type Client, clientOf, readGrant, tokenHash } from './access.js';

const MAX_BYTES = 16 << 20;
/** Milliseconds between two checks for a change. */
const LOOK_MS = 1_000;

export class TokensFile implements Access {
  private clients: ReadonlyMap<string, Client>;
  private stamp: string;
  private lookedAt: number;

  /** Throws BAD_CONFIG if the file cannot be read or is no list of tokens. */
  constructor(
    private readonly path: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.stamp = stampOf(path);
    this.clients = readTokens(path);
    this.lookedAt = now();
  }

  async clientOf(token: string | null): Promise<Client | null> {
    this.look();
    return token === null ? null : (this.clients.get(tokenHash(token)) ?? null);
  }

  /** Reads the file again after a change. A damaged file changes nothing: the last good grants stay, and the log says so. */
  private look(): void {
    if (this.now() - this.lookedAt < LOOK_MS) return;
    this.lookedAt = this.now();
    try {
      const stamp = stampOf(this.path);
      if (stamp === this.stamp) return;
      this.clients = readTokens(this.path);
      this.stamp = stamp;
    } catch (error) {
      log.warn(`fleet: ${(error as Error).message}; the tokens stay as they were`);
    }
  }
}

function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (cause) {
    throw new SocraticodeError('BAD_CONFIG', 'the file of tokens cannot be read', { cause });
  }
}

function readTokens(path: string): Map<string, Client> {
  const bad = (why: string, cause?: unknown): never => {
    throw new SocraticodeError('BAD_CONFIG', `the file of tokens ${why}`, {
      hint: 'It is {"tokens": [{"sha256": HASH, "name": "ci of shop", "read": ["acme/*"], "publish": ["acme/shop"]}]}; see docs/fleet.md.',
      cause,
    });
  };
  let value: unknown;
  try {
    if (statSync(path).size > MAX_BYTES) return bad(`is larger than ${MAX_BYTES} bytes`);
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (cause instanceof SocraticodeError) throw cause;
    // The parser's message would quote the file.
    return bad('is no JSON');
  }
  const list = (value as { tokens?: unknown } | null)?.tokens;
  if (!Array.isArray(list)) return bad('has no list "tokens"');
  const clients = new Map<string, Client>();
  for (const [i, entry] of list.entries()) {
    const hash = (entry as { sha256?: unknown } | null)?.sha256;
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
      return bad(`has no SHA-256 in hex for token ${i + 1}`);
    if (clients.has(hash)) return bad(`has token ${i + 1} twice`);
    clients.set(hash, clientOf(readGrant(entry, `token ${i + 1} of the file of tokens`)));
  }
  return clients;
}
