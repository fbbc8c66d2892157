/**
 * Lock file that names its holder and is taken over once that process is dead. No clock decides: a holder is dead when
 * its machine says so (`lock-holder`). Whoever wants the lock first writes a claim, a file of its own name. A free lock is
 * made as a hard link to the claim, which fails where a lock stands. A stale lock is replaced by renaming the claim, by who
 * finds no other living claim and then still the same lock: of two that replace at once, the one whose claim is the later
 * finds either the other's claim or the other's lock.
 *
 *     const release = await acquireLock(join(state, 'writer.lock'), { waitMs: 60_000 });
 *     try { … } finally { release(); }
 */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clearDirectory, namesIn, readPlainFile, removeQuietly, standingAt } from './atomic.js';
import { SocraticodeError } from './errors.js';
import { type Holder, isStopped, lifeOf, ownHolder, parseHolder } from './lock-holder.js';
import { log } from './log.js';

export interface LockOptions {
  /** How long to wait for another holder, in milliseconds; 0 tries once. */
  waitMs?: number;
  signal?: AbortSignal;
}

/** Mean pause between two attempts; at random, so that processes do not stop each other for ever. */
const POLL_MS = 50;
/** A longer wait is reported on stderr; so long a stale lock may be waited for that another process is replacing. */
const NOTICE_MS = 2_000;
/** A stopped holder is waited for no longer than this: only its user can let it go on. */
const STOPPED_MS = 5_000;
const MAX_BYTES = 4_096;
const CLAIM = /\.[0-9a-f]{32}\.claim$/;

/** Ids of released locks whose file could not be removed: they lock other processes out until this one ends, not this one. */
const abandoned = new Set<string>();

/** File at the path of a lock or claim. Without a holder it was left by a crash or an archive. */
interface LockFile {
  /** Random for each lock that is taken; a digest of what can be seen of anything else. */
  id: string;
  holder: Holder | null;
}

/** Takes the lock and returns the function that releases it. Throws LOCKED after `waitMs`, DISK, and the signal's reason. */
export async function acquireLock(path: string, { waitMs = 0, signal }: LockOptions = {}): Promise<() => void> {
  const start = performance.now();
  for (let isTold = false; ; await sleep(POLL_MS * (0.5 + Math.random()), undefined, { signal })) {
    signal?.throwIfAborted();
    const found = readLock(path);
    const id = isHeld(found) ? null : take(path, found?.id);
    if (id !== null) return () => release(path, id);
    if (found === null) continue;
    const waited = performance.now() - start;
    if (waited >= (isHeld(found) ? waitMs : Math.max(waitMs, NOTICE_MS))) throw lockedError(path, found);
    if (waited >= STOPPED_MS && found.holder !== null && isStopped(found.holder)) throw lockedError(path, found);
    if (waited >= NOTICE_MS && !isTold) {
      isTold = true;
      log.tell('warn', `waiting for ${nameOf(found.holder)}, which holds ${path}`);
    }
  }
}

/** The process that holds a lock; `elsewhere` names its machine if only that can tell whether it still runs. */
export function lockState(path: string): { pid: number; elsewhere: string | null } | null {
  const holder = readLock(path)?.holder ?? null;
  const life = holder === null ? 'dead' : lifeOf(holder);
  if (holder === null || life === 'dead') return null;
  return { pid: holder.pid, elsewhere: life === 'elsewhere' ? holder.host : null };
}

/** The pid of the lock's holder, or null. */
export function lockHolder(path: string): number | null {
  return lockState(path)?.pid ?? null;
}

/** True if only its holder may end it: a living process, or one that cannot be looked at. */
function isHeld(found: LockFile | null): boolean {
  return found !== null && found.holder !== null && lifeOf(found.holder) !== 'dead' && !abandoned.has(found.id);
}

/** Makes the lock, or replaces a stale one with the id `stale`, and returns its id; null if others are faster. Throws DISK. */
function take(path: string, stale: string | undefined): string | null {
  const id = randomBytes(16).toString('hex');
  const claim = `${path}.${id}.claim`;
  const text = JSON.stringify({ ...ownHolder(), id });
  try {
    writeNew(claim, text);
    const isAlone = removeDeadClaims(path, claim);
    if (stale === undefined) makeLock(claim, path, text);
    else if (!isAlone || readLock(path)?.id !== stale || clearDirectory(path)) return null;
    else renameSync(claim, path);
    return id;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // There is a lock, or another process has removed our claim before it was whole.
    if (code === 'EEXIST' || (code === 'ENOENT' && standingAt(dirname(path)) !== undefined)) return null;
    throw cannotCreate(path, error);
  } finally {
    removeQuietly(claim);
  }
}

function makeLock(claim: string, path: string, text: string): void {
  try {
    linkSync(claim, path);
  } catch (error) {
    if (/EEXIST|ENOENT/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // No hard links here: the lock has no holder for an instant, in which our claim keeps others from replacing it.
    writeNew(path, text);
  }
}

/** Removes claims that no living process can have; true if there is no other. One that is not whole yet cannot be used afterwards. */
function removeDeadClaims(path: string, own: string): boolean {
  const others = namesIn(dirname(path))
    .filter((name) => CLAIM.test(name) && name.replace(CLAIM, '') === basename(path))
    .map((name) => path + name.slice(basename(path).length))
    .filter((claim) => claim !== own);
  const dead = others.filter((claim) => !isHeld(readLock(claim)));
  for (const claim of dead) removeQuietly(claim);
  return dead.length === others.length;
}

/** Reads the lock; null if there is none. Throws DISK. */
function readLock(path: string): LockFile | null {
  try {
    const stat = standingAt(path);
    if (stat === undefined) return null;
    const text = textOf(path);
    const holder = parseHolder(text);
    const seen = `${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${text}`;
    return { id: holder?.id || createHash('sha256').update(seen).digest('hex'), holder };
  } catch (error) {
    throw cannotCreate(path, error);
  }
}

/** '' for what is no lock: those can be read by everybody. */
function textOf(path: string): string {
  try {
    return readPlainFile(path, MAX_BYTES)?.toString('utf8') ?? '';
  } catch (error) {
    if (/EACCES|EPERM|ENOENT|ELOOP/.test((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** Writes a file that must not exist, whole or not at all. */
function writeNew(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o644);
  try {
    // Other users of a shared repository must be able to see the holder, whatever the umask.
    fchmodSync(fd, 0o644);
    writeSync(fd, text);
  } catch (error) {
    removeQuietly(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

function cannotCreate(path: string, cause: unknown): SocraticodeError {
  return new SocraticodeError('DISK', `cannot create ${path}: ${(cause as Error).message}`, { cause });
}

/** Removes the lock if it still has this id. */
function release(path: string, id: string): void {
  try {
    if (readLock(path)?.id === id) rmSync(path, { force: true });
  } catch {
    abandoned.add(id);
  }
}

function lockedError(path: string, { holder }: LockFile): SocraticodeError {
  const message = `the index is being written by ${nameOf(holder)} (${path})`;
  if (holder !== null && isStopped(holder))
    return new SocraticodeError('LOCKED', `${message}, which is stopped`, {
      hint: `\`kill -CONT ${holder.pid}\` lets it go on, \`kill -KILL ${holder.pid}\` ends it: finished work is kept`,
    });
  const life = holder === null ? 'dead' : lifeOf(holder);
  if (life === 'alive') return new SocraticodeError('LOCKED', message);
  if (life === 'dead')
    return new SocraticodeError('LOCKED', `${message}, which has ended, and others stop each other from taking it`, {
      hint: `Run again; if that does not help, remove ${path}*`,
    });
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
