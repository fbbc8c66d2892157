/** `graph path`: the shortest way from one thing to another. */
import { SocraticodeError } from '../../../base/errors.js';
import { pathBetween } from './find-path.js';
import { resolveTarget } from '../../../graph/query/target.js';
import {
  ambiguous,
  type GraphQuestion,
  type GraphSource,
  prepareQuestion,
} from '../snapshot-graph.js';
import type { Session } from '../../../session/session.js';
import type { GraphCandidates, GraphPathResponse } from '../../../engine/contract.js';

export interface PathOptions extends GraphQuestion {
  from: string;
  to: string;
  /** From `to` to `from`. */
  reverse?: boolean;
}

/** Throws BAD_ARGUMENT for names that nothing has, and for two that are the same. */
export async function runPath(
  session: Session,
  options: PathOptions,
  graphs?: GraphSource,
): Promise<GraphPathResponse | GraphCandidates> {
  const prepared = await prepareQuestion(session, options, graphs);
  const { graph, header, prefix } = prepared;
  const [from, to] = options.reverse ? [options.to, options.from] : [options.from, options.to];
  const start = resolveTarget(graph, from, { prefix });
  if ('candidates' in start) return ambiguous(prepared, { target: from, ...start, limit: options.limit });
  const goal = resolveTarget(graph, to, { prefix });
  if ('candidates' in goal) return ambiguous(prepared, { target: to, ...goal, limit: options.limit });
  if (start.nodes.some((node) => goal.nodes.includes(node)))
    throw new SocraticodeError('BAD_ARGUMENT', `${from} and ${to} are the same`, {
      hint: 'Name two different symbols or files.',
    });
  return { ...header, from, to, ...pathBetween(graph, start.nodes, goal.nodes) };
}
