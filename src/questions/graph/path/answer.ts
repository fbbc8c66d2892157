/** Answers `graph path`: the shortest way from one thing to another. */
import { SocraticodeError } from '../../../base/errors.js';
import { resolveTarget } from '../../../graph/query/target.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../candidates/output.js';
import { ambiguous, prepareGraph } from '../snapshot-graph.js';
import { pathBetween } from './find-path.js';
import type { GraphPathResponse } from './output.js';
import type { PathValues } from './question.js';

/** Throws BAD_ARGUMENT for a name that nothing has, and for two names of the same thing. */
export async function answerPath(at: Asker, values: PathValues): Promise<GraphPathResponse | GraphCandidates> {
  const { limit, reverse } = values;
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix } = prepared;
  const [from, to] = reverse ? [values.to, values.from] : [values.from, values.to];
  const start = resolveTarget(graph, from, { prefix });
  if ('candidates' in start) return ambiguous(prepared, { target: from, ...start, limit });
  const goal = resolveTarget(graph, to, { prefix });
  if ('candidates' in goal) return ambiguous(prepared, { target: to, ...goal, limit });
  if (start.nodes.some((node) => goal.nodes.includes(node)))
    throw new SocraticodeError('BAD_ARGUMENT', `${from} and ${to} are the same`, {
      hint: 'Name two different symbols or files.',
    });
  return { ...header, from, to, ...pathBetween(graph, start.nodes, goal.nodes) };
}
