/**
 * Recovery from git processes that were killed, and protection from a `git gc` that runs at the same time. Git leaves three things:
 *
 * - lock files of refs, on which every later write fails (`RefLocks`).
 * - files of unfinished `git fast-import` runs, which git removes after weeks or never (`removeStaleImportDebris`).
 * - after a `git gc --prune=now` at the wrong moment, a ref whose objects are gone (`GcWatch`).
 *
 * At the end stand reads and repairs for `fsck`: broken refs, all locks, files of refs, reflogs, and objects that are present.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isLink,
  linkAt,
  makeDirectory,
  namesIn,
  plainFileAt,
  readPlainFile,
  removeQuietly,
  standingAt,
  textAt,
} from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { acquireLock } from '../base/lock.js';
import { log } from '../base/log.js';
import { isAlive } from '../base/processes.js';
import { presentOid } from './diff.js';
import { type Git, linesOf } from './process.js';
import { localStateDirectory, type Repository } from './repository.js';

/** A lock is removed after it was unchanged for this long. Git holds the lock of a ref for milliseconds. */
const STILL_MS = 500;
/** Attempts of a writer that loses races, with pauses that add up to 5 s on average. */
const ATTEMPTS = 10;
/** Longest first pause. Each later one may be twice as long. */
const PAUSE_MS = 20;
/** Refs whose stale locks are removed. Locks of others are only reported. */
const OWN_REFS = /^refs\/(?:notes\/(?:socraticode|remotes\/.+\/socraticode)|socraticode\/local)\//;
/** Git commands that lock no ref. Some of them run for hours. */
const READERS = new Set(
  'blame cat-file credential-cache--daemon daemon diff fsmonitor--daemon grep log ls-files rev-list show status'.split(
    ' ',
  ),
);

/**
 * Removes locks that a killed git left on one of our refs, or on all refs below `prefix/`, while a writer retries:
 *
 *     const written = await new RefLocks(repository, ref).retry(async () => (await write()) ?? undefined);
 */
export class RefLocks {
  private readonly seen = new Map<string, { mark: string; since: number }>();

  constructor(
    private readonly repository: Repository,
    private readonly ref: string,
  ) {}

  /** Repeats `work` until its result is not undefined, which stands for a lost race; undefined if every race was lost. */
  async retry<T>(work: () => Promise<T | undefined>, signal?: AbortSignal): Promise<T | undefined> {
    for (let attempt = 1; ; attempt++) {
      const result = await work();
      if (result !== undefined || attempt === ATTEMPTS) return result;
      const pause = Math.random() * PAUSE_MS * 2 ** (attempt - 1);
      if (!(await this.clear())) await sleep(pause, undefined, { signal });
    }
  }

  /**
   * Removes locks that are unchanged since a call 500 ms ago or earlier, and that no running git can hold. Returns whether it removed
   * any.
   */
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

  /** Only one process at a time removes locks. A second one could remove a new lock that git took after the stale one was gone. */
  private async remove(path: string, mark: string): Promise<boolean> {
    const state = localStateDirectory(this.repository);
    let release = () => {};
    try {
      makeDirectory(state);
      release = await acquireLock(join(state, 'ref-locks.lock'), { waitMs: STILL_MS });
      if (markOf(path) !== mark) return false;
      if (standingAt(path)?.isDirectory()) rmdirSync(path);
      else rmSync(path, { force: true });
      log.warn(`removed ${path}, which a process that is no more has left`);
      return true;
    } catch {
      // Another process is removing locks, or this one cannot; the write that follows then fails and says why.
      return false;
    } finally {
      release();
    }
  }
}

/** Changes whenever the lock is taken anew; null if there is none. */
function markOf(path: string): string | null {
  const stat = standingAt(path);
  return stat === undefined ? null : [stat.ino, stat.mode, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ');
}

/** Returns whether a git that writes runs in this repository; true as well if /proc does not show all processes. */
function mayBeHeld(repository: Repository, lock: string): boolean {
  return textAt('/proc/1/comm') === '' || isGitWriting(repository, lock);
}

/** Returns whether /proc shows a git that writes to this repository, or to `lock`. */
function isGitWriting(repository: Repository, ...lock: string[]): boolean {
  const places = [...placesOf(repository), ...lock];
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  return pids.some((pid) => textAt(`/proc/${pid}/comm`).startsWith('git') && mayWrite(pid, places));
}

function mayWrite(pid: string, places: readonly string[]): boolean {
  const isInside = (path: string) => places.some((place) => path === place || path.startsWith(place + sep));
  const args = textAt(`/proc/${pid}/cmdline`).split('\0').slice(1);
  const command = args.find((arg, i) => !arg.startsWith('-') && !/^-[cC]$/.test(args[i - 1] ?? '')) ?? '';
  // A zombie has no arguments.
  if (args.length === 0 || READERS.has(command)) return false;
  if (args.some((arg) => isInside(arg.replace(/^--(?:git-dir|work-tree)=/, '')))) return true;
  try {
    const files = readdirSync(`/proc/${pid}/fd`).map((fd) => `fd/${fd}`);
    return isInside(readlinkSync(`/proc/${pid}/cwd`)) || files.some((file) => isInside(linkAt(`/proc/${pid}/${file}`)));
  } catch (error) {
    // A process of another user may be writing.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/** Directories from which a git may write to this repository, linked work trees included. */
function placesOf({ commonDir, gitDir, workTree }: Repository): string[] {
  const linked = namesIn(join(commonDir, 'worktrees')).map((name) =>
    textAt(join(commonDir, 'worktrees', name, 'gitdir')).replace(/\/\.git\s*$/, ''),
  );
  return [commonDir, gitDir, workTree ?? '', ...linked].filter((place) => place !== '');
}

/** Age at which a file cannot belong to a running `git fast-import` of ours. */
const DEBRIS_AGE_MS = 60 * 60 * 1000;
/** Text in the `.keep` file of a fast-import's pack until refs point into it. gc skips such packs. */
const KEEP_MESSAGE = 'fast-import';

/**
 * Removes files of killed fast-imports: crash reports, unfinished packs and objects, `.keep` files. Removes nothing while a git writes
 * here: a fetch can work on its pack for hours, and a server's clock can differ by more than that.
 */
export function removeStaleImportDebris(repository: Repository): void {
  const objects = join(repository.commonDir, 'objects');
  const packs = join(objects, 'pack');
  const found = [
    ...oldFiles(repository.gitDir, /^fast_import_crash_\d+$/),
    ...oldFiles(packs, /^tmp_(?:pack|idx|rev)_\w+$/),
    ...namesIn(objects).flatMap((name) => oldFiles(join(objects, name), /^tmp_obj_\w+$/)),
    ...oldFiles(packs, /^pack-[0-9a-f]+\.keep$/).flatMap(staleKeepFiles),
  ];
  if (found.length > 0 && !isGitWriting(repository)) for (const path of found) removeQuietly(path);
}

/** Does not follow links: one in an archive can lead out of the repository. */
function oldFiles(directory: string, pattern: RegExp): string[] {
  if (isLink(directory)) return [];
  const paths = namesIn(directory).flatMap((name) => (pattern.test(name) ? [join(directory, name)] : []));
  return paths.filter((path) => Date.now() - (plainFileAt(path)?.mtimeMs ?? Date.now()) > DEBRIS_AGE_MS);
}

/**
 * Returns the `.keep` file if a fast-import left it, with its pack if that has no index, which makes it useless. An empty `.keep` file
 * with a pack can be the user's; one without was left by a fast-import that was killed before it wrote its text.
 */
function staleKeepFiles(keep: string): string[] {
  const [pack, index] = ['.pack', '.idx'].map((ending) => keep.replace(/\.keep$/, ending));
  const size = plainFileAt(keep)?.size;
  const isOfImport = size === KEEP_MESSAGE.length && textAt(keep) === KEEP_MESSAGE;
  if (!isOfImport && (size !== 0 || plainFileAt(pack) !== null)) return [];
  return plainFileAt(index) === null ? [pack, keep] : [keep];
}

const GC_POLL_MS = 50;
/** Longest wait for a gc. After that its pid may be another process. */
const MAX_GC_WAIT_MS = 60_000;
const MAX_GC_PID_BYTES = 1_024;

/**
 * Notices a `git gc` during a write. `git gc --prune=now` deletes objects that no ref reaches, such as new ones until their ref is
 * written. Hooks write while users run gc, so they check that nothing was lost.
 *
 *     const gc = await GcWatch.start(repository);
 *     … write objects and move the ref to `tip` …
 *     if (!(await gc.hasRetained(tip, parent))) …  // write again
 */
export class GcWatch {
  private constructor(
    private readonly repository: Repository,
    private readonly before: string,
  ) {}

  /** Waits until no gc runs. */
  static async start(repository: Repository): Promise<GcWatch> {
    await untilNoGc(repository);
    return new GcWatch(repository, refsMark(repository));
  }

  /** Returns whether a gc runs, or has run since `start`. */
  isDisturbed(): boolean {
    return isGcRunning(this.repository) || refsMark(this.repository) !== this.before;
  }

  /** Returns whether all objects still exist that `tip` reaches and `parent` does not. Costs nothing without a gc. */
  async hasRetained(tip: string, parent: string | null): Promise<boolean> {
    if (!this.isDisturbed()) return true;
    await untilNoGc(this.repository);
    const known = parent === null ? [] : ['--not', parent];
    const { code } = await this.repository.git.run(['rev-list', '--objects', '--quiet', tip, ...known], {
      allow: [1, 128],
    });
    return code === 0;
  }
}

async function untilNoGc(repository: Repository): Promise<void> {
  const deadline = performance.now() + MAX_GC_WAIT_MS;
  while (isGcRunning(repository) && performance.now() < deadline) await sleep(GC_POLL_MS);
}

/**
 * Reads `gc.pid`, which holds `PID HOST` while git collects. A killed gc leaves it, so another program can have the pid now, and an
 * archive can hold another machine's. Without /proc, nothing is known of the program.
 */
export function isGcRunning({ commonDir }: Repository): boolean {
  try {
    const text = readPlainFile(join(commonDir, 'gc.pid'), MAX_GC_PID_BYTES)?.toString('utf8');
    const [, pid, host] = /^(\d+) (\S+)/.exec(text ?? '') ?? [];
    return (
      pid !== undefined && host === hostname() && isAlive(Number(pid)) && /^(?:git|$)/.test(textAt(`/proc/${pid}/comm`))
    );
  } catch {
    return false;
  }
}

/** Changes with every gc, which packs refs before it deletes objects. */
function refsMark({ commonDir }: Repository): string {
  try {
    const { ino, mtimeMs, size } = statSync(join(commonDir, 'packed-refs'));
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return '';
  }
}

// Refs for checks and repairs: broken ones, stale locks, and the last object id of a ref that git cannot read.

export interface KnownRef {
  ref: string;
  oid: string;
  /** Target of a symbolic ref; null for a ref that holds an oid. */
  symbolic: string | null;
}

/** Lists the refs below a prefix, and the prefix itself. `broken`: refs whose files hold no object id. */
export async function listRefs(git: Git, prefix: string): Promise<{ refs: KnownRef[]; broken: string[] }> {
  // Without the type: git would open the object for it, and die if that is missing.
  const format = '--format=%(refname) %(objectname) %(symref)';
  const { stdout, stderr } = await git.run(['for-each-ref', format, '--end-of-options', prefix]);
  const refs = stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line): KnownRef[] => {
      const [ref, oid, symbolic] = line.split(' ');
      return oid === undefined ? [] : [{ ref, oid, symbolic: symbolic || null }];
    });
  const broken = [...stderr.matchAll(/ignoring (?:broken|dangling symbolic) ref (refs\/\S+)/g)].map(([, ref]) => ref);
  return { refs, broken };
}

/** Greatest depth of our refs below a prefix. */
const MAX_DEPTH = 16;

export function refLocks({ commonDir }: Repository, prefix: string): { path: string; ageMs: number }[] {
  const found: { path: string; ageMs: number }[] = [];
  const visit = (directory: string, depth: number) => {
    if (depth > MAX_DEPTH || !standingAt(directory)?.isDirectory()) return;
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) visit(path, depth + 1);
      else if (entry.isFile() && entry.name.endsWith('.lock')) add(path);
    }
  };
  const add = (path: string) => {
    const stat = plainFileAt(path);
    // Absolute, since the clock may have been set back.
    if (stat !== null) found.push({ path, ageMs: Math.abs(Date.now() - stat.mtimeMs) });
  };
  visit(join(commonDir, prefix), 0);
  add(join(commonDir, `${prefix}.lock`));
  return found;
}

/** Moves the file of a ref that git can neither read nor delete. Throws DISK. Returns false if refs are not stored as files. */
export function quarantineRefFile({ commonDir }: Repository, ref: string, to: string): boolean {
  const path = join(commonDir, ref);
  if (existsSync(join(commonDir, 'reftable')) || plainFileAt(path) === null) return false;
  try {
    renameSync(path, to);
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot move ${path}: ${(cause as Error).message}`, { cause });
  }
  return true;
}

/** Bytes that hold the last line of a reflog: two ids, a name, a time, a message. */
const LOG_LINE_BYTES = 4_096;

/** Last object id of a ref in its reflog, or null. */
export function lastLogged({ commonDir }: Repository, ref: string): string | null {
  const path = join(commonDir, 'logs', ref);
  if (plainFileAt(path) === null) return null;
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, LOG_LINE_BYTES));
    readSync(file, end, 0, end.length, size - end.length);
    const [line] = end.toString('latin1').trimEnd().split('\n').slice(-1);
    return presentOid(/^[0-9a-f]+ ([0-9a-f]{40}|[0-9a-f]{64}) /.exec(line)?.[1]);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns those of `wanted` that exist locally. Lists all objects, so that a partial clone fetches nothing; takes a second for a million.
 */
export async function presentObjects(git: Git, wanted: ReadonlySet<string>): Promise<Set<string>> {
  const args = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)'];
  const present = new Set<string>();
  for await (const oids of linesOf(git, args)) for (const oid of oids) if (wanted.has(oid)) present.add(oid);
  return present;
}
