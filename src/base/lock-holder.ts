/**
 * Who holds a lock, and whether that process still lives. No clock is asked: a process is told by its id, by when it
 * started, by the boot of its machine, and by the space of process ids that it lives in. Two containers can have one name, and
 * the same id means another process in each.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** What a lock says. Empty texts are not known, as everything but `pid` and `host` where there is no /proc. */
export interface Holder {
  pid: number;
  host: string;
  /** When the process started, in clock ticks since boot, so that a reused pid is not taken for it. */
  started: string;
  /** One of each start of a kernel. */
  boot: string;
  /** The pid namespace. */
  space: string;
  /** A digest of the machine's own id, which stays through a restart. */
  machine: string;
  /** Of this lock alone. */
  id: string;
}

/** `elsewhere`: nobody can tell from here. */
export type Life = 'alive' | 'dead' | 'elsewhere';

/** The namespace that contains all others; the same number on every Linux. */
const ROOT_SPACE = 'pid:[4026531836]';

let own: Omit<Holder, 'id'> | null = null;

/** This process. */
export function ownHolder(): Omit<Holder, 'id'> {
  own ??= {
    pid: process.pid,
    host: hostname(),
    started: processOf(process.pid)?.started ?? '',
    boot: readText('/proc/sys/kernel/random/boot_id'),
    space: spaceOf(),
    machine: machineOf(readText('/etc/machine-id')),
  };
  return own;
}

/** What a lock's text says; null if it is none of ours. */
export function parseHolder(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { pid, ...said } = value as Record<string, unknown>;
    // Of 0 and of negative numbers `kill` makes groups of processes.
    if (!Number.isSafeInteger(pid) || (pid as number) <= 0) return null;
    const textOf = (key: string) => (typeof said[key] === 'string' ? (said[key] as string) : '');
    return {
      ...{ pid: pid as number, host: textOf('host'), started: textOf('started'), boot: textOf('boot') },
      ...{ space: textOf('space'), machine: textOf('machine'), id: textOf('id') },
    };
  } catch {
    return null;
  }
}

export function lifeOf(holder: Holder): Life {
  const here = ownHolder();
  if (holder.boot !== '' && holder.boot === here.boot) {
    // One kernel: the name does not matter, and may have changed.
    if (holder.space === here.space) return lifeHere(holder);
    return here.space === ROOT_SPACE ? lifeBelow(holder) : 'elsewhere';
  }
  if (holder.host !== here.host) return 'elsewhere';
  if (holder.boot === '' || here.boot === '') return lifeHere(holder);
  // The machine was started anew, unless another one has its name.
  return holder.machine !== '' && holder.machine === here.machine ? 'dead' : 'elsewhere';
}

/** Of a process whose id means the same here. */
function lifeHere({ pid, started }: Holder): Life {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Of somebody else's process only that there is one is told.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead';
  }
  const found = processOf(pid);
  if (found === null) return 'alive';
  const isAnother = started !== '' && found.started !== started;
  return isAnother || found.isOver ? 'dead' : 'alive';
}

/** Of a process in a container, seen from outside of all: it has one id for each space around it, the last is its own. */
function lifeBelow({ pid, started }: Holder): Life {
  // Where other users' processes are hidden, not seeing one means nothing.
  if (started === '' || processOf(1) === null) return 'elsewhere';
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const found = processOf(Number(name));
    if (found === null || found.started !== started || found.isOver) continue;
    const ids = /^NSpid:\s*(.*)$/m.exec(readText(`/proc/${name}/status`))?.[1].split(/\s+/) ?? [];
    if (ids.length > 1 && Number(ids.at(-1)) === pid) return 'alive';
  }
  return 'dead';
}

/** Fields 3 and 22 of /proc/PID/stat; null where that cannot be read. A process nobody has buried holds nothing any more. */
function processOf(pid: number): { started: string; isOver: boolean } | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === '') return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { started: fields[19] ?? '', isOver: /^[ZX]/.test(fields[0]) };
}

function spaceOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** The id itself is not to be told around. */
function machineOf(id: string): string {
  if (!/^[0-9a-f]{32}$/.test(id)) return '';
  return createHash('sha256').update(`git-socraticode ${id}`).digest('hex').slice(0, 16);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
