/** `graph status` and `graph remove`: what is linked and kept, without linking anything. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isLink } from '../../../base/atomic.js';
import { STATE_FOLDER } from '../../../base/local-key.js';
import { localStateDirectory } from '../../../git/repository.js';
import { LINK_VERSION } from '../../../graph/link/version.js';
import { statsOf } from '../stats/measure.js';
import type { BackgroundState } from '../../../serve/background-protocol.js';
import { GraphCache } from '../../../session/graph/graph-cache.js';
import { GraphPreparer } from '../../../session/graph/prepare.js';
import type { Session } from '../../../session/session.js';
import type { GraphRemoveReport, GraphStatus } from '../../../engine/contract.js';

/** `background`: what runs beside the session that may be linking it. Throws UNKNOWN_REF. */
export async function readGraphStatus(
  session: Session,
  { ref, background }: { ref?: string; background?: BackgroundState },
  graphs: Pick<GraphPreparer, 'known'> = new GraphPreparer(session),
): Promise<GraphStatus> {
  const origin = await session.origin(ref, { unborn: true });
  const known = graphs.known(origin);
  const { resolved } = origin;
  const building = background === undefined ? null : buildingOf(background, resolved);
  return {
    schemaVersion: 1,
    ref: resolved.ref,
    commit: resolved.commit,
    state: building !== null ? 'building' : known === null ? 'none' : 'linked',
    version: LINK_VERSION,
    coverage: known?.note.coverage ?? null,
    graph: known && sizesOf(known.graph),
    building,
    cache: new GraphCache(session.shards.directory).size(),
  };
}

/** A link of that commit that runs or waits. */
function buildingOf(
  { running, queued }: BackgroundState,
  { ref, commit }: { ref: string; commit: string | null },
): GraphStatus['building'] {
  if (running?.kind === 'link' && running.ref === ref && running.commit === commit)
    return { phase: running.phase, done: running.done, total: running.total === 0 ? null : running.total };
  const isQueued = queued.some((job) => job.kind === 'link' && job.ref === ref);
  return isQueued ? { phase: 'waiting', done: 0, total: null } : null;
}

function sizesOf(graph: Parameters<typeof statsOf>[0]): NonNullable<GraphStatus['graph']> {
  const { files, symbols, edges, calls, imports } = statsOf(graph, { connected: 0, orphans: 0 });
  const count = Object.values(edges).reduce((sum, each) => sum + each, 0);
  return { files, symbols, edges: count, calls, imports };
}

/** Deletes the linked graphs of this repository, those of other versions of this program too. Throws DISK. */
export function removeGraphs(session: Session, graphs?: Pick<GraphPreparer, 'forget'>): GraphRemoveReport {
  graphs?.forget();
  const state = localStateDirectory(session.repository);
  const removed = { files: 0, bytes: 0 };
  for (const folder of foldersIn(state)) {
    const { files, bytes } = new GraphCache(join(state, folder), session.readChanges === null).clear();
    removed.files += files;
    removed.bytes += bytes;
  }
  return { schemaVersion: 1, removed };
}

function foldersIn(state: string): string[] {
  try {
    return isLink(state) ? [] : readdirSync(state).filter((name) => STATE_FOLDER.test(name));
  } catch {
    return [];
  }
}
