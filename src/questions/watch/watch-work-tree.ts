/**
 * `watch`: keeps the index of HEAD and the overlay of one work tree warm, so that the next search has nothing to parse.
 * It ends with its parent process, and there is one per work tree.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory, refuseLinks } from '../../base/atomic.js';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { acquireLock, lockHolder } from '../../base/lock.js';
import { overlayDirectory } from '../../overlay/state-file.js';
import { WorkTreeWatcher } from '../../overlay/watcher.js';
import { indexRef } from '../../session/indexing/index-operation.js';
import { OverlayPreparer } from '../../session/overlay/prepare.js';
import type { Session } from '../../session/session.js';
import { SnapshotPreparer } from '../../session/snapshot/prepare.js';
import type { WatchEvent } from './output.js';

interface WatchOptions {
  onEvent: (event: WatchEvent) => void;
  signal: AbortSignal;
}

/** Why it ended. `busy`: another process watches this work tree, `pid` says which. */
type WatchEnd = { reason: 'stopped' | 'gone' } | { reason: 'busy'; pid: number | null };

/** A lone save is taken up this long after it; a burst (a build, a checkout) at the latest after the second time. */
const QUIET_MS = 300;
const BURST_MS = 2_000;
/** Looks for what no event tells: a moved branch, a repository that is gone; and for everything where nothing can be watched. */
const POLL_MS = 1_000;
/** Failures in a row after which it gives up. */
const MAX_FAILURES = 10;

/** Runs until the signal aborts. Throws DISK, BAD_ARGUMENT in a bare repository, and the last of ten failures in a row. */
export async function watchWorkTree(session: Session, options: WatchOptions): Promise<WatchEnd> {
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

class Watch {
  private readonly overlays: OverlayPreparer;
  private first = 0;
  private last = 0;
  private commit: string | null | undefined;
  private failures = 0;

  constructor(
    private readonly session: Session,
    private readonly options: WatchOptions,
  ) {
    this.overlays = new OverlayPreparer(session, new SnapshotPreparer(session), { watches: false });
  }

  stirred(): void {
    const now = performance.now();
    this.first ||= now;
    this.last = now;
  }

  async run(isBlind: () => boolean): Promise<WatchEnd> {
    const { signal } = this.options;
    let polled = 0;
    for (this.stirred(), this.last = 0; !signal.aborted; await pause(QUIET_MS / 3, signal)) {
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
      const isNews = isFirst || moved || this.overlays.hasChanged();
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
    const status = this.overlays.startStatus('included');
    try {
      const origin = await this.session.origin(undefined, { unborn: true });
      const { dirty, overlay } = await this.overlays.prepare(origin, status, signal);
      this.overlays.save();
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
