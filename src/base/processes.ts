/**
 * Programs and processes: whether a process still lives, which one holds a lock, what killed ones left, programs on PATH, and
 * this program's entry file.
 */
import { accessSync, constants, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkAt, namesIn, textAt } from './atomic.js';

interface Where {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Filter for the directories of PATH; all by default. */
  accept?: (directory: string) => boolean;
}

/** Path of the program that a shell would start, or null. */
export function findOnPath(name: string, { env, platform, accept = () => true }: Where = process): string | null {
  const suffixes = platform === 'win32' ? ['.cmd', '.exe', ''] : [''];
  for (const directory of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    if (!accept(directory)) continue;
    for (const suffix of suffixes) {
      const path = join(directory, name + suffix);
      if (isExecutableFile(path)) return path;
    }
  }
  return null;
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** True if a process has this pid. `kill` fails with EPERM for another user's process. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const STALE_MS = 60_000;
/** Age at which the pid of a living process says nothing any more: small pids are taken again in each container. */
const REUSED_MS = 7 * 24 * 3_600_000;
/** Name with the pid of its writer. */
const TEMPORARY = /^\.tmp-(\d+)-/;

/**
 * Removes temporary files and directories of killed writers, older than a minute, also in `levels` levels of directories below. Age
 * alone proves nothing: a clock is set forward, and a machine sleeps while it writes.
 */
export function removeStaleTemporaries(directory: string, levels = 0): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    try {
      if (levels > 0 && entry.isDirectory()) removeStaleTemporaries(path, levels - 1);
      const pid = TEMPORARY.exec(entry.name)?.[1];
      if (pid === undefined) continue;
      const age = Date.now() - lstatSync(path).mtimeMs;
      if (age > (isAlive(Number(pid)) ? REUSED_MS : STALE_MS)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process has removed it.
    }
  }
}

// Identity of the process that holds a lock, and whether it still lives. A pid is not enough: it is reused, and means another
// process in each container. No clock is used.

/** Texts are empty if unknown: without /proc, all but `host`. */
export interface Holder {
  pid: number;
  host: string;
  /** Start of the process in clock ticks since boot: another process with the same pid has another one. */
  started: string;
  /** Random id of each start of the kernel. */
  boot: string;
  /** Namespace of pids; each container has its own. */
  space: string;
  /** Random id of this lock. */
  id: string;
}

/** The pid namespace that contains all others: its number is fixed in Linux. */
const ROOT_SPACE = 'pid:[4026531836]';

let own: Holder | null = null;

/** This process; `id` is empty. */
export function ownHolder(): Holder {
  own ??= {
    pid: process.pid,
    host: hostname(),
    started: processOf(process.pid)?.started ?? '',
    boot: textAt('/proc/sys/kernel/random/boot_id'),
    space: linkAt('/proc/self/ns/pid'),
    id: '',
  };
  return own;
}

/** The holder in the text of a lock, or null. */
export function parseHolder(text: string): Holder | null {
  let said: Record<string, unknown> | null;
  try {
    said = JSON.parse(text);
  } catch {
    return null;
  }
  const pid = said?.pid as number;
  // `kill` takes 0 and negative numbers for process groups.
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const texts = Object.keys(ownHolder()).map((key) => [key, typeof said?.[key] === 'string' ? said[key] : '']);
  return { ...(Object.fromEntries(texts) as Holder), pid };
}

/**
 * `elsewhere`: only another container or machine can tell. Two machines of one name look like one machine before and after a
 * restart, so each takes the other's lock: work is done twice, but nothing is lost (docs/security.md).
 */
export function lifeOf(holder: Holder): 'alive' | 'dead' | 'elsewhere' {
  const here = ownHolder();
  const isThisKernel = holder.boot !== '' && holder.boot === here.boot;
  if (!isThisKernel && holder.host !== here.host) return 'elsewhere';
  if (holder.boot !== here.boot) return 'dead';
  if (holder.space === here.space) return isRunning(holder) ? 'alive' : 'dead';
  // Other users' processes may be hidden (hidepid); then absence proves nothing.
  if (here.space !== ROOT_SPACE || holder.started === '' || processOf(1) === null) return 'elsewhere';
  return namesIn('/proc').some((pid) => isInContainer(pid, holder)) ? 'alive' : 'dead';
}

/** For a process whose pid means the same here. A zombie no longer holds anything. */
function isRunning({ pid, started }: Holder): boolean {
  const found = processOf(pid);
  if (found === null) return isAlive(pid);
  return !/^[ZX]/.test(found.state) && (started === '' || found.started === started);
}

/** True if `name` is the process of a container, seen from the root namespace: the last pid of `NSpid` is its pid in the container. */
function isInContainer(name: string, { pid, started }: Holder): boolean {
  const found = processOf(name);
  if (found?.started !== started || /^[ZX]/.test(found.state)) return false;
  return new RegExp(`^NSpid:\\s+\\d+.*\\s${pid}$`, 'm').test(textAt(`/proc/${name}/status`));
}

/** True if the holder runs here and is stopped (Ctrl-Z, SIGSTOP): it does not go on by itself. */
export function isStopped(holder: Holder): boolean {
  return lifeOf(holder) === 'alive' && /^[Tt]/.test(processOf(holder.pid)?.state ?? '');
}

/** Fields 3 and 22 of /proc/PID/stat, or null. */
function processOf(pid: number | string): { state: string; started: string } | null {
  const stat = textAt(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.length > 19 ? { state: fields[0], started: fields[19] } : null;
}

export const PROGRAM_FILE = fileURLToPath(new URL('../cli/main.js', import.meta.url));
