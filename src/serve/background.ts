/**
 * Indexes and links a project in child processes, one job at a time, the latest request first. A job outlives the question
 * that asked for it, and questions about one snapshot share one job.
 */
import { join } from 'node:path';
import { TIMED_OUT, waitFor } from '../base/abortable.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { lockHolder } from '../base/lock.js';
import { localStateDirectory } from '../git/repository.js';
import type { BackgroundIndexer } from '../session/background-indexer.js';
import type { Session } from '../session/session.js';
import { readAllRefs } from '../session/snapshot/all-refs.js';
import type { SnapshotOrigin } from '../session/snapshot/snapshot.js';
import { targetRef } from '../session/snapshot/target.js';
import type {
  BackgroundState,
  JobKind,
  JobMessage,
  JobOutcome,
  JobTarget,
  LastRun,
  WaitOptions,
} from './background-protocol.js';
import { Failures } from './failures.js';
import { INDEX_GRACE, Waits, waitForJob } from './grace.js';
import { type Asked, asError, Job, STOPPED } from './job.js';
import { JobProcess } from './job-process.js';
import { notLinked, waitForGraph } from './link-wait.js';
import { PartialGraphs } from './partial-graphs.js';
import { Resting } from './resting.js';

export class Background implements BackgroundIndexer {
  private readonly queue: Job[] = [];
  private running: Job | null = null;
  private last: LastRun | null = null;
  /** By key of the job. */
  private readonly failures = new Failures();
  private readonly listeners = new Set<() => void>();
  private isClosed = false;
  private readonly parts: PartialGraphs;
  private readonly resting = new Resting();
  /** Links in advance beside the running job: a graph that is never finished would be linked from nothing after each commit. */
  private beside: Job | null = null;

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

  async index(origin: SnapshotOrigin, signal?: AbortSignal): Promise<SocraticodeError | null> {
    const failed = this.failures.of(`index ${origin.key}`);
    if (failed !== null) return failed;
    const job = this.underWay(origin) ?? this.askIndex(origin);
    if (isCheckedOut(origin)) this.linkAhead(origin);
    const spent = performance.now() - job.askedAt;
    const isBlocked = () => this.current?.isBlocked === true;
    try {
      await this.waits.during(waitForJob(job.indexed.promise, INDEX_GRACE, { spent, signal, isBlocked }));
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
      running: (this.current ?? this.besides)?.state(holder) ?? null,
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
    return this.current !== null || this.beside !== null || this.queue.length > 0;
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
  private get besides(): Job | null {
    return this.beside !== null && !this.beside.isOver && !this.beside.isEnding ? this.beside : null;
  }

  /** Stops the running job and drops the queue; finished batches are kept. Returns whether there was any job. */
  async stop(): Promise<boolean> {
    const waiting = this.queue.splice(0);
    for (const job of waiting) job.fail(STOPPED);
    const atWork = [this.current, this.beside].filter((job) => job !== null);
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

  /** Requests the graph of a snapshot that was searched: a question about the graph usually follows. */
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

  /** Returns a running or queued job of any kind that indexes this snapshot. */
  private underWay(origin: SnapshotOrigin): Job | null {
    const isOf = (job: Job | null) => job?.origin.key === origin.key;
    const waiting = this.queue.find(isOf);
    const job = [this.lasting, this.besides].find(isOf) ?? waiting;
    job?.raise('index');
    if (job !== undefined && job === waiting) this.hurry(waiting);
    return job ?? null;
  }

  /**
   * Indexes a snapshot; links it as well if it is checked out, since one process does both sooner. Two do so where nothing is indexed
   * yet: both take much memory then.
   */
  private askIndex(origin: SnapshotOrigin): Job {
    const isFirst = this.session.shards.readManifest().shards.length === 0;
    return this.ask(isFirst || !isCheckedOut(origin) ? 'index' : 'link', origin, 'index');
  }

  private ask(kind: JobKind, origin: SnapshotOrigin, asked: Asked = 'all'): Job {
    const key = `${kind} ${origin.key}`;
    if (this.isClosed) throw new SocraticodeError('CANCELLED', 'the repository was closed');
    const atWork = [this.lasting, this.besides].find((job) => job?.key === key);
    if (atWork) {
      atWork.raise(asked);
      return atWork;
    }
    const waiting = this.queue.find((job) => job.key === key);
    const job = waiting ?? new Job(kind, origin, asked);
    job.raise(asked);
    if (waiting === undefined) this.queue.push(job);
    if (asked !== 'nothing') this.hurry(job);
    this.next();
    this.changed();
    return job;
  }

  /** Moves a job to the head of the queue. A running one that only embeds makes way, and one that links in advance goes on beside it. */
  private hurry(job: Job): void {
    this.queue.splice(this.queue.indexOf(job), 1);
    this.queue.unshift(job);
    const { lasting, besides } = this;
    if (!lasting?.isIndexed || !(lasting.kind === 'full' || lasting.isAhead)) return;
    // One that a question has asked for meanwhile is not given up: then this one makes way.
    if (lasting.isLinking && (besides === null || besides.isAhead)) {
      this.beside?.stop();
      this.beside?.process?.kill();
      this.beside = lasting;
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
    const process = this.resting.take() ?? new JobProcess();
    job.started(process);
    void process
      .run(job.request(this.directory), (message) => this.hear(job, message))
      .then(() => {
        if (this.running === job) this.running = null;
        if (this.beside === job) this.beside = null;
        if (this.isClosed) process.stop();
        else if (process.isAlive) this.resting.keep(process);
        this.next();
        this.changed();
      });
  }

  private hear(job: Job, message: JobMessage): void {
    job.isOver = message.type === 'done' || message.type === 'failed';
    if (message.type === 'done') {
      this.last = job.last({ report: message.report });
      job.succeed(message.report);
    } else if (message.type !== 'failed') job.hear(message);
    else if (this.mayResume(job)) this.queue.push(job);
    // A process that was just starting is ended by the signal and reports that instead.
    else this.failed(job, job.isStopped ? STOPPED : message.error);
    this.changed();
  }

  /** Returns whether a paused job continues. A graph linked in advance does not, once HEAD has moved on. */
  private mayResume(job: Job): boolean {
    return job.resumes && !this.isClosed && !(job.isAhead && this.queue.some(({ isAhead }) => isAhead));
  }

  private failed(job: Job, plain: LastRun['error'] & object): void {
    this.last = job.last({ error: plain });
    if (plain.code !== 'CANCELLED') {
      this.failures.add(job.key, asError(plain));
      // Linking indexes first, so its early failure is a failure to index.
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
