/** Watching by a server: whether it notices changes by itself, and catching up with them. */
import { join } from 'node:path';
import { lockHolder } from '../../../base/lock.js';
import { overlayDirectory } from '../../../overlay/state-file.js';
import type { Asker, ServerSide } from '../../asker.js';
import { indexProject, LONG_MS } from '../../index/server/answer.js';
import type { ServerWatchValues } from '../question.js';
import type { WatchReport } from './output.js';

/** A server notices changes by itself; `start` catches up with them now. */
export async function answerServerWatch(
  { server, signal, progress }: Asker,
  { action }: ServerWatchValues,
): Promise<WatchReport> {
  const { project } = server as ServerSide;
  const { repository, shards } = project.session;
  const isBare = repository.workTree === null;
  const indexing = action === 'start' ? await indexProject(project, { signal, tell: progress, waitMs: LONG_MS }) : null;
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
