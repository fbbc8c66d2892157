/**
 * Bounds on every git that is started: the kernel limits its memory and its processor time, a git that stays silent is ended, and none
 * outlives this process. A hostile repository can make git read a named pipe, which never answers, or a device, which never ends.
 */
import { type ChildProcessWithoutNullStreams, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { totalmem } from 'node:os';
import { linkAt, namesIn, textAt } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { statOf, unsafe } from './special-files.js';

const GIB = 2 ** 30;
/** Bound of commands that list or compare trees: they keep a few hundred bytes for each of at most a million entries. */
const MAX_TREE_MEMORY_BYTES = GIB;
const TREE_COMMANDS: ReadonlySet<string> = new Set(['ls-tree', 'diff-tree', 'status']);
const SHELL = '/bin/sh';
/** Sets the bounds where the system allows it, then becomes git. */
export const LIMITED = 'ulimit -d "$0" 2>/dev/null; ulimit -t "$1" 2>/dev/null; shift; exec "$@"';

/** Milliseconds between two looks at a process. Most commands end before the first. */
const LOOK_MS = 2_000;
/** Commands that look something up: in refs, in the configuration, in one commit. */
const LOOK_UPS = new Set(['rev-parse', 'symbolic-ref', 'config', 'for-each-ref', 'check-attr', 'check-ignore', 'var']);
/** Commands that read what they are asked for; the largest objects are packed as differences. */
const READS = new Set(['cat-file', 'ls-tree', 'ls-files']);
/** Commands that may compute for long without a word, and write no ref. */
const WALKS = new Set(['log', 'rev-list', 'blame', 'merge-base', 'merge-tree', 'diff-tree', 'status']);

/** One that writes refs or objects removes its locks when it is told to end; any other may be killed. */
const isReading = (command: string): boolean => [LOOK_UPS, READS, WALKS].some((kind) => kind.has(command));

/** A git that neither says nor gets anything for so long is ended, by what it is for: a walk over 20 years of history is silent for minutes. */
function patienceWith(command: string): number {
  if (LOOK_UPS.has(command)) return 60_000;
  return READS.has(command) ? 300_000 : 1_800_000;
}

/** Seconds of processor time that the kernel gives a git, so that it ends even where nobody can end it. One that stays, or writes, has no bound. */
function processorSeconds(command: string): string {
  return LOOK_UPS.has(command) || WALKS.has(command) ? String(patienceWith(command) / 1_000) : 'unlimited';
}

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
  const ended = isReading(command) ? endedWithUs() : [];
  return [
    SHELL,
    ['-c', LIMITED, String(Math.floor(bytes / 1_024)), processorSeconds(command), ...ended, 'git', ...args],
  ];
}

/** Has the kernel of Linux kill a program when its parent is gone, then becomes that program. Of util-linux 2.33. */
const SETPRIV = '/usr/bin/setpriv';
const WORDS = [SETPRIV, '--pdeathsig', 'KILL'];
let canSetPriv: boolean | undefined;

/**
 * Words before a command line with which a program that writes nothing ends when this process is gone, even killed: it may be busy, and hear
 * nothing. Empty where the system cannot.
 */
export function endedWithUs(): readonly string[] {
  const can = () => process.platform === 'linux' && existsSync(SETPRIV);
  canSetPriv ??= can() && spawnSync(SETPRIV, [...WORDS.slice(1), 'true']).status === 0;
  return canSetPriv ? WORDS : [];
}

/** Every git that runs, with what ends it. */
const running = new Map<ChildProcessWithoutNullStreams, () => void>();

/** Ends a git with this process, whatever it is busy with. */
function endWithUs(child: ChildProcessWithoutNullStreams, command: string, isGroup: boolean): void {
  if (running.size === 0) process.once('exit', endAll);
  running.set(child, () => {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    else child.kill(isReading(command) ? 'SIGKILL' : 'SIGTERM');
  });
  child.once('exit', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
  });
}

function endAll(): void {
  for (const end of running.values()) {
    try {
      end();
    } catch {
      // It has ended meanwhile.
    }
  }
}

const reasons = new WeakMap<object, SocraticodeError>();

/** The reason (UNSAFE_REPOSITORY, RESOURCES) why `supervise` has ended a process; undefined if it did not. */
export function endedBecause(child: object): SocraticodeError | undefined {
  return reasons.get(child);
}

export interface Supervision {
  /** Tells of a git that stays that it owes no answer. */
  isIdle?: () => boolean;
  /** Milliseconds that it may take in all, for one that somebody's argument makes compute. */
  deadline?: number;
  /** It has a process group of its own. */
  detached?: boolean;
}

/**
 * Ends a git with this process; one that is silent from one look to the next if the kernel says that it opens a named pipe or has a
 * device open; and any other after its time of silence, in which git's waiting for us does not count.
 */
export function supervise(
  child: ChildProcessWithoutNullStreams,
  command: string,
  { isIdle: isWaiting = waitsForUs(child), deadline, detached = false }: Supervision = {},
): void {
  const { pid } = child;
  if (pid === undefined) return;
  endWithUs(child, command, detached);
  let [silence, traffic] = [0, 0];
  const patience = patienceWith(command);
  const end = (reason: SocraticodeError) => {
    reasons.set(child, reason);
    child.kill('SIGKILL');
  };
  const look = () => {
    const before = traffic;
    traffic = trafficOf(child);
    silence = traffic !== before || isWaiting() ? 0 : silence + LOOK_MS;
    const file = traffic === before ? specialFileOf(pid) : null;
    if (file !== null) end(unsafe(`git ${command} would never end, since it reads ${file}`));
    else if (silence > patience)
      end(unsafe(`git ${command} was ended after ${Math.round(silence / 60_000)} minutes of silence`));
    else timer = setTimeout(look, LOOK_MS).unref();
  };
  let timer = setTimeout(look, LOOK_MS).unref();
  const late = deadline && setTimeout(() => end(tooLate(command, deadline)), deadline).unref();
  child.once('exit', () => {
    clearTimeout(timer);
    clearTimeout(late);
  });
}

function tooLate(command: string, deadline: number): SocraticodeError {
  return new SocraticodeError('RESOURCES', `git ${command} was ended after ${deadline / 1_000} s`, {
    hint: 'Name a branch, a tag or a commit, which needs no walk through the history.',
  });
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
