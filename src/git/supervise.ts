/**
 * A git that will never end: of a named pipe in place of a file it waits for ever, of a device it fills the memory. Both
 * are told from work by looking at the process now and then; the first look comes later than most commands end.
 */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { SocraticodeError } from '../base/errors.js';
import { outOfMemory } from './failure.js';
import { mostMemory } from './limit.js';
import { findSpecialFile, type Places, unsafe } from './special-files.js';

/** Milliseconds to the first look, and at most from one to the next. */
const FIRST_LOOK_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** The kernel's words for opening a named pipe that nobody else has open; anonymous ones are never opened. */
const OPENING_A_PIPE = /^(?:wait_for_partner|fifo_open)/;
/** Git itself opens no other devices, and none of the files that the kernel makes up for long. */
const USUAL_DEVICE = /^\/dev\/(?:null|tty\w*|console|pts\/\d+|u?random)$/;
const MADE_UP = /^\/(?:proc|sys)\//;
/** So many looks in a row must find it there. */
const LOOKS_TO_BE_SURE = 5;
/** Without such a word: so long asleep, without processor time, children, or output that we have yet to read. */
const IDLE_MS = 300_000;
/** Where the system does not say what a process does: so long without a byte of output. */
const SILENT_MS = 1_800_000;
const PAGE_BYTES = 4096;

/** What can be seen of a process from outside. */
interface Look {
  /** Asleep, as opposed to running, stopped, or waiting for a disk. */
  asleep: boolean;
  opensPipe: boolean;
  /** A device that it has open, or a file that the kernel makes up. */
  device: string | null;
  /** Equal for two looks between which it has done nothing. */
  work: string;
  /** Bytes of memory of its own. */
  memory: number;
}

const reasons = new WeakMap<ChildProcess, SocraticodeError>();

/** Why a process was ended by `supervise`: UNSAFE_REPOSITORY or RESOURCES; undefined if it was not. */
export function endedBecause(child: ChildProcess): SocraticodeError | undefined {
  return reasons.get(child);
}

/**
 * Looks after a git until it ends, and ends it if it cannot. `places` is asked for what stands in its way. While its stdin
 * is open it may wait for us: then being idle is no fault.
 */
export function supervise(child: ChildProcess, command: string, places: Places): void {
  const { pid } = child;
  if (pid === undefined || process.platform === 'win32') return;
  const started = performance.now();
  let [last, sure, idleSince] = ['', 0, started];
  let timer: NodeJS.Timeout;
  const lookAgain = () => {
    const now = performance.now();
    const seen = lookAt(pid);
    const work = `${seen?.work} ${(child.stdout as { bytesRead?: number } | null)?.bytesRead}`;
    const isWaitingForUs = child.stdin?.writableEnded === false || (child.stdout?.readableLength ?? 0) > 0;
    if (work !== last || isWaitingForUs || seen?.asleep === false) idleSince = now;
    const isStuck = seen?.opensPipe ? work === last || sure === 0 : (seen?.device ?? null) !== null;
    sure = isStuck ? sure + 1 : 0;
    last = work;
    const fault = faultOf(seen, { sure, idleMs: now - idleSince });
    if (seen !== null && seen.memory > mostMemory(command)) end(outOfMemory(tooMuch(command, seen.memory)));
    else if (fault === null) wait(now - started);
    else endStuck(fault);
  };
  const wait = (age: number) => {
    timer = setTimeout(lookAgain, Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_LOOK_MS, age / 2))).unref();
  };
  const end = (reason: SocraticodeError) => {
    reasons.set(child, reason);
    child.kill('SIGKILL');
  };
  const endStuck = (fault: string) => {
    const file = findSpecialFile(places);
    end(unsafe(`git ${command} ${fault}${file === null ? '' : `: see ${file}`}`));
  };
  child.once('exit', () => clearTimeout(timer));
  wait(0);
}

function tooMuch(command: string, bytes: number): string {
  return `git ${command} was ended after it had taken ${Math.round(bytes / 2 ** 30)} GiB of memory`;
}

function faultOf(seen: Look | null, { sure, idleMs }: { sure: number; idleMs: number }): string | null {
  if (sure >= LOOKS_TO_BE_SURE) {
    const what = seen?.device ? `${seen.device}, which is no file` : 'a named pipe';
    return `would never end, since what it reads is ${what}`;
  }
  if (idleMs <= (seen === null ? SILENT_MS : IDLE_MS)) return null;
  return `was ended after it had done nothing for ${Math.round(idleMs / 60_000)} minutes`;
}

/** Null where the system does not say: there is no /proc, or the process has just ended. */
function lookAt(pid: number): Look | null {
  const read = (name: string) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'latin1');
    } catch {
      return '';
    }
  };
  // Behind the name, which may hold anything, stand the state and, from the twelfth field on, the processor times.
  const fields = read('stat').split(') ').at(-1)?.split(' ') ?? [];
  if (fields.length < 13) return null;
  const [, resident, shared] = read('statm').split(' ').map(Number);
  const children = read(`task/${pid}/children`);
  return {
    asleep: fields[0] === 'S' && children === '',
    opensPipe: fields[0] === 'S' && OPENING_A_PIPE.test(read('wchan')),
    device: deviceOf(pid),
    work: `${fields[11]} ${fields[12]}`,
    memory: (resident - shared) * PAGE_BYTES,
  };
}

function deviceOf(pid: number): string | null {
  const directory = `/proc/${pid}/fd`;
  try {
    for (const name of readdirSync(directory)) {
      const target = readlinkSync(`${directory}/${name}`);
      if (MADE_UP.test(target)) return target;
      if (!target.startsWith('/') || USUAL_DEVICE.test(target)) continue;
      const stat = statSync(`${directory}/${name}`);
      if (stat.isCharacterDevice() || stat.isBlockDevice()) return target;
    }
  } catch {
    // It has ended, or has just closed that file.
  }
  return null;
}
