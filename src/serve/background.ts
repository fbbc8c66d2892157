/**
 * Indexes and links a project in child processes, one job at a time, the latest request first. A job outlives the
 * question that requested it, and questions about one snapshot share one job.
 */
import { join } from 'node:path';
import { TIMED_OUT, waitFor } from '../base/async.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { lockHolder } from '../base/lock.js';
import { localStateDirectory } from '../git/repository.js';
import type { BackgroundIndexer, IndexWait, Session } from '../session/session.js';
import { readAllRefs, type SnapshotOrigin } from '../session/snapshot/snapshot.js';
import { targetRef } from '../session/snapshot/target.js';
import {
  asError,
  type BackgroundState,
  describeRun,
  isLast,
  Job,
  type JobKind,
  type JobMessage,
  type JobOutcome,
  JobProcess,
  type JobTarget,
  type LastRun,
  type Requested,
  type RunningState,
  STOPPED,
  type WaitOptions,
} from './job.js';
import {
  LINK_GRACE,
  NEXT_PART_GRACE,
  OLDER_PART_END,
  PART_END,
  PART_GRACE,
  Waits,
  waitForFiles,
  waitForJob,
} from './project.js';

export class Background implements BackgroundIndexer {
  private readonly queue: Job[] = [];
  private running: Job | null = null;
  private last: LastRun | null = null;
  /** By the job's key. */
  private readonly failures = new Failures();
  private readonly listeners = new Set<() => void>();
  private isClosed = false;
  private readonly parts: PartialGraphs;
  private readonly resting = new Resting();
  /**
   * Links in advance beside the running job. Without it, each commit would interrupt the linking, and the next would start from
   * nothing.
   */
  private parallel: Job | null = null;

  constructor(
    private readonly session: Session,
    private readonly waits = new Waits(),
  ) {
    this.parts = new PartialGraphs(this.directory);
  }

  /** Indexes a snapshot completely, even after a failure. Throws UNKNOWN_REF, BAD_ARGUMENT, and CANCELLED while waiting. */
  async update(target: JobTarget, options: WaitOptions = {}): Promise<JobOutcome> {
    return this.demand('full', await this.originOf(target), options);
  }

  /** Indexes and links a snapshot, even after a failure. Throws as `update` does. */
  async relink(target: JobTarget, options: WaitOptions = {}): Promise<JobOutcome> {
    return this.demand('link', await this.originOf(target), options);
  }

  /** Indexes and links HEAD in advance: called when a server starts and after HEAD has moved. */
  async warm(): Promise<void> {
    this.linkAhead(await this.session.origin(undefined, { unborn: true }));
  }

  start(origin: SnapshotOrigin): void {
    if (this.failures.of(`index ${origin.key}`) === null) this.jobOf(origin);
  }

  async index(origin: SnapshotOrigin, { signal, ...wait }: IndexWait = {}): Promise<SocraticodeError | null> {
    const failed = this.failures.of(`index ${origin.key}`);
    if (failed !== null) return failed;
    const job = this.jobOf(origin);
    const spent = performance.now() - job.requestedAt;
    const isBlocked = () => this.current?.isBlocked === true;
    try {
      await this.waits.during(waitForFiles(job.indexed.promise, wait, { spent, signal, isBlocked }));
      return null;
    } catch (error) {
      if (signal?.aborted || !isSocraticodeError(error)) throw error;
      return error;
    }
  }

  async link(
    origin: SnapshotOrigin,
    { partly = false, signal }: { partly?: boolean; signal?: AbortSignal } = {},
  ): Promise<'whole' | 'part'> {
    const failed = this.failures.of(`link ${origin.key}`);
    if (failed !== null) throw failed;
    const job = this.ask('link', origin);
    const { parts, waits } = this;
    const isBlocked = () => this.current?.isBlocked === true;
    const found = await waitForGraph({ job, origin, parts: partly ? parts : null, waits, isBlocked, signal });
    if (found === null) throw notLinked(job, this.state().running);
    if (found === 'whole') parts.stop();
    return found;
  }

  state(): BackgroundState {
    const holder = lockHolder(join(localStateDirectory(this.session.repository), 'writer.lock'));
    return {
      running: (this.current ?? this.lastingParallel)?.state(holder) ?? null,
      queued: this.queue.map(({ kind, origin }) => ({ kind, ref: origin.resolved.ref })),
      last: this.last,
    };
  }

  /** Registers a listener for changes of the state; returns the function that removes it. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get isBusy(): boolean {
    return this.current !== null || this.parallel !== null || this.queue.length > 0;
  }

  /** Running job, unless it has reported its end. */
  private get current(): Job | null {
    return this.running?.isOver === false ? this.running : null;
  }

  /** Running job, unless it was told to stop. */
  private get lasting(): Job | null {
    return this.current?.isEnding === false ? this.current : null;
  }

  /** Job beside the running one, unless it was told to stop. */
  private get lastingParallel(): Job | null {
    return this.parallel !== null && !this.parallel.isOver && !this.parallel.isEnding ? this.parallel : null;
  }

  /** Stops the running job and drops the queue; finished batches are kept. Returns whether there was any job. */
  async stop(): Promise<boolean> {
    const waiting = this.queue.splice(0);
    for (const job of waiting) job.fail(STOPPED);
    const atWork = [this.current, this.parallel].filter((job) => job !== null);
    for (const job of atWork) job.stop();
    await Promise.all(atWork.map((job) => this.end(job)));
    this.changed();
    return waiting.length > 0 || atWork.length > 0;
  }

  /** Stops all jobs and accepts no more. */
  close(): void {
    this.isClosed = true;
    this.parts.stop();
    this.resting.end();
    void this.stop();
    this.listeners.clear();
  }

  /** Links a snapshot that was searched: a question about its graph usually follows. */
  private linkAhead(origin: SnapshotOrigin): void {
    const others = this.queue.filter((job) => job.isAhead && job.origin.key !== origin.key);
    for (const job of others) this.queue.splice(this.queue.indexOf(job), 1);
    this.ask('link', origin, 'nothing');
  }

  private async originOf(target: JobTarget): Promise<SnapshotOrigin> {
    const { session } = this;
    const ref = targetRef(target);
    return target.allRefs ? (await readAllRefs(session)).origin : session.origin(ref, { unborn: true });
  }

  /** Does a job even if it failed lately, and waits for its end, or as long as the options say. */
  private async demand(kind: JobKind, origin: SnapshotOrigin, options: WaitOptions): Promise<JobOutcome> {
    this.failures.forget(`${kind} ${origin.key}`);
    const job = this.ask(kind, origin);
    const { onProgress, signal } = options;
    const stop = onProgress && this.onChange(() => onProgress(this.state()));
    try {
      const report = await this.waits.during(waitFor(job.done.promise, { ms: options.waitMs, signal }));
      return report === TIMED_OUT ? { status: 'running', state: this.state() } : { status: 'done', report };
    } catch (error) {
      if (signal?.aborted || !isSocraticodeError(error)) throw error;
      return { status: 'failed', error };
    } finally {
      stop?.();
    }
  }

  /** The job that indexes a snapshot. What is checked out is linked after it. */
  private jobOf(origin: SnapshotOrigin): Job {
    const job = this.underWay(origin) ?? this.askIndex(origin);
    if (isCheckedOut(origin)) this.linkAhead(origin);
    return job;
  }

  /**
   * Lets a question wait for a running or queued job of any kind that indexes this snapshot, and hurries a queued one. Returns null if
   * there is none.
   */
  private underWay(origin: SnapshotOrigin): Job | null {
    const isOf = (job: Job | null) => job?.origin.key === origin.key;
    const waiting = this.queue.find(isOf);
    const job = [this.lasting, this.lastingParallel].find(isOf) ?? waiting;
    job?.raise('index');
    if (job !== undefined && job === waiting) this.hurry(waiting);
    return job ?? null;
  }

  /**
   * Indexes a snapshot; links it as well if it is checked out, since one process does both sooner than two. With nothing
   * indexed yet, two do it: both steps take much memory then.
   */
  private askIndex(origin: SnapshotOrigin): Job {
    const isFirst = this.session.shards.readManifest().shards.length === 0;
    return this.ask(isFirst || !isCheckedOut(origin) ? 'index' : 'link', origin, 'index');
  }

  /** Returns the running or queued job of this kind for a snapshot, or queues one. `requested`: part of it that a question waits for. */
  private ask(kind: JobKind, origin: SnapshotOrigin, requested: Requested = 'all'): Job {
    const key = `${kind} ${origin.key}`;
    if (this.isClosed) throw new SocraticodeError('CANCELLED', 'the repository was closed');
    const atWork = [this.lasting, this.lastingParallel].find((job) => job?.key === key);
    if (atWork) {
      atWork.raise(requested);
      return atWork;
    }
    const waiting = this.queue.find((job) => job.key === key);
    const job = waiting ?? new Job(kind, origin, requested);
    job.raise(requested);
    if (waiting === undefined) this.queue.push(job);
    if (requested !== 'nothing') this.hurry(job);
    this.next();
    this.changed();
    return job;
  }

  /** Moves a job to the head of the queue. A running job that only embeds makes way; one that links in advance goes on beside it. */
  private hurry(job: Job): void {
    this.queue.splice(this.queue.indexOf(job), 1);
    this.queue.unshift(job);
    const { lasting, lastingParallel } = this;
    if (!lasting?.isIndexed || !(lasting.kind === 'full' || lasting.isAhead)) return;
    // The running job goes on beside the new one, in the place of an older one that no question waits for.
    if (lasting.isLinking && (lastingParallel === null || lastingParallel.isAhead)) {
      this.parallel?.stop();
      this.parallel?.process?.kill();
      this.parallel = lasting;
      this.running = null;
      this.next();
      return;
    }
    lasting.resumes = true;
    void this.end(lasting);
  }

  private get directory(): string {
    const { workTree, gitDir } = this.session.repository;
    return workTree ?? gitDir;
  }

  private async end(job: Job): Promise<void> {
    job.isEnding = true;
    await job.process?.cancel();
  }

  private next(): void {
    if (this.running !== null || this.isClosed) return;
    const job = this.queue.shift();
    if (job === undefined) return;
    this.running = job;
    void this.perform(job).then((process) => {
      if (this.running === job) this.running = null;
      if (this.parallel === job) this.parallel = null;
      if (this.isClosed) process.stop();
      else if (process.isAlive) this.resting.keep(process);
      this.next();
      this.changed();
    });
  }

  /** Does a job, and returns its process. One that rested may have died unnoticed: then the job begins anew in another one. */
  private async perform(job: Job): Promise<JobProcess> {
    const rested = this.resting.take();
    if (rested !== null) {
      let unheard: JobMessage | null = null;
      let hasSpoken = false;
      await this.run(job, rested, (message) => {
        hasSpoken ||= rested.isAlive;
        if (hasSpoken) this.hear(job, message);
        else unheard = message;
      });
      if (unheard === null) return rested;
      if (job.isStopped || job.isEnding || this.isClosed) {
        this.hear(job, unheard);
        return rested;
      }
    }
    const process = new JobProcess();
    await this.run(job, process, (message) => this.hear(job, message));
    return process;
  }

  private run(job: Job, process: JobProcess, hear: (message: JobMessage) => void): Promise<void> {
    job.started(process);
    return process.run(job.request(this.directory), hear);
  }

  private hear(job: Job, message: JobMessage): void {
    job.isOver = message.type === 'done' || message.type === 'failed';
    if (message.type === 'done') {
      this.last = job.last({ report: message.report });
      job.succeed(message.report);
    } else if (message.type !== 'failed') job.hear(message);
    else if (this.mayResume(job)) this.queue.push(job);
    // A process that was just starting dies of the signal and reports that instead.
    else this.failed(job, job.isStopped ? STOPPED : message.error);
    this.changed();
  }

  /** Returns whether a paused job continues. A graph that is linked in advance does not once HEAD has moved. */
  private mayResume(job: Job): boolean {
    return job.resumes && !this.isClosed && !(job.isAhead && this.queue.some(({ isAhead }) => isAhead));
  }

  private failed(job: Job, plain: LastRun['error'] & object): void {
    this.last = job.last({ error: plain });
    if (plain.code !== 'CANCELLED') {
      this.failures.add(job.key, asError(plain));
      // Linking indexes first, so an early failure is a failure to index.
      if (!job.isIndexed) this.failures.add(`index ${job.origin.key}`, asError(plain));
    }
    job.fail(plain);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

function isCheckedOut({ resolved, trees, attributes }: SnapshotOrigin): boolean {
  return resolved.ref === 'HEAD' && trees === undefined && attributes === undefined;
}

/** Time for which questions do not start a failed job again. */
const RETRY_AFTER_MS = 20_000;

/** Jobs that failed lately. */
class Failures {
  private readonly byJob = new Map<string, { at: number; error: SocraticodeError }>();

  add(key: string, error: SocraticodeError): void {
    this.byJob.set(key, { at: performance.now(), error });
  }

  of(key: string): SocraticodeError | null {
    const failure = this.byJob.get(key);
    if (failure === undefined) return null;
    if (performance.now() - failure.at < RETRY_AFTER_MS) return failure.error;
    this.forget(key);
    return null;
  }

  forget(key: string): void {
    this.byJob.delete(key);
  }
}

/** Time after the last job until its process ends: a person who commits again or changes branches does so sooner. */
const RESTS_MS = 60_000;

/** The process of the last job, kept for the next one: starting and loading the program takes longer than indexing a commit. */
class Resting {
  private process: JobProcess | null = null;
  private timer: NodeJS.Timeout | null = null;

  take(): JobProcess | null {
    const { process } = this;
    this.forget();
    return process?.isAlive ? process : null;
  }

  keep(process: JobProcess): void {
    this.end();
    this.process = process;
    this.timer = setTimeout(() => this.end(), RESTS_MS);
    this.timer.unref();
  }

  end(): void {
    this.process?.stop();
    this.forget();
  }

  private forget(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = this.process = null;
  }
}

// How a question waits for the graph of its snapshot: the whole one, or one of the files that were read so far.

interface LinkWait {
  job: Job;
  origin: SnapshotOrigin;
  /** Null for a question that needs the whole graph. */
  parts: PartialGraphs | null;
  waits: Waits;
  /** True while another process writes the index. */
  isBlocked: () => boolean;
  signal?: AbortSignal;
}

/** Returns null when the time is over. Throws the job's error, and CANCELLED. */
async function waitForGraph({ job, origin, parts, waits, ...how }: LinkWait): Promise<'whole' | 'part' | null> {
  const from = performance.now();
  const wait = <T>(promise: Promise<T>, grace: typeof LINK_GRACE) =>
    waits.during(waitForJob(promise, grace, { ...how, spent: performance.now() - from }));
  const whole = job.done.promise.then((): 'whole' => 'whole');
  whole.catch(() => {});
  if (parts === null) return orNull(await wait(whole, LINK_GRACE));
  const hasPart = parts.has(origin);
  if ((await wait(whole, hasPart ? NEXT_PART_GRACE : PART_GRACE)) !== TIMED_OUT) return 'whole';
  if (parts.isFresh(origin)) return 'part';
  // Once everything is indexed, linking a part takes as long as linking the whole.
  const part = job.isIndexed ? whole : parts.make(origin).then((isMade) => (isMade ? 'part' : whole));
  part.catch(() => {});
  const found = orNull(await wait(Promise.race([whole, part]), hasPart ? OLDER_PART_END : PART_END));
  return found ?? (hasPart ? 'part' : null);
}

function orNull<T>(found: T | typeof TIMED_OUT): T | null {
  return found === TIMED_OUT ? null : found;
}

function notLinked({ origin }: Job, running: RunningState | null): SocraticodeError {
  const what = running === null ? `linking ${origin.resolved.ref}` : describeRun(running);
  const hint = 'Ask again in ten seconds. Searches, grep and reading answer meanwhile: they need no graph.';
  return new SocraticodeError('NOT_READY', `the graph is not linked yet: ${what}`, { hint });
}

interface Running {
  key: string;
  process: JobProcess;
  /** Resolves with true if a graph was written. */
  made: Promise<boolean>;
}

/** Time for which a graph of a part is used as it is: meanwhile only a few more files are read. */
const FRESH_MS = 30_000;

/**
 * Links the files that were read so far, in a process beside the one that indexes, for questions that cannot wait longer. One
 * process at a time, for the snapshot that was requested last.
 */
class PartialGraphs {
  private running: Running | null = null;
  private latest: { key: string; at: number } | null = null;

  constructor(private readonly directory: string) {}

  /** True once a graph of a part of this snapshot was written. */
  has({ key }: SnapshotOrigin): boolean {
    return this.latest?.key === key;
  }

  isFresh(origin: SnapshotOrigin): boolean {
    return this.has(origin) && performance.now() - (this.latest?.at ?? 0) < FRESH_MS;
  }

  /** Resolves with true if a graph was written. Simultaneous calls for one snapshot share the work. */
  make(origin: SnapshotOrigin): Promise<boolean> {
    if (this.running?.key === origin.key) return this.running.made;
    this.stop();
    return this.start(origin);
  }

  /** Ends the process, once the whole graph is there or nobody asks any more. */
  stop(): void {
    this.running?.process.stop();
    this.running = null;
  }

  private start(origin: SnapshotOrigin): Promise<boolean> {
    const { key } = origin;
    let settle: (made: boolean) => void = () => {};
    const made = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    const process = new JobProcess();
    void process.run({ directory: this.directory, kind: 'part', origin }, (message) => {
      if (!isLast(message)) return;
      const isMade = message.type === 'part' && message.files > 0;
      if (isMade) this.latest = { key, at: performance.now() };
      if (this.running?.process === process) this.running = null;
      settle(isMade);
    });
    this.running = { key, process, made };
    return made;
  }
}
