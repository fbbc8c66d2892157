/**
 * Bounds on every git that is started: the kernel limits its memory, and a git that stays silent is ended. A hostile
 * repository can make git read a named pipe, which never answers, or a device, which never ends.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { totalmem } from 'node:os';
import { linkAt, namesIn, textAt } from '../base/atomic.js';
import type { SocraticodeError } from '../base/errors.js';
import { statOf, unsafe } from './special-files.js';

const GIB = 2 ** 30;
/** Bound of commands that list or compare trees: they keep a few hundred bytes for each of at most a million entries. */
const MAX_TREE_MEMORY_BYTES = GIB;
const TREE_COMMANDS: ReadonlySet<string> = new Set(['ls-tree', 'diff-tree', 'status']);
const SHELL = '/bin/sh';
/** Sets the bound where the system allows it, then becomes git. */
export const LIMITED = 'ulimit -d "$0" 2>/dev/null; exec git "$@"';

/** Milliseconds between two looks at a process. Most commands end before the first. */
const LOOK_MS = 2_000;
/** A git that neither says nor gets anything for so long is ended. */
const MAX_SILENCE_MS = 1_800_000;
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
 * Ends a git that is silent from one look to the next if the kernel says that it opens a named pipe or has a device open.
 * Any other may be silent for 30 minutes. Time in which git waits for us does not count;
 * `isWaiting` tells that of a git that stays.
 */
export function supervise(child: ChildProcessWithoutNullStreams, command: string, isWaiting = waitsForUs(child)): void {
  const { pid } = child;
  if (pid === undefined || process.platform === 'win32') return;
  let [silence, traffic] = [0, 0];
  const end = (fault: string) => {
    reasons.set(child, unsafe(`git ${command} ${fault}`));
    child.kill('SIGKILL');
  };
  const look = () => {
    const before = traffic;
    traffic = trafficOf(child);
    silence = traffic !== before || isWaiting() ? 0 : silence + LOOK_MS;
    const file = traffic === before ? specialFileOf(pid) : null;
    if (file !== null) end(`would never end, since it reads ${file}`);
    else if (silence > MAX_SILENCE_MS) end(`was ended after ${Math.round(silence / 60_000)} minutes of silence`);
    else timer = setTimeout(look, LOOK_MS).unref();
  };
  let timer = setTimeout(look, LOOK_MS).unref();
  child.once('exit', () => clearTimeout(timer));
}

function waitsForUs({ stdin, stdout }: ChildProcessWithoutNullStreams): () => boolean {
  return () => !stdin.writableEnded || stdout.readableLength > 0;
}

function trafficOf({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): number {
  return (stdin as Socket).bytesWritten + (stdout as Socket).bytesRead + (stderr as Socket).bytesRead;
}

/** The pipe that a process waits to open, or the device that it has open; null for none, and where /proc is missing. */
function specialFileOf(pid: number): string | null {
  if (OPENING_A_PIPE.test(textAt(`/proc/${pid}/wchan`)))
    return `a named pipe (find ${linkAt(`/proc/${pid}/cwd`)} -type p)`;
  for (const fd of namesIn(`/proc/${pid}/fd`)) {
    const path = linkAt(`/proc/${pid}/fd/${fd}`);
    if (path !== '/dev/null' && statOf(`/proc/${pid}/fd/${fd}`)?.isCharacterDevice()) return path;
  }
  return null;
}
