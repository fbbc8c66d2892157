/** `graph stats` */
import { statsOf } from './measure.js';
import { type GraphQuestion, type GraphSource, prepareQuestion } from '../snapshot-graph.js';
import type { Session } from '../../../session/session.js';
import type { GraphStatsResponse } from '../../../engine/contract.js';

export async function runGraphStats(
  session: Session,
  options: GraphQuestion,
  graphs?: GraphSource,
): Promise<GraphStatsResponse> {
  const { graph, header } = await prepareQuestion(session, options, graphs);
  return { ...header, ...statsOf(graph, options.limit) };
}
