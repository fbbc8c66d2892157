/**
 * Grants from a file: `{"tokens": [{"sha256": "…", "name": "ci of shop", "read": ["acme/*"], "publish": ["acme/shop"]}]}`. It
 * holds hashes, so that its readers learn no token, and it is read again after a change.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { acquireLock, log, SocraticodeError, visibleLine, writeFileAtomic } from '../internal.js';
import { type Access, type Client, clientOf, type Grant, readGrant, tokenHash } from './access.js';

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
  return new Map(readGrants(path).map(({ hash, grant }) => [hash, clientOf(grant)]));
}

interface Entry {
  hash: string;
  grant: Grant;
  /** As the file has it, with what people added to it. */
  typed: unknown;
}

/** Entries of the file, in its order. Throws BAD_CONFIG if it cannot be read or is no list of tokens. */
export function readGrants(path: string): Entry[] {
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
    return bad(
      cause instanceof SyntaxError ? 'is no JSON' : 'cannot be read',
      cause instanceof SyntaxError ? undefined : cause,
    );
  }
  const list = (value as { tokens?: unknown } | null)?.tokens;
  if (!Array.isArray(list)) return bad('has no list "tokens"');
  const hashes = new Set<string>();
  return list.map((entry, i) => {
    const hash = (entry as { sha256?: unknown } | null)?.sha256;
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
      return bad(`has no SHA-256 in hex for token ${i + 1}`);
    if (hashes.has(hash)) return bad(`has token ${i + 1} twice`);
    hashes.add(hash);
    return { hash, grant: readGrant(entry, `token ${i + 1} of the file of tokens`), typed: entry };
  });
}

/** Milliseconds for which another writer of the file is waited for. */
const WRITER_MS = 10_000;
const TOKEN_BYTES = 32;

/** Adds a token and returns it: the file has its hash alone. Makes a file that is absent, for its owner only. Throws BAD_ARGUMENT, BAD_CONFIG, LOCKED. */
export async function addToken(path: string, grant: Grant): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  await change(path, (entries) => {
    if (entries.some((entry) => entry.grant.name === grant.name))
      throw new SocraticodeError('BAD_ARGUMENT', `there is a token with the name ${visibleLine(grant.name)} already`, {
        hint: 'Revoke it first, or choose another name: the log names clients by it.',
      });
    return [...entries, { hash: tokenHash(token), grant, typed: { sha256: tokenHash(token), ...grant } }];
  });
  return token;
}

/** Removes the tokens with a name. Throws BAD_ARGUMENT if there is none, BAD_CONFIG, LOCKED. */
export async function revokeToken(path: string, name: string): Promise<void> {
  await change(path, (entries) => {
    const kept = entries.filter(({ grant }) => grant.name !== name);
    if (kept.length === entries.length)
      throw new SocraticodeError('BAD_ARGUMENT', `no token has the name ${visibleLine(name)}`, {
        hint: `Names: ${entries.map(({ grant }) => visibleLine(grant.name)).join(', ') || 'none'}`,
      });
    return kept;
  });
}

/** Writes the file anew in one step, so that a server reads the old or the new one. */
async function change(path: string, make: (entries: readonly Entry[]) => readonly Entry[]): Promise<void> {
  const release = await acquireLock(`${path}.lock`, { waitMs: WRITER_MS });
  try {
    const isNew = !existsSync(path);
    const tokens = make(isNew ? [] : readGrants(path)).map(({ typed }) => typed);
    const mode = isNew ? 0o600 : statSync(path).mode & 0o777;
    writeFileAtomic(path, `${JSON.stringify({ tokens }, null, 2)}\n`, mode);
  } finally {
    release();
  }
}
