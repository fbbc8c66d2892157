/** Answers `hotspots`: files, or functions of the hottest files, by churn x centrality x complexity. */
import { isOnMap, shareOfBest } from '../../graph/query/central.js';
import { cut, isTest } from '../../graph/query/place.js';
import { tellingCommits } from '../../history/change-log.js';
import { complexityOf, depthsOf } from '../../history/indentation.js';
import { secondsOf } from '../../session/history/scope.js';
import { retried } from '../../session/retry.js';
import type { Asker } from '../asker.js';
import { type GraphAndHeader, prepareGraph } from '../graph/snapshot-graph.js';
import { allPathsNamed, openPast, windowOf } from '../past/places.js';
import { type Churn, churnOf, hotspotOf, hottestFirst } from './heat.js';
import type { Hotspot, HotspotsDocument } from './output.js';
import type { HotspotsValues } from './question.js';

/** Throws BAD_ARGUMENT for a path that the history does not know and for a text that is no date, and UNKNOWN_REF. */
export async function answerHotspots(at: Asker, values: HotspotsValues): Promise<HotspotsDocument> {
  return retried(at.session, values.ref, () => answerOnce(at, values));
}

async function answerOnce(at: Asker, values: HotspotsValues): Promise<HotspotsDocument> {
  const { paths = [], since, ref, limit, symbols } = values;
  const from = since === undefined ? -Infinity : await secondsOf(at.session, since);
  const past = await openPast(at, ref);
  const prepared = await prepareGraph(at, { ref, committed: true, isRetried: true });
  const named = await allPathsNamed(past, paths.length === 0 ? ['.'] : paths);
  const log = tellingCommits(past.log).filter(({ time }) => time >= from);
  const { churns, aside } = rankedFiles(prepared, churnOf(log, named), values);
  const files = await measureFiles(at, prepared, churns);
  const shared = { ...prepared.header, ref: past.ref, window: windowOf(past), paths, ...(since && { since }), aside };
  if (!symbols) return { ...shared, hotspots: cut(files, limit) };
  const { hotFunctions } = await import('./functions.js');
  const { compared, list } = await hotFunctions(at, prepared, { files, log });
  return { ...shared, compared, hotspots: cut(list, limit) };
}

/** Leaves out what nobody would refactor: tests unless they are asked for, copies, text and data, files that are gone. */
function rankedFiles(
  { graph }: GraphAndHeader,
  all: ReadonlyMap<string, Churn>,
  { tests }: HotspotsValues,
): { churns: Map<number, Churn>; aside: HotspotsDocument['aside'] } {
  const churns = new Map<number, Churn>();
  const aside = { tests: 0, others: 0 };
  for (const [path, churn] of all) {
    const file = graph.findFile(path);
    if (file >= 0 && (isOnMap(graph, file) || (tests && isTest(graph, file)))) churns.set(file, churn);
    else if (file >= 0 && isTest(graph, file)) aside.tests++;
    else aside.others++;
  }
  return { churns, aside };
}

async function measureFiles(
  { session: { objects } }: Asker,
  { graph }: GraphAndHeader,
  churns: ReadonlyMap<number, Churn>,
): Promise<Hotspot[]> {
  const spots = await Promise.all(
    [...churns].map(async ([file, churn]) => {
      const depths = depthsOf((await objects.read(graph.tables.files[file].oid))?.content.toString('latin1') ?? '');
      const factors = { churn, centrality: shareOfBest(graph, file), measured: complexityOf(depths) };
      return hotspotOf({ graph }, graph.fileNode(file), factors);
    }),
  );
  return spots.sort(hottestFirst);
}
