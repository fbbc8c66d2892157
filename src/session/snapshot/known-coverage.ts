/** Reads the coverage of a snapshot from the manifest, or counts it. Indexes nothing. */
import { PhaseTimer } from '../../indexer/report.js';
import { knownReport } from '../indexing/known-snapshot.js';
import type { Session } from '../session.js';
import { countUnits, coverageOf } from './coverage.js';
import type { SnapshotOrigin } from './snapshot.js';

/** Throws BAD_CONFIG. */
export async function readCoverage(
  session: Session,
  origin: SnapshotOrigin,
): Promise<{ covered: number; total: number }> {
  const known = await knownReport(session, origin, new PhaseTimer());
  if (known !== null) return { covered: known.files, total: known.files };
  const manifest = session.shards.readManifest();
  const shards = session.shards.openShards(manifest);
  return coverageOf(countUnits(await session.filesOf(origin), shards, manifest));
}
