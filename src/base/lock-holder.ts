/**
 * Identity of the process that holds a lock, and whether it still lives. A pid alone does not tell: it is reused, it
 * means another process in each container, and two containers can have one host name. No clock is asked.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { textAt } from './atomic.js';
import { isAlive } from './programs.js';

/** Texts are empty if unknown: without /proc, all but `host`. */
export interface Holder {
  pid: number;
  host: string;
  /** Start of the process in clock ticks since boot, which tells it from a later one with its pid. */
  started: string;
  /** Random id of each start of the kernel. */
  boot: string;
  /** Namespace of pids; each container has its own. */
  space: string;
  /** Digest of the machine's id, which survives a restart. */
  machine: string;
  /** Random id of this lock. */
  id: string;
}

/** `elsewhere`: only another container or machine can tell. */
type Life = 'alive' | 'dead' | 'elsewhere';

/** The pid namespace that contains all others: its number is fixed in Linux. */
const ROOT_SPACE = 'pid:[4026531836]';
const ID = /^[0-9a-f]{32}$/;

let own: Omit<Holder, 'id'> | null = null;

/** This process. */
export function ownHolder(): Omit<Holder, 'id'> {
  own ??= {
    pid: process.pid,
    host: hostname(),
    started: processOf(process.pid)?.started ?? '',
    boot: textAt('/proc/sys/kernel/random/boot_id'),
    space: ownSpace(),
    machine: digestOf(textAt('/etc/machine-id')),
  };
  return own;
}

/** The holder in the text of a lock, or null. */
export function parseHolder(text: string): Holder | null {
  try {
    const said = JSON.parse(text) as Record<string, unknown> | null;
    const pid = said?.pid;
    // `kill` takes 0 and negative numbers for process groups.
    if (!Number.isSafeInteger(pid) || (pid as number) <= 0) return null;
    const [host, started, boot, space, machine, id] = ['host', 'started', 'boot', 'space', 'machine', 'id'].map(
      (key) => (typeof said?.[key] === 'string' ? said[key] : ''),
    );
    return { pid: pid as number, host, started, boot, space, machine, id: ID.test(id) ? id : '' };
  } catch {
    return null;
  }
}

export function lifeOf(holder: Holder): Life {
  const here = ownHolder();
  if (holder.boot !== '' && holder.boot === here.boot) {
    // One kernel, whatever the host is called.
    if (holder.space === here.space) return lifeHere(holder);
    return here.space === ROOT_SPACE ? lifeInContainer(holder) : 'elsewhere';
  }
  if (holder.host !== here.host) return 'elsewhere';
  if (holder.boot === '' || here.boot === '') return lifeHere(holder);
  // The machine was restarted, unless this is another machine with its name.
  return holder.machine !== '' && holder.machine === here.machine ? 'dead' : 'elsewhere';
}

/** Life of a process whose pid means the same here. */
function lifeHere({ pid, started }: Holder): Life {
  if (!isAlive(pid)) return 'dead';
  const found = processOf(pid);
  const isOther = found !== null && started !== '' && found.started !== started;
  return isOther || found?.isZombie ? 'dead' : 'alive';
}

/** Life of a process in a container, seen from the root namespace: `NSpid` ends with its pid in the container. */
function lifeInContainer({ pid, started }: Holder): Life {
  // Other users' processes may be hidden (hidepid); then absence proves nothing.
  if (started === '' || processOf(1) === null) return 'elsewhere';
  const isIt = (name: string) => {
    const found = processOf(Number(name));
    if (found?.started !== started || found.isZombie) return false;
    const pids = /^NSpid:\s*(.*)$/m.exec(textAt(`/proc/${name}/status`))?.[1].split(/\s+/) ?? [];
    return pids.length > 1 && Number(pids.at(-1)) === pid;
  };
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isIt(name)) ? 'alive' : 'dead';
}

/** True if the holder runs here and is stopped (Ctrl-Z, SIGSTOP): it does not go on by itself. */
export function isStopped(holder: Holder): boolean {
  return lifeOf(holder) === 'alive' && processOf(holder.pid)?.isStopped === true;
}

/** Fields 3 and 22 of /proc/PID/stat, or null. A zombie holds nothing any more. */
function processOf(pid: number): { started: string; isZombie: boolean; isStopped: boolean } | null {
  const stat = textAt(`/proc/${pid}/stat`);
  if (stat === '') return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { started: fields[19] ?? '', isZombie: /^[ZX]/.test(fields[0]), isStopped: /^[Tt]/.test(fields[0]) };
}

function ownSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** The id itself is confidential (machine-id(5)). */
function digestOf(machineId: string): string {
  if (!ID.test(machineId)) return '';
  return createHash('sha256').update(`git-socraticode ${machineId}`).digest('hex').slice(0, 16);
}
