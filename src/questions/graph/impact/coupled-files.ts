/** Files that change in the same commits as the file of a target. */
import { cut } from '../../../graph/query/node-place.js';
import { coupledFiles, tellingCommits } from '../../../history/change-log.js';
import { readChangeLog } from '../../../session/history/change-log.js';
import type { Asker } from '../../asker.js';
import type { GraphAndHeader } from '../snapshot-graph.js';
import type { GraphImpactResponse } from './question.js';

/** Returns nothing for an empty history, and for a tree. */
export async function filesCoupledWith(
  { session, signal }: Asker,
  { graph, header }: GraphAndHeader,
  { paths, limit }: { paths: ReadonlySet<string>; limit: number },
): Promise<NonNullable<GraphImpactResponse['coupled']>> {
  if (header.commit === null) return cut([], limit);
  const log = tellingCommits(await readChangeLog(session, { tip: header.commit, signal }));
  const present = coupledFiles(log, paths).filter(({ path }) => graph.findFile(path) >= 0);
  return cut(present, limit);
}
