/**
 * `hooks run`: the background process that hooks start. One worker in each repository serves the whole queue, prints nothing, and outlives
 * the terminal.
 */
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLink, makeDirectory } from '../../base/atomic.js';
import { isSocraticodeError, SocraticodeError, unexpected } from '../../base/errors.js';
import { addTo } from '../../base/lists.js';
import { acquireLock } from '../../base/lock.js';
import { isLogLevelChosen, isVerbose, keepLog, type LogData, log, setLogCommand, setLogLevel } from '../../base/log.js';
import { shortOid, visibleLine } from '../../base/printable.js';
import { isAlive } from '../../base/processes.js';
import { automaticFault } from '../../git/remote-trust.js';
import { localStateDirectory, openRepository, type Repository } from '../../git/repository.js';
import {
  ALL_EVENTS,
  type HookEvent,
  isEventInstalled,
  isHookEvent,
  readPlace,
  SHARE_EVENT,
} from '../../hooks/installed.js';
import { HookQueue, type QueuedEvent, removeEmptyOutput, writeHookLog } from '../../hooks/queue.js';
import { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { HooksRunValues } from './question.js';

export async function streamHookWorker({ directory }: Asker, { event, argument }: HooksRunValues): Promise<void> {
  if (event !== undefined && !isHookEvent(event))
    throw new SocraticodeError('BAD_ARGUMENT', `no such event: ${event}`, {
      hint: `Events: ${ALL_EVENTS.join(', ')}.`,
    });
  const cancel = new AbortController();
  // The terminal of the commit may close, or get a Ctrl-C for another program.
  for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => {});
  process.once('SIGTERM', () => cancel.abort());
  await runHookWorker({ directory: directory ?? process.cwd(), event, argument, signal: cancel.signal });
}

interface WorkerOptions {
  directory: string;
  /** An event to queue first, for hook managers that call us without the shim. */
  event?: HookEvent;
  argument?: string;
  signal?: AbortSignal;
}

/** Niceness, as in nice(1): the user's own work comes first. */
const PRIORITY = 10;
const PUSH_POLL_MS = 200;

/** A push that may not be over yet. `since`: when this worker learnt of it, on the clock of `performance.now()`. */
interface Push {
  event: QueuedEvent;
  since: number;
}

/** Serves the queue until it is empty; returns at once if another worker does. Failures go to the log. */
async function runHookWorker(options: WorkerOptions): Promise<void> {
  const repository = await openRepository(options.directory);
  const state = localStateDirectory(repository);
  if (isLink(state)) return;
  makeDirectory(state);
  startLog(state);
  const queue = new HookQueue(state);
  if (options.event !== undefined && !(await addEvent(repository, queue, options.event, options))) return;
  // Announced before the lock is tried: a hook that sees no worker starts another one.
  queue.announceStart();
  yieldToOthers();
  // A working directory cannot be removed on some systems, and the user may want to remove it.
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
    // Looks again: a hook that queued an event just before the lock was released saw a worker and started none.
  } while (!queue.isEmpty() && !options.signal?.aborted);
  removeEmptyOutput(state);
}

/** Writes to the log alone: on stderr, lines would look like a failure of Node. */
function startLog(state: string): void {
  setLogCommand('hook');
  keepLog(state);
  if (!isLogLevelChosen() && !isVerbose()) setLogLevel('silent');
}

/** Queues an event, unless git's variables name another repository than the one found here. */
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
    // Some systems forbid it.
  }
}

class HookWorker {
  /** Git directory of each work tree by its path; null for one that cannot be opened. */
  private readonly gitDirectories = new Map<string, string | null>();
  /** Pushes that are waited for. The queue keeps a copy in a file after each change, for the next worker if this one is killed. */
  private pushes: Push[] = [];

  constructor(
    private readonly repository: Repository,
    private readonly queue: HookQueue,
    private readonly signal?: AbortSignal,
  ) {}

  /** Serves until no event is queued and no push is waited for. Needs the lock. Begins with pushes that a killed worker waited for. */
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

  /** Indexes the work trees of the queued events, once they are calm. Pushes among the events are only remembered here. */
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
      else addTo(trees, event.directory, event);
    }
    for (const [directory, about] of trees) {
      writeDone(await indexTree(this.repository, directory, about, this.signal));
    }
    // After an abort the pushes stay queued for the next worker.
    if (!this.signal?.aborted) this.queue.done(this.pushes.map(({ event }) => event));
  }

  /** Serves one push of a remote at a time; the next push shares what this one could not. */
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

// Jobs of the worker. Each returns its line for the log, and never throws.

interface Done {
  line: string;
  data?: LogData;
  failed: boolean;
}

const done = (line: string, data?: LogData): Done => ({ line, data, failed: false });

/** Indexes HEAD of one work tree, and prepares what the next search and the next question about its graph will read. */
async function indexTree(
  repository: Repository,
  directory: string,
  events: readonly QueuedEvent[],
  signal?: AbortSignal,
): Promise<Done> {
  const about = `${directory} (${describe(events)})`;
  return attempt(repository, directory, about, async (session) => {
    const { indexRef, warmMessages, warmSearch } = await import('../../session/indexing/index-operation.js');
    const report = await indexRef(session, { signal, unlogged: true, gentle: true });
    await warmSearch(session, undefined, signal);
    await warm(session, signal);
    await warmMessages(session, report.commit, signal);
    const commit = shortOid(report.commit ?? report.tree);
    const { fault } = report.vectors;
    const words = `indexed ${about}: ${commit}, ${report.new} new of ${report.blobs} blobs, ${report.bytesAdded} bytes added, ${elapsed()} ms`;
    const data = { commit, new: report.new, blobs: report.blobs, bytes: report.bytesAdded, ms: elapsed() };
    return done(fault === null ? words : `${words}; without all vectors: ${fault.message}`, data);
  });
}

/** Ignores a graph that cannot be made: the question that needs it reports why. */
async function warm(session: Session, signal?: AbortSignal): Promise<void> {
  const { warmGraph } = await import('../../session/indexing/index-operation.js');
  await warmGraph(session, undefined, signal).catch((error: Error) => log.debug(`no graph: ${error.message}`));
}

/** Shares records about code that the last push sent to the remote. Null if the remote denied it before, which was reported. */
async function shareTree(repository: Repository, event: QueuedEvent, signal?: AbortSignal): Promise<Done | null> {
  const remote = event.argument === '' ? undefined : event.argument;
  const about = `${event.directory} with ${remote ?? 'its remote'}`;
  return attempt(repository, event.directory, about, async (session) => {
    const fault = await shareFault(session, remote);
    if (fault !== null) return done(`did not share ${about}: ${fault}`);
    const { pushIndex } = await import('../share/answer.js');
    const { status, sent } = await pushIndex(session, { remote, signal, quiet: true });
    return status === 'denied'
      ? null
      : done(`shared ${about}: ${sent} records sent, ${elapsed()} ms`, { sent, ms: elapsed() });
  });
}

/**
 * Reason against sharing, or null. The queue and the configuration may have come with the repository, and a push runs programs that they
 * name. So sharing needs our own hook and a harmless configuration.
 */
async function shareFault({ repository, gitConfig }: Session, named: string | undefined): Promise<string | null> {
  const place = await readPlace(repository, gitConfig);
  if (!isEventInstalled(repository, place, gitConfig, SHARE_EVENT)) return 'the pre-push hook is not installed';
  const { chooseRemote } = await import('../../share/pull.js');
  const remote = await chooseRemote({ repository, config: gitConfig }, named, 'push');
  const fault = automaticFault(repository, gitConfig, remote, 'push');
  return fault === null ? null : `${visibleLine(fault)} in .git/config; git socraticode push does it all the same`;
}

/** Start of the current job, which `attempt` sets: a worker has one job at a time. */
let started = 0;
/** Milliseconds since then. */
const elapsed = () => Math.round(performance.now() - started);

/** Runs a job with a session of its work tree. A failure becomes a line for the log, and so does a tree of another repository. */
async function attempt<T>(
  repository: Repository,
  directory: string,
  about: string,
  work: (session: Session) => Promise<T>,
): Promise<T | Done> {
  started = performance.now();
  let session: Session | null = null;
  try {
    session = await Session.open({ directory });
    // The queue is a file, and whoever packed the repository may have written it.
    if (session.repository.commonDir !== repository.commonDir) return done(`left alone ${about}: another repository`);
    return await work(session);
  } catch (error) {
    const { code, message } = unexpected(error);
    return { line: `failed ${about}: ${code} ${message}`, data: { code }, failed: true };
  } finally {
    session?.close();
  }
}

/** `post-commit x50, post-rewrite` */
function describe(events: readonly QueuedEvent[]): string {
  const counts = new Map<string, number>();
  for (const { event } of events) counts.set(event, (counts.get(event) ?? 0) + 1);
  return [...counts].map(([event, times]) => (times === 1 ? event : `${event} x${times}`)).join(', ');
}

/** After this silence, a series of events is over. Commits of a rebase follow each other in 10 to 100 ms. */
const QUIET_MS = 300;
/** After this silence, a git operation counts as stopped (a conflict, an edit), and the wait for it ends. */
const STOPPED_MS = 5_000;
/** Maximum wait while events keep coming outside any git operation. */
const PATIENCE_MS = 30_000;
const POLL_MS = 50;
/** Time given to a push whose process is unknown, and maximum wait for a known one. */
const BLIND_PUSH_MS = 5_000;
const MAX_PUSH_MS = 30 * 60_000;

/** Names that exist in a git directory during an operation that makes several commits. */
const OPERATIONS = ['rebase-merge', 'rebase-apply', 'sequencer', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];

function isOperationUnderWay(gitDirectory: string): boolean {
  return OPERATIONS.some((name) => existsSync(join(gitDirectory, name)));
}

interface Calm {
  /** Returns a string that changes with every event. */
  version: () => string;
  /** True while a git operation runs in one of the work trees. */
  busy: () => boolean | Promise<boolean>;
  signal?: AbortSignal;
}

/**
 * Waits until no event has come for 300 ms and no git operation runs. The wait for an operation ends after 5 s of silence, the wait for
 * silence after 30 s.
 */
async function untilCalm({ version, busy, signal }: Calm): Promise<void> {
  const started = performance.now();
  let [seen, changed] = [version(), started];
  for (;;) {
    await sleep(POLL_MS, undefined, { signal });
    const [now, current] = [performance.now(), version()];
    if (current !== seen) [seen, changed] = [current, now];
    const quiet = now - changed;
    if (quiet >= STOPPED_MS) return;
    const enough = quiet >= QUIET_MS || now - started >= PATIENCE_MS;
    if (enough && !(await busy())) return;
  }
}

/** True if a push has ended. `since`: when the hook announced it, on the clock of `performance.now()`. */
function isPushOver(pusher: number, since: number): boolean {
  const waited = performance.now() - since;
  if (pusher <= 1) return waited >= BLIND_PUSH_MS;
  return waited >= MAX_PUSH_MS || !isAlive(pusher);
}
