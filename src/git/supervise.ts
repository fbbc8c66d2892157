/**
 * Bounds on every git that is started: the kernel limits its memory, and a git that stays silent is ended. A hostile
 * repository can make git read a named pipe, which never answers, or a device, which never ends.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { totalmem } from 'node:os';
import type { SocraticodeError } from '../base/errors.js';
import { findSpecialFile, type Places, unsafe } from './special-files.js';

const GIB = 2 ** 30;
/** Bound of commands that list or compare trees: they keep a few hundred bytes for each of at most a million entries. */
const MAX_TREE_MEMORY_BYTES = GIB;
const TREE_COMMANDS: ReadonlySet<string> = new Set(['ls-tree', 'diff-tree', 'status']);
const SHELL = '/bin/sh';
/** Sets the bound where the system allows it, then becomes git. */
export const LIMITED = 'ulimit -d "$0" 2>/dev/null; exec git "$@"';

/** Milliseconds between two looks at a process: at first, and at most. Most commands end before the first look. */
const FIRST_LOOK_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** A git that neither says nor gets anything for so long is ended. */
const MAX_SILENCE_MS = 1_800_000;
/** On Linux, a silent git that is asleep without processor time or children is ended sooner. */
const MAX_IDLE_MS = 300_000;
/** Kernel functions (`wchan`) in which a process waits for the other end of a named pipe. */
const OPENING_A_PIPE = /^(?:wait_for_partner|fifo_open)/;

let canLimit: boolean | undefined;

/**
 * Data that one git may allocate: half of the memory, between 1 and 8 GiB. Mapped packs do not count, and the history of
 * the largest repositories takes 4 GiB. `constrained` is the bound of a container, 0 without one: beyond it the kernel
 * would end this process instead of git.
 */
export function memoryBound(total = totalmem(), constrained = process.constrainedMemory?.() ?? 0): number {
  const available = constrained > 0 ? Math.min(total, constrained) : total;
  return Math.min(8 * GIB, Math.max(GIB, available / 2));
}

/**
 * The program and arguments that run `git ARGS` under the memory bound, which lasts when this process is killed. The
 * shell takes a millisecond. Only Linux counts the memory that matters; elsewhere git runs without a bound.
 */
export function withLimit(command: string, args: readonly string[]): [file: string, args: string[]] {
  canLimit ??= process.platform === 'linux' && existsSync(SHELL);
  if (!canLimit) return ['git', [...args]];
  const bytes = TREE_COMMANDS.has(command) ? MAX_TREE_MEMORY_BYTES : memoryBound();
  return [SHELL, ['-c', LIMITED, String(Math.floor(bytes / 1_024)), ...args]];
}

const reasons = new WeakMap<object, SocraticodeError>();

/** The reason (UNSAFE_REPOSITORY) why `supervise` has ended a process; undefined if it did not. */
export function endedBecause(child: object): SocraticodeError | undefined {
  return reasons.get(child);
}

/**
 * Ends a git that is silent from one look to the next if it opens a named pipe, or if `places` hold a pipe or device
 * that it may be reading. Without any, it may be silent for 30 minutes, of which 5 without working, and without end while
 * it waits for input. `isIdle`: tells that nothing is asked of a git that stays, whose silence then needs no reason: a search
 * after each question of a server would read all folders of a work tree.
 */
export function supervise(
  child: ChildProcessWithoutNullStreams,
  command: string,
  places: Places,
  isIdle: () => boolean = () => false,
): void {
  const { pid } = child;
  if (pid === undefined || process.platform === 'win32') return;
  let timer: NodeJS.Timeout;
  let [age, silence, idle, last, searched] = [0, 0, 0, 0, -1];
  let lastWork: string | null = null;
  const end = (fault: string) => {
    reasons.set(child, unsafe(`git ${command} ${fault}`));
    child.kill('SIGKILL');
  };
  const look = (pause: number) => {
    const traffic = trafficOf(child);
    const isWaitingForUs = !child.stdin.writableEnded || child.stdout.readableLength > 0;
    silence = traffic !== last || isWaitingForUs ? 0 : silence + pause;
    const work = sleepingWork(pid);
    idle = silence > 0 && work !== null && work === lastWork ? idle + pause : 0;
    lastWork = work;
    if (traffic === last && !isIdle()) {
      // One search each time that it falls silent; the kernel is asked at every look.
      const file = traffic === searched ? null : findSpecialFile(places);
      searched = traffic;
      if (file !== null || opensPipe(pid)) return end(`would never end, since it reads ${file ?? 'a named pipe'}`);
    }
    last = traffic;
    if (idle > MAX_IDLE_MS) end(`was ended after it had done nothing for ${Math.round(idle / 60_000)} minutes`);
    else if (silence > MAX_SILENCE_MS) end(`was ended after ${Math.round(silence / 60_000)} minutes of silence`);
    else wait();
  };
  const wait = () => {
    const pause = Math.min(MAX_PAUSE_MS, Math.max(FIRST_LOOK_MS, age / 2));
    age += pause;
    timer = setTimeout(() => look(pause), pause).unref();
  };
  child.once('exit', () => clearTimeout(timer));
  wait();
}

function trafficOf({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): number {
  return (stdin as Socket).bytesWritten + (stdout as Socket).bytesRead + (stderr as Socket).bytesRead;
}

/** Processor time so far of a process that is asleep and has no children; null for any other, and where /proc is missing. */
function sleepingWork(pid: number): string | null {
  try {
    // The name in parentheses may hold anything. Behind it come the state and, from the twelfth field on, processor times.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
    return fields[0] === 'S' && children === '' ? `${fields[11]} ${fields[12]}` : null;
  } catch {
    return null;
  }
}

function opensPipe(pid: number): boolean {
  try {
    return OPENING_A_PIPE.test(readFileSync(`/proc/${pid}/wchan`, 'latin1'));
  } catch {
    return false;
  }
}
