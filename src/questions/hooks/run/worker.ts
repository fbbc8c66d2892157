/** `hooks run`: what hooks start in the background. One worker a repository serves the whole queue. */
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLink, makeDirectory } from '../../../base/atomic.js';
import { isSocraticodeError } from '../../../base/errors.js';
import { acquireLock } from '../../../base/lock.js';
import { isLogLevelChosen, isVerbose, keepLog, setLogCommand, setLogLevel } from '../../../base/log.js';
import { localStateDirectory, openRepository, type Repository } from '../../../git/repository.js';
import { type HookEvent, SHARE_EVENT } from '../../../hooks/events.js';
import { removeEmptyOutput, writeHookLog } from '../../../hooks/log.js';
import { HookQueue, type QueuedEvent } from '../../../hooks/queue.js';
import { isOperationUnderWay, isPushOver, untilCalm } from '../../../hooks/timing.js';
import { type Done, indexTree, shareTree } from './jobs.js';

export { isHookEvent } from '../../../hooks/events.js';

interface WorkerOptions {
  directory: string;
  /** An event to add to the queue first: for managers whose hooks call us without the shim. */
  event?: HookEvent;
  argument?: string;
  signal?: AbortSignal;
}

/** Nice, in the sense of nice(1): the user's own work comes first. */
const PRIORITY = 10;
const PUSH_POLL_MS = 200;

interface Push {
  event: QueuedEvent;
  since: number;
}

/** Serves the queue until it is empty; returns at once if another worker does. Failures go to the log. */
export async function runHookWorker(options: WorkerOptions): Promise<void> {
  const repository = await openRepository(options.directory);
  const state = localStateDirectory(repository);
  if (isLink(state)) return;
  makeDirectory(state);
  startLog(state);
  const queue = new HookQueue(state);
  if (options.event !== undefined && !(await addEvent(repository, queue, options.event, options))) return;
  // Before the lock is tried: a hook that sees no worker from now on starts another one.
  queue.announceStart();
  yieldToOthers();
  // The user may want to remove the directory, so it must not be held.
  process.chdir(repository.commonDir);
  const worker = new HookWorker(repository, queue, options.signal);
  do {
    const release = await lock(join(state, 'hook.lock'));
    if (release === null) return;
    try {
      await worker.serve();
    } finally {
      release();
    }
    // An event that came between the last look and the release found a worker, and started none.
  } while (!queue.isEmpty() && !options.signal?.aborted);
  removeEmptyOutput(state);
}

/** The log has it all: on stderr, it would look like a failure of node. */
function startLog(state: string): void {
  setLogCommand('hook');
  keepLog(state);
  if (!isLogLevelChosen() && !isVerbose()) setLogLevel('silent');
}

/** git's variables may name another repository than the one found here: then the event is not about this one. */
async function addEvent(
  repository: Repository,
  queue: HookQueue,
  event: HookEvent,
  { argument = '' }: WorkerOptions,
): Promise<boolean> {
  if (process.env.GIT_DIR !== undefined) {
    const named = await openRepository();
    if (named.commonDir !== repository.commonDir) return false;
  }
  queue.add({ event, argument, pusher: 0, directory: repository.workTree ?? repository.gitDir });
  return true;
}

async function lock(path: string): Promise<(() => void) | null> {
  try {
    return await acquireLock(path);
  } catch (error) {
    if (isSocraticodeError(error, 'LOCKED')) return null;
    throw error;
  }
}

function yieldToOthers(): void {
  try {
    setPriority(PRIORITY);
  } catch {
    // Not everywhere allowed.
  }
}

class HookWorker {
  private readonly gitDirectories = new Map<string, string | null>();
  private pushes: Push[] = [];

  constructor(
    private readonly repository: Repository,
    private readonly queue: HookQueue,
    private readonly signal?: AbortSignal,
  ) {}

  async serve(): Promise<void> {
    const known = this.pushes.length > 0 ? [] : this.queue.waiting();
    this.pushes.push(...known.map((event) => ({ event, since: performance.now() })));
    while (!this.signal?.aborted) {
      if (!this.queue.isEmpty()) await this.serveQueue();
      else if (this.pushes.length === 0) return;
      else await sleep(PUSH_POLL_MS, undefined, { signal: this.signal });
      await this.servePushes();
    }
  }

  private async serveQueue(): Promise<void> {
    await untilCalm({
      version: () => this.queue.version(),
      busy: () => this.isBusy(),
      signal: this.signal,
    });
    const events = this.queue.take();
    const trees = new Map<string, QueuedEvent[]>();
    for (const event of events) {
      if (event.event === SHARE_EVENT) this.pushes.push({ event, since: performance.now() });
      else trees.set(event.directory, [...(trees.get(event.directory) ?? []), event]);
    }
    for (const [directory, about] of trees) {
      writeDone(await indexTree(this.repository, directory, about, this.signal));
    }
    // Given up, not done: the next worker serves them.
    if (!this.signal?.aborted) this.queue.done(this.pushes.map(({ event }) => event));
  }

  /** One push of a remote at a time is enough; what it could not share yet, the next one does. */
  private async servePushes(): Promise<void> {
    const over = this.pushes.filter(({ event, since }) => isPushOver(event.pusher, since));
    this.pushes = this.pushes.filter((push) => !over.includes(push));
    const remotes = new Map(over.map(({ event }) => [event.argument, event]));
    for (const event of remotes.values()) {
      const done = await shareTree(this.repository, event, this.signal);
      if (done !== null) writeDone(done);
    }
    if (over.length > 0 && !this.signal?.aborted) this.queue.keepWaiting(this.pushes.map(({ event }) => event));
  }

  private async isBusy(): Promise<boolean> {
    for (const { directory } of this.queue.peek()) {
      const known = this.gitDirectories.get(directory);
      const gitDirectory = known === undefined ? await gitDirectoryOf(directory) : known;
      this.gitDirectories.set(directory, gitDirectory);
      if (gitDirectory !== null && isOperationUnderWay(gitDirectory)) return true;
    }
    return false;
  }
}

function writeDone({ line, data = {}, failed }: Done): void {
  writeHookLog(line, data, failed);
}

async function gitDirectoryOf(directory: string): Promise<string | null> {
  try {
    return (await openRepository(directory)).gitDir;
  } catch {
    return null;
  }
}
