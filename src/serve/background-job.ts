/** Work of the child process that indexes and links for a server; `job-process` reads its messages. */
import { SocraticodeError, unexpected } from '../base/errors.js';
import { log, setLogCommand } from '../base/log.js';
import type { Progress } from '../base/progress.js';
import type { IndexReport } from '../indexer/report.js';
import { indexOrigin } from '../session/indexing/index-operation.js';
import { Session } from '../session/session.js';
import { warmView } from '../session/snapshot/warm.js';
import { isProvider } from '../session/vectors/vector-source.js';
import type { JobMessage, JobRequest, Phase, PlainError } from './background-protocol.js';
import { yieldToOthers } from './priority.js';

/** Shortest time between two progress messages: each one wakes the server. */
const TELL_MS = 100;
/** First publication of finished files: before the 2 s that the first question waits are over. */
const EARLY_MS = 800;
/** Another process may index for minutes; the server answers from the indexed files until it is done. */
const LOCK_WAIT_MS = 30 * 60_000;
/** Time to release the lock after the server has exited. */
const LINGER_MS = 2_000;

const cancel = new AbortController();

function tell(message: JobMessage, then: () => void = () => {}): void {
  // Without a channel the server has exited: `disconnect` ends this process.
  if (process.connected) process.send?.(message, then);
}

const progress: Progress & { told: number } = {
  told: 0,
  update(done, total, note) {
    const now = performance.now();
    if (now - this.told < TELL_MS && done < total) return;
    this.told = now;
    tell({ type: 'progress', done, total, note: note ?? null });
  },
  finish() {},
};

function onPhase(phase: Phase): void {
  tell({ type: 'phase', phase });
}

/** Links what is read so far; another process indexes meanwhile. */
async function linkPart({ directory, origin }: JobRequest): Promise<number> {
  const [session, { GraphPreparer }] = await Promise.all([
    Session.open({ directory }),
    import('../session/graph/prepare.js'),
  ]);
  try {
    return await new GraphPreparer(session).keepPart(origin, cancel.signal);
  } finally {
    session.close();
  }
}

async function run({ directory, kind, origin }: JobRequest): Promise<IndexReport> {
  const { signal } = cancel;
  const session = await Session.open({ directory });
  try {
    const { config } = await session.configOfOrigin(origin);
    // A question does not wait for a provider's vectors: words find code by then.
    const isSearchable = (phase: Phase) => phase === 'vectors' && (kind === 'full' || isProvider(config.embedder));
    const report = await indexOrigin(session, origin, {
      ...{ progress, signal, waitMs: LOCK_WAIT_MS, early: EARLY_MS, implicit: kind !== 'full', gentle: true },
      onPhase: (phase) => {
        onPhase(phase);
        if (isSearchable(phase)) tell({ type: 'indexed', report: null });
      },
    });
    await warmView(session, origin, signal);
    tell({ type: 'indexed', report });
    if (kind === 'link') {
      onPhase('linking');
      const { GraphPreparer } = await import('../session/graph/prepare.js');
      await new GraphPreparer(session).keepLinked(origin, signal);
    }
    return report;
  } finally {
    session.close();
  }
}

function plain(error: unknown): PlainError {
  const known = cancel.signal.aborted
    ? new SocraticodeError('CANCELLED', 'indexing was stopped; what was finished is kept')
    : unexpected(error);
  log.failure(known);
  const { code, message, hint } = known;
  return { code, message, hint };
}

/** Does the job that the server asks for, and ends this process with it. `onDone` runs before the end of a job that succeeded. */
export function answerServer(request: JobRequest, onDone: () => void): void {
  process.on('SIGTERM', () => cancel.abort());
  // While this module was loaded, the server may have gone.
  if (!process.connected) process.exit(1);
  process.once('disconnect', () => {
    cancel.abort();
    setTimeout(() => process.exit(1), LINGER_MS).unref();
  });
  // For a graph of a part a question is waiting already.
  if (request.kind !== 'part') yieldToOthers();
  setLogCommand('mcp');
  lastMessage(request)
    .catch((error): JobMessage => ({ type: 'failed', error: plain(error) }))
    .then((last) => {
      if (!process.connected) process.exit(1);
      if (last.type === 'done') onDone();
      tell(last, () => process.exit(0));
    });
}

async function lastMessage(request: JobRequest): Promise<JobMessage> {
  if (request.kind === 'part') return { type: 'part', files: await linkPart(request) };
  const report = await run(request);
  // Unfinished vectors are a fault in the report, but after a stop the job counts as failed.
  return cancel.signal.aborted && report.vectors.fault !== null
    ? { type: 'failed', error: plain(report.vectors.fault) }
    : { type: 'done', report };
}
