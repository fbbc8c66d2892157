/**
 * Decides which directories outside of a repository may be read. A committed file can name any path and a symlink can lead
 * anywhere, so only directories that the user allowed count. Every decision is about real paths, with links resolved.
 */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { shellWord, visibleLine } from '../../base/printable.js';
import type { ClientCall } from '../../graph/across/facts.js';
import { clientRule, requestsIn } from '../../graph/across/requests.js';
import type { Snapshot } from '../../graph/link/symbol-table.js';
import type { PreparedGraph } from '../graph/prepare.js';

/** Returns the real path; null if nothing exists there. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Returns whether `path` is the directory or below it. Both are absolute. */
export function isWithin(path: string, directory: string): boolean {
  const between = relative(directory, path);
  return between === '' || !(between === '..' || between.startsWith(`..${sep}`) || isAbsolute(between));
}

/** Expands `~`. */
function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

export class Consent {
  private readonly root: string;
  private readonly allowed: readonly string[];

  /** `root`: absolute top of the work tree; `allow`: the setting `linked.allow` or `context.allow`. */
  constructor(root: string, allow: readonly string[]) {
    this.root = realPath(root) ?? resolve(root);
    this.allowed = allow.flatMap((directory) => realPath(fromHome(directory)) ?? []);
  }

  /** Makes a named path absolute without resolving links; relative paths start at the top of the repository. */
  locate(path: string): string {
    return resolve(this.root, fromHome(path));
  }

  /** Returns whether a real path may be read. */
  covers(path: string): boolean {
    return isWithin(path, this.root) || this.isAllowed(path);
  }

  isAllowed(path: string): boolean {
    return this.allowed.some((directory) => isWithin(path, directory));
  }

  get allowsAny(): boolean {
    return this.allowed.length > 0;
  }

  isInside(path: string): boolean {
    return isWithin(path, this.root);
  }
}

/** Returns the git command that allows a directory, quoted, since a repository may choose its name to be pasted into a shell. */
export function allowCommand(directory: string, key: 'linked.allow' | 'context.allow' = 'linked.allow'): string {
  const isPlain = visibleLine(directory) === directory;
  const named = isPlain ? shellWord(directory) : 'DIRECTORY';
  return `git config --global --add ${shellWord(`socraticode.${key}`)} ${named}`;
}

/** Requests of one repository: more are made to be slow. */
const MAX_CALLS = 50_000;
const MAX_LEVELS = 64;

export async function listCalls(
  { graph, objects }: PreparedGraph,
  snapshot: Snapshot,
  signal?: AbortSignal,
): Promise<ClientCall[]> {
  const found: ClientCall[] = [];
  for (const [file, { path, oid }] of graph.tables.files.entries()) {
    const { references } = snapshot.index(file).facts.relations;
    if (found.length >= MAX_CALLS || !references.some((reference) => clientRule(reference) !== null)) continue;
    signal?.throwIfAborted();
    const text = (await objects.read(oid))?.content.toString('utf8');
    if (text === undefined) continue;
    const nameOf = (symbol: number) => qualifiedName(snapshot.index(file).symbols, symbol);
    for (const { symbol, ...call } of requestsIn(text, references))
      found.push({ ...call, path, symbol: symbol < 0 ? null : nameOf(symbol) });
  }
  return found;
}

function qualifiedName(symbols: readonly { name: string; container: number }[], symbol: number): string {
  const names: string[] = [];
  for (let at = symbol; at >= 0 && names.length < MAX_LEVELS; at = symbols[at].container) names.push(symbols[at].name);
  return names.reverse().join('.');
}
