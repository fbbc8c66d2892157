/** What a process and everything it starts use of memory and of processors, read from /proc while they run; nothing where there is none. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  pid: number;
  /** Arguments, cut. */
  command: string;
  /** Most resident memory so far, in bytes. */
  peakBytes: number;
  /** Processor time of the process itself, in milliseconds. */
  cpuMs: number;
}

export interface TreeUsage {
  /** One for each process that was seen, the first one first. */
  processes: Usage[];
  /** Most resident memory of all of them at one time. */
  peakBytes: number;
}

const KIB = 1_024;
/** Characters of a command: the safe settings that git is given take some hundred. */
const MOST_COMMAND = 2_000;
/** Linux counts processor time in hundredths of a second on every architecture. */
const MS_PER_TICK = 10;

interface Process {
  parent: number;
  group: number;
  cpuMs: number;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

/** Every process there is, by pid. */
function listProcesses(): Map<number, Process> {
  const found = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : null;
    if (stat === null) continue;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    found.set(Number(name), {
      parent: Number(fields[1]),
      group: Number(fields[2]),
      cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK,
    });
  }
  return found;
}

/** The process itself first. */
export function descendants(pid: number): number[] {
  const all = listProcesses();
  const found = [pid];
  for (const each of found) for (const [child, { parent }] of all) if (parent === each) found.push(child);
  return found;
}

/** The living processes of a group. */
export const membersOf = (group: number): number[] =>
  [...listProcesses()].flatMap(([pid, process]) => (process.group === group && isAlive(pid) ? [pid] : []));

/** Processor time of a process so far in milliseconds, and 0 once it is gone. */
export const cpuMsOf = (pid: number): number => listProcesses().get(pid)?.cpuMs ?? 0;

export const isAlive = (pid: number): boolean => {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== null && !/\) [ZX] /.test(stat);
};

/** Looks every `everyMs` until `stop`, which returns what was seen. A process shorter than that may be missed. */
export function watchTree(pid: number, everyMs = 50): { seen: () => Usage[]; stop: () => TreeUsage } {
  const seen = new Map<number, Usage>();
  let peakBytes = 0;
  const look = () => {
    const all = listProcesses();
    const alive = [pid];
    for (const each of alive) for (const [child, { parent }] of all) if (parent === each) alive.push(child);
    let sum = 0;
    for (const each of alive) {
      const status = read(`/proc/${each}/status`);
      const bytesOf = (name: string) =>
        Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status ?? '')?.[1] ?? 0) * KIB;
      sum += bytesOf('VmRSS');
      const known = seen.get(each);
      const cpuMs = Math.max(known?.cpuMs ?? 0, all.get(each)?.cpuMs ?? 0);
      const command =
        known?.command ?? (read(`/proc/${each}/cmdline`) ?? '').replaceAll('\0', ' ').slice(0, MOST_COMMAND);
      seen.set(each, { pid: each, command, cpuMs, peakBytes: Math.max(known?.peakBytes ?? 0, bytesOf('VmHWM')) });
    }
    peakBytes = Math.max(peakBytes, sum);
  };
  const isHere = read('/proc/self/stat') !== null;
  if (isHere) look();
  const timer = isHere ? setInterval(look, everyMs) : undefined;
  return {
    seen: () => [...seen.values()],
    stop() {
      clearInterval(timer);
      return { processes: [...seen.values()], peakBytes };
    },
  };
}
