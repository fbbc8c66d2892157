/** Indexing by a server at an agent's request: begin and wait, stop, delete, watch. */
import { join } from 'node:path';
import { lockHolder } from '../../../base/lock.js';
import { localStateDirectory } from '../../../git/repository.js';
import { overlayDirectory } from '../../../overlay/state-file.js';
import { type BackgroundState, describeRun } from '../../../serve/background-protocol.js';
import type { Project } from '../../../serve/project.js';
import type { RemoveReport } from '../../compact/output.js';
import { removeIndex } from '../../remove/answer.js';
import { describeExtensions } from './extensions.js';
import type { Indexing, StopReport, WatchReport } from './output.js';

export type Tell = (done: number, total: number | null, message: string) => void;

export interface IndexRequest {
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

/** Ends what this server does; what others do is theirs. */
export async function stopIndexing({ session, background }: Project): Promise<StopReport> {
  const stopped = await background.stop();
  return {
    schemaVersion: 1,
    stopped,
    writer: lockHolder(join(localStateDirectory(session.repository), 'writer.lock')),
  };
}

/** Deletes the local index; the next question makes it anew. Throws LOCKED, GIT_FAILED and DISK. */
export async function removeProject(
  { session, background }: Project,
  signal?: AbortSignal,
): Promise<RemoveReport & { schemaVersion: 1 }> {
  await background.stop();
  return { schemaVersion: 1, ...(await removeIndex(session, { signal })) };
}

/** A server notices changes by itself; `start` catches up with them now. */
export async function watchProject(
  project: Project,
  { action, ...request }: Omit<IndexRequest, 'ref' | 'extraExtensions'> & { action: WatchReport['action'] },
): Promise<WatchReport> {
  const { repository, shards } = project.session;
  const isBare = repository.workTree === null;
  const indexing = action === 'start' ? await indexProject(project, request) : null;
  if (action === 'start') await project.startWatching();
  return {
    schemaVersion: 1,
    action,
    watches: project.watches,
    watcher: isBare ? null : lockHolder(join(overlayDirectory(shards.directory, repository.gitDir), 'watch.lock')),
    reason: isBare ? 'a bare repository has no work tree' : null,
    indexing,
  };
}
