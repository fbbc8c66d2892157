/** Functions of the hottest files, by the newest commits that changed them. */
import { isFunction, isLocalFunction, usesOf } from '../../graph/query/uses.js';
import type { LoggedCommit } from '../../history/change-log.js';
import { symbolsInFiles } from '../../session/history/commit-symbols.js';
import type { Asker } from '../asker.js';
import type { GraphAndHeader } from '../graph/snapshot-graph.js';
import { churnOf, complexityOf, depthsOf, hotspotOf, hottestFirst } from './answer.js';
import type { Hotspot, HotspotsDocument } from './question.js';

/** Hottest files whose functions are ranked. */
const MAX_FILES = 10;
/** Most commits that are compared: parsing old versions takes 10 ms a file, once. */
const MAX_COMMITS = 60;

interface FunctionsQuestion {
  /** Begins with the hottest. */
  files: readonly Hotspot[];
  log: readonly LoggedCommit[];
}

export async function hotFunctions(
  { session, signal }: Asker,
  { graph }: GraphAndHeader,
  { files, log }: FunctionsQuestion,
): Promise<{ compared: NonNullable<HotspotsDocument['compared']>; list: Hotspot[] }> {
  const hottest = files.slice(0, MAX_FILES).map(({ path }) => path);
  const isHot = new Set(hottest);
  const touching = log.filter(({ paths }) => paths.some((path) => isHot.has(path))).slice(0, MAX_COMMITS);
  const changed = await symbolsInFiles(session, touching, { names: isHot, signal });
  const sets = touching.map(({ commit, age, authored, renamed }) => {
    const keys = (changed.get(commit) ?? []).map(({ path, symbol }) => keyOf(renamed?.get(path) ?? path, symbol));
    return { age, authored, paths: [...new Set(keys)] };
  });
  const churns = churnOf(sets, new Set(sets.flatMap(({ paths }) => paths)));
  const lists = await Promise.all(
    hottest.map(async (path) => {
      const file = graph.findFile(path);
      const object = await session.objects.read(graph.tables.files[file].oid);
      const depths = depthsOf(object?.content.toString('latin1') ?? '');
      return nodesOf(graph, file).flatMap((node): Hotspot[] => {
        const churn = churns.get(keyOf(path, graph.qualifiedName(node)));
        if (churn === undefined || !isFunction(graph, node) || isLocalFunction(graph, node)) return [];
        const uses = usesOf(graph, node);
        const measured = complexityOf(depths, graph.startLine(node), graph.endLine(node));
        // The logarithm keeps a hundred uses from counting a hundred times as much as one.
        return [hotspotOf({ graph }, node, { churn, centrality: Math.log2(2 + uses), uses, measured })];
      });
    }),
  );
  const compared = { files: hottest.length, commits: touching.length };
  return { compared, list: lists.flat().sort(hottestFirst) };
}

function nodesOf(graph: GraphAndHeader['graph'], file: number): number[] {
  const first = graph.fileNode(file) + 1;
  return Array.from({ length: Math.max(0, graph.tables.nodeBase[file + 1] - first) }, (_, i) => first + i);
}

/** Joins with NUL, which no path holds. */
const keyOf = (path: string, symbol: string): string => `${path}\0${symbol}`;
