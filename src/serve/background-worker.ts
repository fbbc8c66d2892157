/** A process that indexes, and links, for a server: `job-process` starts it, tells it what to do and listens to it. */
import { SocraticodeError, unexpected } from '../base/errors.js';
import { log, setLogCommand } from '../base/log.js';
import type { Progress } from '../base/progress.js';
import type { IndexReport } from '../indexer/report.js';
import { indexOrigin } from '../session/indexing/index-operation.js';
import { Session } from '../session/session.js';
import { warmOrigin } from '../session/snapshot/prepare.js';
import { isProvider } from '../session/vectors/vector-source.js';
import type { JobMessage, JobRequest, Phase, PlainError } from './background-protocol.js';
import { yieldToOthers } from './priority.js';

/** Told no more often than this: each message wakes the server. */
const TELL_MS = 100;
/** Whoever asks first waits two seconds: by then something should be found. */
const EARLY_MS = 800;
/** Another process may index for minutes; as long as it does, the server answers from what there is. */
const LOCK_WAIT_MS = 30 * 60_000;
/** After the server has gone, this long is left for letting go of the lock. */
const LINGER_MS = 2_000;

const cancel = new AbortController();

function tell(message: JobMessage, then: () => void = () => {}): void {
  // Without a channel nobody is there any more: `disconnect` ends this process.
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

async function run({ directory, kind, origin }: JobRequest): Promise<IndexReport> {
  const { signal } = cancel;
  const session = await Session.open({ directory });
  try {
    const { config } = await session.configOfOrigin(origin);
    // Nobody waits for another machine: words find code by then.
    const isSearchable = (phase: Phase) => phase === 'vectors' && (kind === 'full' || isProvider(config.embedder));
    const report = await indexOrigin(session, origin, {
      ...{ progress, signal, waitMs: LOCK_WAIT_MS, early: EARLY_MS, implicit: kind !== 'full' },
      onPhase: (phase) => {
        onPhase(phase);
        if (isSearchable(phase)) tell({ type: 'indexed', report: null });
      },
    });
    await warmOrigin(session, origin, signal);
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

process.on('SIGTERM', () => cancel.abort());
// Typed in the terminal of the server, which decides itself whether to end.
process.on('SIGINT', () => {});
process.once('disconnect', () => {
  cancel.abort();
  setTimeout(() => process.exit(1), LINGER_MS).unref();
});
process.once('message', (request: JobRequest) => {
  yieldToOthers();
  setLogCommand('mcp');
  run(request)
    .then(
      // Vectors that were not finished are a fault in a report; whoever stopped them means that nothing is finished.
      (report): JobMessage =>
        cancel.signal.aborted && report.vectors.fault !== null
          ? { type: 'failed', error: plain(report.vectors.fault) }
          : { type: 'done', report },
      (error): JobMessage => ({ type: 'failed', error: plain(error) }),
    )
    .then((last) => {
      if (!process.connected) process.exit(1);
      tell(last, () => process.exit(0));
    });
});
