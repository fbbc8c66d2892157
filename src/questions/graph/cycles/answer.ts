/** `graph cycles` */
import { findCycles } from './find-cycles.js';
import { type GraphQuestion, type GraphSource, prepareQuestion } from '../snapshot-graph.js';
import type { Session } from '../../../session/session.js';
import type { GraphCyclesResponse } from '../../../engine/contract.js';

export interface CyclesOptions extends GraphQuestion {
  /** Let imports of types alone count. */
  types?: boolean;
  /** Functions that call each other. */
  symbols?: boolean;
}

const DEFAULT_LIMIT = 20;

export async function runCycles(
  session: Session,
  options: CyclesOptions,
  graphs?: GraphSource,
): Promise<GraphCyclesResponse> {
  const { graph, header } = await prepareQuestion(session, options, graphs);
  const { types, symbols, limit = DEFAULT_LIMIT } = options;
  return { ...header, ...findCycles(graph, { types, symbols, limit }) };
}
