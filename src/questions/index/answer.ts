/** `index`: indexes a ref, or says what that would do. */
import { createProgress } from '../../base/progress.js';
import type { Session } from '../../session/session.js';
import { type ParserPool, startParsers } from '../../session/speculation.js';
import type { Asker } from '../asker.js';
import type { DryRun, IndexReport } from './output.js';
import type { IndexValues } from './question.js';

type IndexDocument = { schemaVersion: 1 } & (DryRun | IndexReport);

/** A parser boots while the modules are loaded and the repository is opened. Throws what `indexRef` throws. */
export async function answerIndex(at: Asker, values: IndexValues): Promise<IndexDocument> {
  const parsers = values.dryRun ? undefined : startParsers();
  try {
    const { Session } = await import('../../session/session.js');
    const session = await Session.open({ directory: at.directory });
    try {
      return { schemaVersion: 1, ...(await run(session, { ...values, parsers, signal: at.signal })) };
    } finally {
      session.close();
    }
  } finally {
    parsers?.stop();
  }
}

type Request = IndexValues & { parsers: ParserPool | undefined; signal: AbortSignal };

async function run(
  session: Session,
  { ref, dryRun, pull, jobs, history: window, parsers, signal }: Request,
): Promise<DryRun | IndexReport> {
  if (dryRun) return (await import('./dry-run.js')).dryRun(session, { ref });
  const { indexRef } = await import('../../session/indexing/index-operation.js');
  if (pull) await pullFirst(session, ref, signal);
  const report = await indexRef(session, { ref, signal, parsers, jobs });
  const { warmSearch } = await import('../../session/snapshot/warm.js');
  await warmSearch(session, ref, signal);
  if (window === undefined) return report;
  const { recordHistory } = await import('../../session/indexing/history-records.js');
  const history = await recordHistory(session, { ref, window, jobs, signal });
  // The manifest learns of the new records, so that the next run has nothing to do.
  if (history.new > 0) await indexRef(session, { ref, signal, unlogged: true });
  return { ...report, history };
}

async function pullFirst(session: Session, ref: string | undefined, signal: AbortSignal): Promise<void> {
  const { pullMissingModel } = await import('./pull-model.js');
  const progress = createProgress('pulling the model', 'MB');
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  try {
    await pullMissingModel(
      session,
      ref,
      ({ status, completed, total }) => progress.update(megabytes(completed), megabytes(total), status),
      signal,
    );
  } finally {
    progress.finish();
  }
}
