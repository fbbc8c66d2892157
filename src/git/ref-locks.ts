/**
 * Locks that a killed git left on our own refs: git itself would fail on them for ever. One that stood still while somebody
 * waited, and that no running git can have made, is removed. All other locks are git's own: of these the path is said.
 */
import { readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { makeDirectory, standingAt } from '../base/atomic.js';
import { acquireLock } from '../base/lock.js';
import { log } from '../base/log.js';
import { localStateDirectory, type Repository } from './repository.js';

/** Git holds the lock of one ref for milliseconds. */
const STILL_MS = 500;
const OWN_REFS = /^refs\/notes\/(?:socraticode|remotes\/.+\/socraticode)\//;
/** They lock nothing, and may stay for hours. */
const READERS = new Set([
  'blame',
  'cat-file',
  'credential-cache--daemon',
  'daemon',
  'diff',
  'fsmonitor--daemon',
  'grep',
  'log',
  'ls-files',
  'rev-list',
  'show',
  'status',
]);

/** The locks of a ref, or of all refs below `prefix/`, while somebody waits for them. */
export class RefLocks {
  private readonly seen = new Map<string, { mark: string; since: number }>();

  constructor(
    private readonly repository: Repository,
    private readonly ref: string,
  ) {}

  /** Called each time that git was refused: removes what has stood still since an earlier time. Has it removed anything? */
  async clear(): Promise<boolean> {
    if (!OWN_REFS.test(this.ref)) return false;
    let cleared = false;
    for (const path of this.find()) {
      const mark = markOf(path);
      const known = this.seen.get(path);
      if (mark === null) continue;
      if (known?.mark !== mark) this.seen.set(path, { mark, since: performance.now() });
      else if (performance.now() - known.since >= STILL_MS && !mayBeHeld(this.repository, path)) {
        cleared = (await this.remove(path, mark)) || cleared;
      }
    }
    return cleared;
  }

  private find(): string[] {
    const base = join(this.repository.commonDir, this.ref);
    if (!this.ref.endsWith('/')) return [`${base}.lock`];
    try {
      const names = readdirSync(base, { recursive: true, encoding: 'utf8' });
      return names.filter((name) => name.endsWith('.lock')).map((name) => join(base, name));
    } catch {
      return [];
    }
  }

  /** One at a time, so that it is still the same that goes. */
  private async remove(path: string, mark: string): Promise<boolean> {
    const state = localStateDirectory(this.repository);
    makeDirectory(state);
    const release = await acquireLock(join(state, 'ref-locks.lock'), { waitMs: STILL_MS });
    try {
      if (markOf(path) !== mark) return false;
      if (standingAt(path)?.isDirectory()) rmdirSync(path);
      else rmSync(path, { force: true });
      log.warn(`removed ${path}, which a process that is no more has left`);
      return true;
    } catch {
      // What comes next fails, and says why.
      return false;
    } finally {
      release();
    }
  }
}

function markOf(path: string): string | null {
  const stat = standingAt(path);
  return stat === undefined ? null : [stat.ino, stat.mode, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ');
}

/** Is there a git in this repository that writes, or one of which that cannot be told? */
function mayBeHeld(repository: Repository, path: string): boolean {
  const places = placesOf(repository);
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return true;
  }
  // Where the processes of others are hidden, not seeing one means nothing.
  if (textOf('/proc/1/comm') === '') return true;
  return pids.some((pid) => {
    if (!textOf(`/proc/${pid}/comm`).startsWith('git')) return false;
    const args = textOf(`/proc/${pid}/cmdline`).split('\0').slice(1);
    // A process that has ended and was not buried has no arguments.
    if (args.length === 0 || READERS.has(commandOf(args))) return false;
    return (
      args.some((arg) => isWithin(places, arg.replace(/^--(?:git-dir|work-tree)=/, ''))) || opens(pid, places, path)
    );
  });
}

function commandOf(args: readonly string[]): string {
  return args.find((arg, i) => !arg.startsWith('-') && !/^-[cC]$/.test(args[i - 1] ?? '')) ?? '';
}

function placesOf({ commonDir, gitDir, workTree }: Repository): string[] {
  const places = [commonDir, gitDir, ...(workTree === null ? [] : [workTree])];
  try {
    for (const name of readdirSync(join(commonDir, 'worktrees')))
      places.push(textOf(join(commonDir, 'worktrees', name, 'gitdir')).replace(/\/\.git\s*$/, ''));
  } catch {
    // There are no others.
  }
  return places.filter((place) => place !== '');
}

function isWithin(places: readonly string[], path: string): boolean {
  return places.some((place) => path === place || path.startsWith(place + sep));
}

/** Works in the repository, or has a file of it open; true as well if this may not be looked at. */
function opens(pid: string, places: readonly string[], path: string): boolean {
  try {
    if (isWithin(places, readlinkSync(`/proc/${pid}/cwd`))) return true;
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const target = linkOf(`/proc/${pid}/fd/${fd}`);
      return target === path || isWithin(places, target);
    });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
