/**
 * Lock file that names its holder and is taken over once that process is dead. No clock decides: a holder is dead when
 * its machine says so (`lock-holder`). Removing a stale lock needs a second lock, named after the id of the first, so
 * that only one process removes it and never a newer one; unguarded removal gave two holders in 3 of 40 measured rounds.
 *
 *     const release = await acquireLock(join(state, 'writer.lock'), { waitMs: 60_000 });
 *     try { … } finally { release(); }
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SocraticodeError } from './errors.js';
import {
  cannotCreate,
  createLock,
  digest,
  type LockFile,
  readLock,
  releaseLock,
  removeLeftovers,
} from './lock-file.js';
import { type Holder, isStopped, lifeOf, ownHolder } from './lock-holder.js';
import { log } from './log.js';

export interface LockOptions {
  /** How long to wait for another holder, in milliseconds; 0 tries once. */
  waitMs?: number;
  signal?: AbortSignal;
}

const POLL_MS = 50;
/** A longer wait is reported on stderr; so long a stale lock may be waited for that another process is removing. */
const NOTICE_MS = 2_000;
/** A stopped holder is waited for no longer than this: only its user can let it go on. */
const STOPPED_MS = 5_000;
/** A lock without a holder may be half written, on file systems without hard links: after so long it is stale. */
const UNCLEAR_MS = 500;
/** Guards of guards that are followed. Each is left by a process killed in the instant that it held one; an archive can hold any number. */
const MAX_GUARDS = 100;

/** Ids of released locks whose file could not be removed: they lock other processes out until this one ends, not this one. */
const abandoned = new Set<string>();

/** Takes the lock and returns the function that releases it. Throws LOCKED after `waitMs`, DISK, and the signal's reason. */
export async function acquireLock(path: string, { waitMs = 0, signal }: LockOptions = {}): Promise<() => void> {
  const start = performance.now();
  const isStale = staleness();
  for (let isTold = false; ; await sleep(POLL_MS, undefined, { signal })) {
    signal?.throwIfAborted();
    let found = readLock(path);
    const waited = performance.now() - start;
    if (found !== null && abandoned.delete(found.id)) return releaserOf(path, found.id);
    if (found !== null && isStale(found) && removeStale(firstOf(path, found), isStale)) found = null;
    if (found === null) {
      const id = createLock(path);
      if (id === null) continue;
      removeLeftovers(path);
      return releaserOf(path, id);
    }
    if (waited >= (isHeld(found) ? waitMs : Math.max(waitMs, NOTICE_MS))) throw lockedError(path, found);
    if (waited >= STOPPED_MS && found.holder !== null && isStopped(found.holder)) throw lockedError(path, found);
    if (waited >= NOTICE_MS && !isTold) {
      isTold = true;
      log.tell('warn', `waiting for ${nameOf(found.holder)}, which holds ${path}`);
    }
  }
}

function releaserOf(path: string, id: string): () => void {
  return () => {
    if (!releaseLock(path, id)) abandoned.add(id);
  };
}

/** The process that holds a lock; `elsewhere` names its machine if only that can tell whether it still runs. */
interface LockState {
  pid: number;
  elsewhere: string | null;
}

/** The holder of the lock; null if there is none, or it is dead. */
export function lockState(path: string): LockState | null {
  const holder = readLock(path)?.holder ?? null;
  const life = holder === null ? 'dead' : lifeOf(holder);
  if (holder === null || life === 'dead') return null;
  return { pid: holder.pid, elsewhere: life === 'elsewhere' ? holder.host : null };
}

/** The pid of the lock's holder, or null. */
export function lockHolder(path: string): number | null {
  return lockState(path)?.pid ?? null;
}

type Staleness = (found: LockFile) => boolean;

/** Returns a test whether a lock is stale, which remembers since when it has seen each lock without a holder. */
function staleness(): Staleness {
  const since = new Map<string, number>();
  return (found) => {
    if (found.holder !== null) return lifeOf(found.holder) === 'dead';
    const first = since.get(found.id) ?? performance.now();
    since.set(found.id, first);
    return found.isReadable && performance.now() - first >= UNCLEAR_MS;
  };
}

/** True for a lock that only its holder may end: of a living process, or one that cannot be looked at. */
function isHeld({ holder, isReadable }: LockFile): boolean {
  return holder === null ? !isReadable : lifeOf(holder) !== 'dead';
}

/** Stale lock file. */
interface StaleLock {
  path: string;
  file: LockFile;
  /** Path of the first lock, for whose guards it may be a guard itself. */
  base: string;
  /** Name of its guard. */
  key: string;
  /** Number of guards before it. */
  depth: number;
}

const firstOf = (path: string, file: LockFile): StaleLock => ({ path, file, base: path, key: file.id, depth: 0 });

/**
 * Removes a stale lock file while holding its guard, `BASE.KEY.steal`; false if a living process holds that, or after
 * too many stale guards. A guard is a lock too, so a stale one is removed the same way; its key is derived from all ids
 * before it and never comes twice.
 */
function removeStale({ path, file, base, key, depth }: StaleLock, isStale: Staleness): boolean {
  if (depth > MAX_GUARDS) return false;
  const guard = `${base}.${key}.steal`;
  while (createLock(guard) === null) {
    const other = readLock(guard);
    if (other === null || !isStale(other)) return false;
    const next = { path: guard, file: other, base, key: digest(`${key} ${other.id}`), depth: depth + 1 };
    if (!removeStale(next, isStale)) return false;
  }
  try {
    if (readLock(path)?.id === file.id) rmSync(path, { recursive: true, force: true });
    return true;
  } catch (error) {
    throw cannotCreate(path, error);
  } finally {
    rmSync(guard, { recursive: true, force: true });
  }
}

function lockedError(path: string, { holder }: LockFile): SocraticodeError {
  const message = `the index is being written by ${nameOf(holder)} (${path})`;
  const life = holder === null ? 'elsewhere' : lifeOf(holder);
  if (holder !== null && isStopped(holder))
    return new SocraticodeError('LOCKED', `${message}, which is stopped`, {
      hint: `\`kill -CONT ${holder.pid}\` lets it go on, \`kill -KILL ${holder.pid}\` ends it: finished work is kept`,
    });
  if (life === 'alive') return new SocraticodeError('LOCKED', message);
  if (life === 'dead')
    return new SocraticodeError(
      'LOCKED',
      `${message}, which has ended, and others stop each other from taking it over`,
      { hint: `Run again; if that does not help, remove ${path}*` },
    );
  return new SocraticodeError('LOCKED', `${message}, of which nobody here can tell whether it still runs`, {
    hint: `Wait for it; if you know that it is gone, remove ${path}`,
  });
}

function nameOf(holder: Holder | null): string {
  if (holder === null) return 'a process that cannot be told';
  if (lifeOf(holder) !== 'elsewhere') return `process ${holder.pid}`;
  const isNamesake = holder.host === ownHolder().host;
  return `process ${holder.pid} ${isNamesake ? 'of another container or machine of this name' : `on ${holder.host}`}`;
}
