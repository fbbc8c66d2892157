/** Indexing by a server at an agent's request: begin and wait, stop, delete, watch. */
import { join } from 'node:path';
import { lockHolder } from '../../../base/lock.js';
import { localStateDirectory } from '../../../git/repository.js';
import { type BackgroundState, describeRun } from '../../../serve/background-protocol.js';
import type { Project } from '../../../serve/project.js';
import type { Asker, ServerSide } from '../../asker.js';
import type { ServerIndexValues } from '../question.js';
import { describeExtensions } from './extensions.js';
import type { Indexing, StopReport } from './output.js';

/** A few files are indexed by then; of more, the state is told. */
const MOMENT_MS = 2_000;
/** Clients wait a minute for a reply. */
export const LONG_MS = 50_000;

const answerIn =
  (waitMs: number) =>
  ({ server, signal, progress }: Asker, values: ServerIndexValues): Promise<Indexing> =>
    indexProject((server as ServerSide).project, { ...values, signal, tell: progress, waitMs });

/** Answers of the two tools that index, by how long they wait. */
export const answerServerIndex = { moment: answerIn(MOMENT_MS), long: answerIn(LONG_MS) };

export type Tell = (done: number, total: number | null, message: string) => void;

interface IndexRequest {
  ref?: string;
  /** As the tool takes them: `.tpl,.inc`. */
  extraExtensions?: string;
  /** How long to wait, in milliseconds; the run goes on either way. */
  waitMs: number;
  signal?: AbortSignal;
  tell?: Tell;
}

/** Begins to index, or joins the run that does so already. Throws UNKNOWN_REF, BAD_ARGUMENT and CANCELLED. */
export async function indexProject(project: Project, request: IndexRequest): Promise<Indexing> {
  const { ref, extraExtensions, waitMs, signal, tell } = request;
  const { session, background } = project;
  const named = extraExtensions === undefined ? null : await describeExtensions(session, extraExtensions, ref);
  const { resolved } = await session.origin(ref, { unborn: true });
  const onProgress = tell && ((state: BackgroundState) => tellState(state, tell));
  const outcome = await background.update({ ref }, { waitMs, signal, onProgress });
  const about = {
    schemaVersion: 1 as const,
    ...{ ref: resolved.ref, commit: resolved.commit, progress: null, report: null, error: null },
    ...(named !== null && { extensions: named }),
  };
  if (outcome.status === 'done') return { ...about, state: 'done', report: outcome.report };
  if (outcome.status === 'running') return { ...about, state: 'running', progress: progressOf(outcome.state) };
  const { code, message, hint } = outcome.error;
  return { ...about, state: 'failed', error: { code, message, hint } };
}

function progressOf({ running }: BackgroundState): NonNullable<Indexing['progress']> {
  if (running === null) return { phase: 'waiting', done: 0, total: null };
  const { phase, done, total } = running;
  return { phase, done, total: total === 0 ? null : total };
}

function tellState({ running }: BackgroundState, tell: Tell): void {
  if (running !== null) tell(running.done, running.total === 0 ? null : running.total, describeRun(running));
}

/** Ends the work of this server; other processes are left alone. */
export async function answerStop({ session, server }: Asker): Promise<StopReport> {
  const { background } = (server as ServerSide).project;
  const stopped = await background.stop();
  return {
    schemaVersion: 1,
    stopped,
    writer: lockHolder(join(localStateDirectory(session.repository), 'writer.lock')),
  };
}
