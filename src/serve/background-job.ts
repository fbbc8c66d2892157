/**
 * Work of the child process that indexes and links for a server; `JobProcess` reads its messages. Its priority is low,
 * so that questions are answered first.
 */
import { setPriority } from 'node:os';
import { SocraticodeError, unexpected } from '../base/errors.js';
import { log, setLogCommand } from '../base/log.js';
import type { Progress } from '../base/progress.js';
import { ParserPool } from '../indexer/parser-pool.js';
import type { IndexReport } from '../indexer/report.js';
import { indexOrigin, warmMessages, warmView } from '../session/indexing/index-operation.js';
import { Session } from '../session/session.js';
import { isProvider } from '../session/vectors/vector-source.js';
import type { FromProcess, JobMessage, JobRequest, Phase, PlainError, ToProcess } from './job.js';

/** Shortest time between two progress messages: each one wakes the server. */
const REPORT_MS = 100;
/** Milliseconds until the first publication of finished files: before the 2 s that the first question waits are over. */
const EARLY_MS = 800;
/** Another process may index for minutes; meanwhile the server answers from the indexed files. */
const LOCK_WAIT_MS = 30 * 60_000;
/** Time to release the lock after the server has exited. */
const LINGER_MS = 2_000;

/** Parsers of the last job: the next job finds one of them ready. */
let parsers: ParserPool | null = null;
/** Ends the present job. */
let cancel: AbortController | null = null;
/** Ends what is done between two jobs. */
let pause: AbortController | null = null;
/** True once this process was told to end. */
let isEnding = false;

function send(message: FromProcess, then: () => void = () => {}): void {
  // Without a channel the server is gone: `disconnect` ends this process.
  if (process.connected) process.send?.(message, then);
}

const progress: Progress & { reportedAt: number } = {
  reportedAt: 0,
  update(done, total, note) {
    const now = performance.now();
    if (now - this.reportedAt < REPORT_MS && done < total) return;
    this.reportedAt = now;
    send({ type: 'progress', done, total, note: note ?? null });
  },
  finish() {},
};

function onPhase(phase: Phase): void {
  send({ type: 'phase', phase });
}

/** Links the files that were read so far, while another process indexes. */
async function linkPart({ directory, origin }: JobRequest, signal: AbortSignal): Promise<number> {
  const [session, { graphsOf }] = await Promise.all([
    Session.open({ directory }),
    import('../session/graph/graphs.js'),
  ]);
  try {
    return await graphsOf(session).commits.keepPart(origin, signal);
  } finally {
    session.close();
  }
}

async function run({ directory, kind, origin }: JobRequest, signal: AbortSignal): Promise<IndexReport> {
  const session = await Session.open({ directory });
  try {
    const { config } = await session.configOfOrigin(origin);
    // A question does not wait for a provider's vectors: until they exist, words find code.
    const isSearchable = (phase: Phase) => phase === 'vectors' && (kind === 'full' || isProvider(config.embedder));
    const report = await indexOrigin(session, origin, {
      parsers: lastingParsers(),
      ...{ progress, signal, waitMs: LOCK_WAIT_MS, early: EARLY_MS, implicit: kind !== 'full', gentle: true },
      onPhase: (phase) => {
        onPhase(phase);
        if (isSearchable(phase)) send({ type: 'indexed', report: null });
      },
    });
    await warmView(session, origin, signal);
    send({ type: 'indexed', report });
    if (kind === 'link') {
      onPhase('linking');
      const { graphsOf } = await import('../session/graph/graphs.js');
      await graphsOf(session).commits.linkWithMemory(origin, { signal });
    }
    return report;
  } finally {
    session.close();
  }
}

function lastingParsers(): ParserPool {
  if (parsers === null || parsers.isStopped) parsers = new ParserPool(undefined, undefined, true);
  return parsers;
}

function plain(error: unknown, signal: AbortSignal): PlainError {
  const known = signal.aborted
    ? new SocraticodeError('CANCELLED', 'indexing was stopped; what was finished is kept')
    : unexpected(error);
  log.failure(known);
  const { code, message, hint } = known;
  return { code, message, hint };
}

/** Memory above which this process ends with its job, in bytes, to give it back. A smaller process stays for the next commit. */
const STAYS_BELOW_BYTES = 240 << 20;

/**
 * Does the jobs of the server, one after the other, `early` messages first. `onDone` runs after the first successful job. The
 * process ends with the server, when it is told to, and after a job that took much memory or linked a part. Between two jobs it compares
 * commits.
 */
export function answerServer(early: readonly ToProcess[], onDone: () => void): void {
  process.on('SIGTERM', () => {
    if (cancel === null) process.exit(0);
    isEnding = true;
    cancel.abort();
  });
  // The server may have ended while this module was loaded.
  if (!process.connected) process.exit(1);
  process.once('disconnect', () => {
    if (cancel === null) process.exit(0);
    cancel.abort();
    setTimeout(() => process.exit(1), LINGER_MS).unref();
  });
  setLogCommand('mcp');
  let hasSucceeded = false;
  const hear = (message: ToProcess) => {
    pause?.abort();
    if (message.kind === 'cancel') cancel?.abort();
    else
      void doJob(message, () => {
        if (!hasSucceeded) onDone();
        hasSucceeded = true;
      });
  };
  process.on('message', hear);
  for (const message of early) hear(message);
}

async function doJob(request: JobRequest, onDone: () => void): Promise<void> {
  cancel = new AbortController();
  const { signal } = cancel;
  // A question already waits for a graph of a part.
  if (request.kind !== 'part') yieldToOthers();
  const last = await lastMessage(request, signal).catch(
    (error): JobMessage => ({ type: 'failed', error: plain(error, signal) }),
  );
  if (!process.connected) process.exit(1);
  cancel = null;
  const mayStay = !isEnding && request.kind !== 'part';
  const isLarge = () => process.memoryUsage.rss() >= STAYS_BELOW_BYTES;
  send(last, async () => {
    if (last.type === 'done') onDone();
    if (!mayStay || (last.type !== 'done' && isLarge())) process.exit(0);
    send({ type: 'free' });
    if (last.type === 'done') await keepMessages(request);
    if (cancel === null && isLarge()) process.exit(0);
  });
}

/** Compares commits for later searches while there is nothing else to do: the next job ends it. */
async function keepMessages({ directory, origin }: JobRequest): Promise<void> {
  pause = new AbortController();
  const session = await Session.open({ directory });
  try {
    await warmMessages(session, origin.resolved.commit, pause.signal);
  } catch (error) {
    log.debug(`messages of commits are not kept: ${(error as Error).message}`);
  } finally {
    session.close();
  }
}

async function lastMessage(request: JobRequest, signal: AbortSignal): Promise<JobMessage> {
  if (request.kind === 'part') return { type: 'part', files: await linkPart(request, signal) };
  const report = await run(request, signal);
  // Unfinished vectors are a fault in the report; after a stop, the job itself has failed.
  return signal.aborted && report.vectors.fault !== null
    ? { type: 'failed', error: plain(report.vectors.fault, signal) }
    : { type: 'done', report };
}

/** Value as in nice(1): high enough that a server answers while two parsers run, low enough that a build does not starve them. */
const PRIORITY = 5;

/** Lowers the priority of this process and of those that it starts. */
export function yieldToOthers(): void {
  try {
    setPriority(PRIORITY);
  } catch {
    // Some systems forbid it.
  }
}
