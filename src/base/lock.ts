/**
 * Lock file that names its holder and is taken over once that process is dead. No clock decides: a holder is dead when
 * its machine says so (`processes`). Whoever wants the lock writes a claim, a file of its own name, and takes the lock
 * by renaming the claim to it, if it then finds no other living claim and, after that, no living holder. Of two that
 * claim at once, the later one finds either the other's claim or the other's lock; both may give way, and try again.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clearDirectory, namesIn, readPlainFile, removeQuietly, standingAt } from './atomic.js';
import { SocraticodeError } from './errors.js';
import { log } from './log.js';
import { type Holder, isStopped, lifeOf, ownHolder, parseHolder } from './processes.js';

export interface LockOptions {
  /** How long to wait for another holder, in milliseconds; 0 tries once. */
  waitMs?: number;
  signal?: AbortSignal;
}

/** Mean pause between two attempts; at random, so that processes do not stop each other for ever. */
const POLL_MS = 50;
/** A longer wait is reported on stderr. Others that only claim the lock are waited for at least so long. */
const NOTICE_MS = 2_000;
/** A stopped holder is waited for no longer than this: only its user can let it go on. */
const STOPPED_MS = 5_000;
const MAX_BYTES = 4_096;
const CLAIM = /\.[0-9a-f]{32}\.claim$/;

/** Ids of released locks whose file could not be removed: they lock other processes out until this one ends, not this one. */
const abandoned = new Set<string>();

/** Takes the lock and returns the function that releases it. Throws LOCKED after `waitMs`, DISK, and the signal's reason. */
export async function acquireLock(path: string, { waitMs = 0, signal }: LockOptions = {}): Promise<() => void> {
  const start = performance.now();
  const id = randomBytes(16).toString('hex');
  for (let isReported = false; ; await sleep(POLL_MS * (0.5 + Math.random()), undefined, { signal })) {
    signal?.throwIfAborted();
    const holder = livingAt(path);
    const other = holder ?? take(path, id);
    if (other === null) return () => release(path, id);
    const waited = performance.now() - start;
    if (waited >= (holder === null ? Math.max(waitMs, NOTICE_MS) : waitMs)) throw lockedError(path, other);
    if (waited >= STOPPED_MS && isStopped(other)) throw lockedError(path, other);
    if (waited >= NOTICE_MS && !isReported) {
      isReported = true;
      log.print('warn', `waiting for ${nameOf(other)}, which holds ${path}`);
    }
  }
}

/** The process that holds a lock; `elsewhere` names its machine if only that can tell whether it still runs. */
export function lockState(path: string): { pid: number; elsewhere: string | null } | null {
  const holder = livingAt(path);
  return holder && { pid: holder.pid, elsewhere: lifeOf(holder) === 'elsewhere' ? holder.host : null };
}

/** The pid of the lock's holder, or null. */
export function lockHolder(path: string): number | null {
  return lockState(path)?.pid ?? null;
}

/** Takes a lock without a living holder and returns null, or returns another process that wants it at the same time. Throws DISK. */
function take(path: string, id: string): Holder | null {
  const claim = `${path}.${id}.claim`;
  try {
    writeFileSync(claim, JSON.stringify({ ...ownHolder(), id }), { flag: 'wx' });
    // Other users of a shared repository must be able to see the holder, whatever the umask.
    chmodSync(claim, 0o644);
    const other = otherClaim(path, claim) ?? livingAt(path);
    if (other !== null) return other;
    clearDirectory(path);
    renameSync(claim, path);
    return null;
  } catch (error) {
    const isRemoved = (error as NodeJS.ErrnoException).code === 'ENOENT' && standingAt(dirname(path)) !== undefined;
    // Another process has removed our claim before it was whole, and has the lock by now.
    if (isRemoved) return ownHolder();
    throw cannotCreate(path, error);
  } finally {
    removeQuietly(claim);
  }
}

/** A living process that claims the lock, too, or null. Removes claims of the dead, and those that are not whole yet, which fail. */
function otherClaim(path: string, own: string): Holder | null {
  const directory = dirname(path);
  const names = namesIn(directory).filter((name) => CLAIM.test(name) && name.replace(CLAIM, '') === basename(path));
  for (const claim of names.map((name) => join(directory, name))) {
    if (basename(claim) === basename(own)) continue;
    const other = livingAt(claim);
    if (other !== null) return other;
    removeQuietly(claim);
  }
  return null;
}

/** The living process that a lock or claim names; null for what a crash, an archive or an unfinished write left. Throws DISK. */
function livingAt(path: string): Holder | null {
  try {
    const holder = parseHolder(readPlainFile(path, MAX_BYTES)?.toString('utf8') ?? '');
    return holder === null || lifeOf(holder) === 'dead' || abandoned.has(holder.id) ? null : holder;
  } catch (error) {
    // Every lock can be read by everybody.
    if (/EACCES|EPERM|ENOENT|ELOOP/.test((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw cannotCreate(path, error);
  }
}

function cannotCreate(path: string, cause: unknown): SocraticodeError {
  return new SocraticodeError('DISK', `cannot create ${path}: ${(cause as Error).message}`, { cause });
}

/** Removes the lock if it still has this id. */
function release(path: string, id: string): void {
  try {
    if (livingAt(path)?.id === id) rmSync(path, { force: true });
  } catch {
    abandoned.add(id);
  }
}

function lockedError(path: string, holder: Holder): SocraticodeError {
  const message = `the index is being written by ${nameOf(holder)} (${path})`;
  if (isStopped(holder))
    return new SocraticodeError('LOCKED', `${message}, which is stopped`, {
      hint: `\`kill -CONT ${holder.pid}\` lets it go on, \`kill -KILL ${holder.pid}\` ends it: finished work is kept`,
    });
  if (lifeOf(holder) === 'alive') return new SocraticodeError('LOCKED', message);
  return new SocraticodeError('LOCKED', `${message}, of which nobody here can tell whether it still runs`, {
    hint: `Wait for it; if you know that it is gone, remove ${path}*`,
  });
}

function nameOf(holder: Holder): string {
  if (lifeOf(holder) !== 'elsewhere') return `process ${holder.pid}`;
  return `process ${holder.pid} ${holder.host === ownHolder().host ? 'of another container of this name' : `on ${holder.host}`}`;
}
