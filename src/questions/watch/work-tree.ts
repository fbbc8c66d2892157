/**
 * `watch` on the command line: updates the index of HEAD and the overlay of one work tree at every change, so that the next search has
 * nothing to parse, and prints a line. Each work tree has one watcher, which ends with its parent process.
 */
import { existsSync, fstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory, refuseLinks } from '../../base/atomic.js';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { acquireLock, lockHolder } from '../../base/lock.js';
import { safeJson, shortOid, visibleText } from '../../base/printable.js';
import { overlayDirectory } from '../../overlay/state-file.js';
import { WorkTreeWatcher } from '../../overlay/watcher.js';
import { indexRef } from '../../session/indexing/index-operation.js';
import { Session } from '../../session/session.js';
import { Snapshots } from '../../session/snapshot/overlay.js';
import type { Asker, CommandCaller, Io } from '../asker.js';
import { formatCount, formatSeconds } from '../format.js';
import type { WatchEvent } from './question.js';

export async function streamWatch({ directory, command }: Asker): Promise<void> {
  const { io, json } = command as CommandCaller;
  const cancel = new AbortController();
  // Listens before the repository is opened, since the parent may end meanwhile.
  const release = onEnd(io, () => cancel.abort());
  try {
    const session = await Session.open({ directory });
    try {
      const end = await watchWorkTree(session, { onEvent: printer(io, json), signal: cancel.signal });
      if (end.reason === 'busy')
        io.stderr.write(`process ${end.pid ?? 'unknown'} is watching this work tree already\n`);
      if (end.reason === 'gone') io.stderr.write('the repository is gone\n');
    } finally {
      session.close();
    }
  } finally {
    release();
  }
}

const PARENT_MS = 1_000;

/** Calls `stop` when this process is no longer needed; returns a function that stops listening. */
function onEnd(io: Io, stop: () => void): () => void {
  process.once('SIGINT', stop).once('SIGTERM', stop).once('SIGHUP', stop);
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_MS);
  timer.unref();
  const piped = isPipe();
  if (piped) io.stdin.once('end', stop).once('error', stop).resume();
  return () => {
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
    clearInterval(timer);
    if (piped) {
      io.stdin.off('end', stop).pause();
      (io.stdin as Partial<NodeJS.ReadStream>).destroy?.();
    }
  };
}

/** True for a pipe, which closes when the process at its other end ends; a terminal or /dev/null shows nothing. */
function isPipe(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** Shows the first failures, then every hundredth: a full disk fails at every save. */
const SHOWN_FAILURES = 3;
const FAILURE_STEP = 100;

function printer(io: Io, json: boolean): (event: WatchEvent) => void {
  let failures = 0;
  return (event) => {
    if (event.event === 'failed' && ++failures > SHOWN_FAILURES && failures % FAILURE_STEP !== 0) return;
    if (json) io.stdout.write(`${safeJson(event)}\n`);
    else io.stderr.write(`${visibleText(lineOf(event))}\n`);
  };
}

function lineOf({ event, commit, parsed, dirty, overlay, ms, error }: WatchEvent): string {
  if (event === 'failed') return `failed: ${error ?? 'unknown'}`;
  const head = commit === null ? 'no commit yet' : shortOid(commit);
  const what = parsed === null ? '' : `, ${formatCount(parsed, 'new blob')}`;
  const files =
    dirty === 0 ? 'nothing uncommitted' : `${overlay} of ${formatCount(dirty, 'uncommitted file')} searchable`;
  return `${head}${what}: ${files} (${formatSeconds(ms)})`;
}

interface WatchOptions {
  onEvent: (event: WatchEvent) => void;
  signal: AbortSignal;
}

/** Reason for the end. `busy`: process `pid` watches this work tree already. */
type WatchEnd = { reason: 'stopped' | 'gone' } | { reason: 'busy'; pid: number | null };

/** A lone save is taken up after the first time, a burst (a build, a checkout) at the latest after the second. */
const QUIET_MS = 300;
const BURST_MS = 2_000;
/** Finds what no event reports: a moved branch, a repository that is gone, and every change where the system cannot watch. */
const POLL_MS = 1_000;
/** Failures in a row before it gives up. */
const MAX_FAILURES = 10;

/** Runs until the signal aborts. Throws DISK, BAD_ARGUMENT in a bare repository, and the last of ten failures in a row. */
async function watchWorkTree(session: Session, options: WatchOptions): Promise<WatchEnd> {
  const { repository, shards } = session;
  const { workTree, gitDir } = repository;
  if (workTree === null) {
    throw new SocraticodeError('BAD_ARGUMENT', 'a bare repository has no work tree to watch', {
      hint: 'Run it in a work tree; `git socraticode hooks install` keeps the index of a bare one up to date.',
    });
  }
  const directory = overlayDirectory(shards.directory, gitDir);
  refuseLinks([dirname(shards.directory), shards.directory]);
  makeDirectory(directory);
  const lock = join(directory, 'watch.lock');
  let release: () => void;
  try {
    release = await acquireLock(lock);
  } catch (error) {
    if (isSocraticodeError(error, 'LOCKED')) return { reason: 'busy', pid: lockHolder(lock) };
    throw error;
  }
  const watch = new Watch(session, options);
  const watcher = new WorkTreeWatcher({ ...repository, workTree }, () => watch.stirred());
  try {
    void watcher.start();
    return await watch.run(() => watcher.version === null);
  } finally {
    watcher.close();
    release();
  }
}

/** Refreshes when changes have come to rest. Times are those of `performance.now`. */
class Watch {
  private readonly snapshots: Snapshots;
  /** First and last change since a refresh began; `first` is 0 if there was none. */
  private first = 0;
  private last = 0;
  /** HEAD as of the last refresh; null before the first commit, undefined before the first refresh. */
  private commit: string | null | undefined;
  /** Failed refreshes in a row. */
  private failures = 0;

  constructor(
    private readonly session: Session,
    private readonly options: WatchOptions,
  ) {
    this.snapshots = new Snapshots(session, { watches: false });
  }

  /** Something may have changed. */
  stirred(): void {
    const now = performance.now();
    this.first ||= now;
    this.last = now;
  }

  async run(isBlind: () => boolean): Promise<WatchEnd> {
    const { signal } = this.options;
    let polled = 0;
    // The first refresh waits for no rest.
    this.stirred();
    this.last = 0;
    for (; !signal.aborted; await pause(QUIET_MS / 3, signal)) {
      if (!existsSync(this.session.repository.gitDir)) return { reason: 'gone' };
      const now = performance.now();
      if (now - polled > POLL_MS) {
        polled = now;
        if (isBlind() || (await this.headMoved())) this.stirred();
      }
      if (this.first === 0 || (now - this.last < QUIET_MS && now - this.first < BURST_MS)) continue;
      this.first = 0;
      await this.refresh();
    }
    return { reason: 'stopped' };
  }

  private async headMoved(): Promise<boolean> {
    return (await this.head()) !== this.commit;
  }

  private async head(): Promise<string | null> {
    return (await this.session.objects.info('HEAD^{commit}'))?.oid ?? null;
  }

  private async refresh(): Promise<void> {
    const { onEvent, signal } = this.options;
    const from = performance.now();
    const about = { schemaVersion: 1 as const, commit: this.commit ?? null, parsed: null, dirty: 0, overlay: 0 };
    const ms = () => Math.round(performance.now() - from);
    try {
      const commit = await this.head();
      const moved = commit !== null && commit !== this.commit;
      const parsed = moved ? (await indexRef(this.session, { signal, gentle: true })).new : null;
      const { dirty, overlay } = await this.lookAround(signal);
      const isFirst = this.commit === undefined;
      const isNews = isFirst || moved || this.snapshots.hasChanged();
      this.commit = commit;
      this.failures = 0;
      if (isNews) onEvent({ ...about, event: 'refreshed', commit, parsed, dirty, overlay, ms: ms() });
    } catch (error) {
      if (signal.aborted) return;
      onEvent({ ...about, event: 'failed', ms: ms(), error: (error as Error).message });
      if (++this.failures >= MAX_FAILURES) throw error;
      this.stirred();
    }
  }

  private async lookAround(signal: AbortSignal): Promise<{ dirty: number; overlay: number }> {
    try {
      const { dirty, overlay } = await this.snapshots.of(await this.snapshots.open({}), signal);
      this.snapshots.save();
      return { dirty, overlay };
    } catch (error) {
      if (isSocraticodeError(error, 'UNBORN_HEAD')) return { dirty: 0, overlay: 0 };
      throw error;
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
