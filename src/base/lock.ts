/**
 * The writer lock: a file that names its holder, there at once with all it says, or not at all. A lock whose holder is
 * dead is inherited: whoever first creates the file named after that very lock is its only heir, and if that one dies as well,
 * the heir of the heir is. So nobody ever removes a lock that somebody else has just taken (unlinking a stale one
 * unguarded gave two holders in 3 of 40 measured rounds). No clock of the wall or of the file system has a say.
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SocraticodeError } from './errors.js';
import { create, digest, type Found, look, notMade, release, removeLeftovers } from './lock-file.js';
import { lifeOf, ownHolder } from './lock-holder.js';
import { log } from './log.js';

export interface LockOptions {
  /** How long to wait for another holder, in milliseconds; 0 tries once. */
  waitMs?: number;
  signal?: AbortSignal;
}

const POLL_MS = 50;
/** Whoever waits longer is told for whom. */
const NOTICE_MS = 2_000;
/** What says nothing is left alone for so long: where files cannot be linked, it may be a lock that is just being written. */
const UNCLEAR_MS = 500;
/** Each took the one before it to die within microseconds. */
const MAX_HEIRS = 50;

/** Takes the lock and returns the function that releases it. Throws LOCKED when `waitMs` is over, DISK, and the signal's reason. */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<() => void> {
  const { waitMs = 0, signal } = options;
  const from = performance.now();
  const unclear = new Unclear();
  for (let isTold = false; ; ) {
    signal?.throwIfAborted();
    const found = look(path);
    const waited = performance.now() - from;
    if (found === null) {
      const id = create(path);
      if (id !== null) {
        removeLeftovers(path);
        return () => giveBack(path, id);
      }
    } else if (givenBack.delete(found.id)) {
      return () => giveBack(path, found.id);
    } else if (isLeft(found, unclear)) {
      if (inherit(path, found, unclear)) continue;
      // Its heir lives, and is done in a moment; should that be stopped, it is as good as held.
      if (waited >= Math.max(waitMs, NOTICE_MS)) throw locked(path, found);
    } else if (waited >= waitMs && !unclear.isWatched(found)) throw locked(path, found);
    else if (waited >= NOTICE_MS && !isTold) {
      isTold = true;
      log.tell('warn', `waiting for ${nameOf(found)}, which holds ${path}`);
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Ids of locks of this process that it holds no more and could not remove: nobody's as soon as it ends, and until then its own. */
const givenBack = new Set<string>();

function giveBack(path: string, id: string): void {
  if (!release(path, id)) givenBack.add(id);
}

/** The process that holds a lock; `elsewhere` names its machine where nobody here can tell whether it still runs. */
export interface LockState {
  pid: number;
  elsewhere: string | null;
}

/** Who holds the lock now; null if nobody does, or a process that is no more. */
export function lockState(path: string): LockState | null {
  const holder = look(path)?.holder ?? null;
  if (holder === null) return null;
  const life = lifeOf(holder);
  return life === 'dead' ? null : { pid: holder.pid, elsewhere: life === 'elsewhere' ? holder.host : null };
}

/** The pid alone. */
export function lockHolder(path: string): number | null {
  return lockState(path)?.pid ?? null;
}

/** What has been said of locks that say nothing: for how long have they stood there? */
class Unclear {
  private readonly since = new Map<string, number>();

  isOver({ id }: Found): boolean {
    const first = this.since.get(id) ?? performance.now();
    this.since.set(id, first);
    return performance.now() - first >= UNCLEAR_MS;
  }

  isWatched({ id }: Found): boolean {
    return this.since.has(id);
  }
}

/** Does nobody hold it any more? */
function isLeft(found: Found, unclear: Unclear): boolean {
  if (found.holder !== null) return lifeOf(found.holder) === 'dead';
  return !found.isSecret && unclear.isOver(found);
}

function locked(path: string, found: Found): SocraticodeError {
  const { holder } = found;
  const message = `the index is being written by ${nameOf(found)} (${path})`;
  const life = holder === null ? 'elsewhere' : lifeOf(holder);
  if (life === 'alive') return new SocraticodeError('LOCKED', message);
  if (life === 'dead') {
    return new SocraticodeError(
      'LOCKED',
      `${message}, which has ended, and others stop each other from taking it over`,
      {
        hint: `Run again; if that does not help, remove ${path}*`,
      },
    );
  }
  return new SocraticodeError('LOCKED', `${message}, of which nobody here can tell whether it still runs`, {
    hint: `Wait for it; if you know that it is gone, remove ${path}`,
  });
}

function nameOf({ holder }: Found): string {
  if (holder === null) return 'a process that cannot be told';
  if (lifeOf(holder) !== 'elsewhere') return `process ${holder.pid}`;
  const isNeighbour = holder.host === ownHolder().host;
  return `process ${holder.pid} ${isNeighbour ? 'of another container or machine of this name' : `on ${holder.host}`}`;
}

/** Removes a lock that nobody holds any more; false if somebody who lives is doing that. Throws DISK. */
function inherit(path: string, left: Found, unclear: Unclear): boolean {
  const heirs: string[] = [];
  for (let last = left; heirs.length < MAX_HEIRS; ) {
    let heir = `${path}.${last.id}.steal`;
    // Ids come only once: somebody has forged a circle, and all who see it leave it by the same way.
    if (heirs.includes(heir)) heir = `${path}.${digest(heirs.join())}.steal`;
    heirs.push(heir);
    if (create(heir) !== null) {
      // Now nobody else may remove this one, so it stays the one that was looked at.
      try {
        if (look(path)?.id === left.id) rmSync(path, { recursive: true, force: true });
      } catch (error) {
        throw notMade(path, error);
      } finally {
        for (const name of heirs) rmSync(name, { recursive: true, force: true });
      }
      return true;
    }
    const next = look(heir);
    if (next === null || !isLeft(next, unclear)) return false;
    last = next;
  }
  return false;
}
