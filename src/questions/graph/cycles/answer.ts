/** Answers `graph cycles`. */
import type { Asker } from '../../asker.js';
import { LISTED } from '../limits.js';
import { prepareGraph } from '../snapshot-graph.js';
import { findCycles } from './find-cycles.js';
import type { GraphCyclesResponse } from './output.js';
import type { CyclesValues } from './question.js';

export async function answerCycles(at: Asker, values: CyclesValues): Promise<GraphCyclesResponse> {
  const { graph, header } = await prepareGraph(at, values);
  const { types, symbols, limit = LISTED.cycles } = values;
  return { ...header, ...findCycles(graph, { types, symbols, limit }) };
}
