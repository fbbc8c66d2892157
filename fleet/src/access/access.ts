/** Permissions of clients: repositories that each may read and publish. Without a grant nothing is allowed. */
import { createHash } from 'node:crypto';
import type { Reader } from '../ask/scope.js';
import { remember, SocraticodeError } from '../internal.js';
import { matchesGrant } from './globs.js';

/** Globs of the repositories that a token may read, and of those that it may publish. */
export interface Grant {
  /** Holder of the token, for logs. */
  name: string;
  read: readonly string[];
  publish: readonly string[];
}

/** Client whose token was accepted. */
export interface Client extends Reader {
  name: string;
  mayPublish(repo: string): boolean;
}

export interface Access {
  /** The holder of a token, or null. Throws FLEET_STORE if the source of grants does not answer. */
  clientOf(token: string | null, signal?: AbortSignal): Promise<Client | null>;
}

/** Most names for which a client's permission is remembered. */
const REMEMBERED = 100_000;

export function clientOf({ name, read, publish }: Grant): Client {
  return { name, mayRead: remembered(read), mayPublish: remembered(publish) };
}

/** Compares the globs once with each name: a question asks about every repository. */
function remembered(globs: readonly string[]): (repo: string) => boolean {
  const known = new Map<string, boolean>();
  return (repo) => {
    const before = known.get(repo);
    if (before !== undefined) return before;
    const matches = globs.some((glob) => matchesGrant(glob, repo));
    if (known.size < REMEMBERED) known.set(repo, matches);
    return matches;
  };
}

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Allows everything to every client that can reach the server: for one's own machine alone. */
export const OPEN_ACCESS: Access = {
  clientOf: async () => clientOf({ name: 'local', read: ['**'], publish: ['**'] }),
};

const MOST_GLOBS = 10_000;
const MAX_NAME = 200;
const MAX_GLOB = 400;

/** Reads a grant of a person or of an authorizing server. Throws BAD_CONFIG; `what` names the grant in the message. */
export function readGrant(value: unknown, what: string): Grant {
  const bad = (why: string): never => {
    throw new SocraticodeError('BAD_CONFIG', `${what}: ${why}`, {
      hint: 'A grant is {"name": "ci of shop", "read": ["acme/*"], "publish": ["acme/shop"]}.',
    });
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('a grant is an object');
  const { name = '', read = [], publish = [] } = value as Record<string, unknown>;
  if (typeof name !== 'string' || name.length > MAX_NAME || /\p{Cc}/u.test(name)) return bad('name is a short text');
  const isGlob = (glob: unknown) => typeof glob === 'string' && glob !== '' && glob.length <= MAX_GLOB;
  const areGlobs = (list: unknown): list is string[] =>
    Array.isArray(list) && list.length <= MOST_GLOBS && list.every(isGlob);
  if (!areGlobs(read)) return bad('read is a list of globs');
  if (!areGlobs(publish)) return bad('publish is a list of globs');
  return { name, read, publish };
}

/** Clients by the hashes of their tokens, as one source knew them at some time. */
export class ClientCache {
  private readonly held = new Map<string, { client: Client | null; until: number }>();

  constructor(
    private readonly keepMs: number,
    private readonly capacity: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(hash: string): Client | null | undefined {
    const entry = this.held.get(hash);
    return entry !== undefined && this.now() < entry.until ? entry.client : undefined;
  }

  set(hash: string, client: Client | null): Client | null {
    remember(this.held, hash, { client, until: this.now() + this.keepMs }, this.capacity);
    return client;
  }
}
