/** Locks as they can be left: by the killed, by a hostile archive, by other machines. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Holder, ownHolder } from '../../../src/base/processes.js';

export interface Place {
  path: string;
  directory: string;
}

/** No process has it: Linux ends at 2^22. */
const NO_PID = 2 ** 22 + 7;
const ID = '0123456789abcdef0123456789abcdef';

export const holder = (more: Partial<Holder>): string =>
  JSON.stringify({ ...ownHolder(), started: '1', id: ID, ...more });
export const dead = holder({ pid: NO_PID });

interface Stale {
  make: (place: Place) => void | Promise<void>;
  /** Told by /proc. */
  linux?: boolean;
}

const text =
  (content: string) =>
  ({ path }: Place) =>
    writeFileSync(path, content);

export const STALE: Readonly<Record<string, Stale>> = {
  'a dead process': { make: text(dead) },
  'a pid that another process has now': { make: text(holder({ pid: process.pid })), linux: true },
  'a process that nobody has buried': { make: ({ path }) => leaveUnburied(path), linux: true },
  'before the machine was restarted': {
    make: text(holder({ pid: process.pid, boot: 'earlier' })),
    linux: true,
  },
  'an earlier form': { make: text(JSON.stringify({ pid: NO_PID, host: ownHolder().host, started: '1' })) },
  empty: { make: text('') },
  garbage: { make: text('\0\x1b[31m{') },
  'half of one': { make: text(dead.slice(0, dead.length / 2)) },
  'a process group': { make: text(holder({ pid: 0 })) },
  'larger than any': { make: text(' '.repeat(1 << 20) + dead) },
  'a link that leads nowhere': { make: ({ path }) => symlinkSync('nowhere', path) },
  'a link to a file': {
    make: ({ path, directory }) => {
      writeFileSync(join(directory, 'target'), holder({ pid: process.pid, started: ownHolder().started }));
      symlinkSync('target', path);
    },
  },
  'a pipe': { make: ({ path }) => void spawnSync('mkfifo', [path]), linux: true },
  'a directory': { make: ({ path }) => mkdirSync(path) },
  'a full directory': {
    make: ({ path }) => {
      mkdirSync(join(path, 'a'), { recursive: true });
      writeFileSync(join(path, 'a', 'b'), '');
    },
  },
  'made, but not there yet': { make: ({ path }) => writeFileSync(`${path}.${ID}.claim`, '') },
};

/** A process that ends while its parent does not ask. */
function leaveUnburied(path: string): Promise<void> {
  const script = 'sleep 0 & echo $!; exec sleep 20';
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  child.unref();
  process.once('exit', () => child.kill('SIGKILL'));
  return new Promise((resolve) => {
    child.stdout.once('data', (pid) => {
      writeFileSync(path, holder({ pid: Number(pid), started: '' }));
      child.stdout.destroy();
      setTimeout(resolve, 100);
    });
  });
}

const claimOf = ({ path }: Place, id = 99): string => `${path}.${String(id).padStart(32, 'f')}.claim`;

/** Claims that were left when processes died while they took the lock. */
export const CLAIMS: Readonly<Record<string, (place: Place) => void>> = {
  'no claim': () => {},
  'a dead claim': (place) => writeFileSync(claimOf(place), dead),
  // No processes would leave so many, but an archive can hold them.
  'thirty dead claims': (place) => {
    for (let i = 0; i < 30; i++) writeFileSync(claimOf(place, i), holder({ pid: NO_PID + i }));
  },
  'an empty claim': (place) => writeFileSync(claimOf(place), ''),
  'half of a claim': (place) => writeFileSync(claimOf(place), dead.slice(0, dead.length / 2)),
  'a claim that leads nowhere': (place) => symlinkSync('nowhere', claimOf(place)),
};

/** Holders that nobody here can look at: what is said of each. */
export const ELSEWHERE: Readonly<Record<string, (place: Place) => RegExp>> = {
  'another machine': ({ path }) => {
    writeFileSync(path, holder({ pid: NO_PID, host: 'another-machine', boot: 'other' }));
    return /process \d+ on another-machine \(/;
  },
  'another container of this name': ({ path }) => {
    writeFileSync(path, holder({ pid: NO_PID, started: '', space: 'pid:[1]' }));
    return /process \d+ of another container of this name \(/;
  },
};
