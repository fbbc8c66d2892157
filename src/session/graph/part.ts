/** The graph of the files that are read so far, while a first index is still at work. */

import type { Session } from '../session.js';
import { countUnits, coverageOf } from '../snapshot/coverage.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { linkCommitted } from './link-committed.js';
import type { LinkedGraph } from './linked-files.js';

/** Parses nothing and indexes nothing. Returns null where no file is read yet. Throws GIT_FAILED and CANCELLED. */
export async function linkPart(
  session: Session,
  origin: SnapshotOrigin,
  signal?: AbortSignal,
): Promise<Pick<LinkedGraph, 'graph' | 'note'> | null> {
  const manifest = session.shards.readManifest();
  const shards = session.shards.openShards(manifest);
  const { total } = coverageOf(countUnits(await session.filesOf(origin), shards, manifest));
  const { graph } = await linkCommitted(session, { origin, shards, previous: () => null, parsers: null, signal });
  const unread = graph.tables.files.filter(({ state }) => state === 'unreadable').length;
  const coverage = { covered: Math.max(0, total - unread), total };
  return coverage.covered === 0 ? null : { graph, note: { coverage, state: null } };
}
