/** Answers `graph stats`. */
import type { Asker } from '../../asker.js';
import { LISTED } from '../limits.js';
import { prepareGraph } from '../snapshot-graph.js';
import { statsOf } from './measure.js';
import type { GraphStatsResponse } from './output.js';
import type { StatsValues } from './question.js';

export async function answerStats(at: Asker, values: StatsValues): Promise<GraphStatsResponse> {
  const { graph, header } = await prepareGraph(at, values);
  const { limit } = values;
  return { ...header, ...statsOf(graph, { connected: limit ?? LISTED.connected, orphans: limit ?? LISTED.orphans }) };
}
