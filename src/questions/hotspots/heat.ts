/** The heat of files and functions: churn x centrality x complexity. */
import { placeOf } from '../../graph/query/place.js';
import { type LoggedCommit, weightOf } from '../../history/change-log.js';
import { isoDate } from '../../history/owners.js';
import type { GraphAndHeader } from '../graph/snapshot-graph.js';
import type { Hotspot } from './output.js';

/** Changes of a file or a symbol. */
export interface Churn {
  churn: number;
  commits: number;
  last: string | null;
}

/** Changes of each path. `log`: newest first. */
export function churnOf(
  log: readonly Pick<LoggedCommit, 'age' | 'authored' | 'paths'>[],
  accepts: ReadonlySet<string>,
): Map<string, Churn> {
  const found = new Map<string, Churn>();
  for (const commit of log) {
    for (const path of commit.paths) {
      if (!accepts.has(path)) continue;
      const known = found.get(path) ?? { churn: 0, commits: 0, last: isoDate(commit.authored) };
      found.set(path, { ...known, churn: known.churn + weightOf(commit), commits: known.commits + 1 });
    }
  }
  return found;
}

interface Factors {
  churn: Churn;
  centrality: number;
  measured: Pick<Hotspot, 'complexity' | 'codeLines'>;
  uses?: number;
}

/** Factors are rounded before they are multiplied, so that the numbers that are shown give the product. */
export function hotspotOf({ graph }: Pick<GraphAndHeader, 'graph'>, node: number, factors: Factors): Hotspot {
  const { exported: _, ...place } = placeOf(graph, node);
  const churn = rounded(factors.churn.churn);
  const centrality = rounded(factors.centrality);
  const { uses, measured } = factors;
  const heat = rounded(churn * centrality * measured.complexity);
  return { ...place, heat, ...factors.churn, churn, centrality, ...(uses === undefined ? {} : { uses }), ...measured };
}

/** To three digits. */
const rounded = (value: number): number => Number(value.toPrecision(3));

/** Of equal heat, those that changed more, and then by their place. */
export const hottestFirst = (a: Hotspot, b: Hotspot): number =>
  b.heat - a.heat || b.churn - a.churn || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine);
