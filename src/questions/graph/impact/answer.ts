/** `graph impact`: what may break when a symbol, a file, or what differs between two refs changes. */
import { SocraticodeError } from '../../../base/errors.js';
import { placeOf } from '../../../graph/query/place.js';
import { resolveTarget } from '../../../graph/query/target.js';
import { parseRange, type Range } from '../../../session/snapshot/range.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../candidates/output.js';
import { LISTED } from '../limits.js';
import { ambiguous, prepareGraph } from '../snapshot-graph.js';
import { impactOf } from './impact.js';
import type { ChangesOptions } from './impact-of-changes.js';
import type { GraphImpactResponse } from './output.js';
import type { ImpactValues } from './question.js';

/** Limits of the lists. */
type ImpactLists = Pick<ChangesOptions, 'perHop' | 'limitInside'>;

/** Throws BAD_ARGUMENT for a name that nothing has, UNKNOWN_REF for a range of unknown refs. */
export async function answerImpact(at: Asker, values: ImpactValues): Promise<GraphImpactResponse | GraphCandidates> {
  const { target = '', file, limit, depth, minConfidence } = values;
  // Agents page through the list of each hop, and are told how much each of many changes affects, not what.
  const lists: ImpactLists = at.server === undefined ? {} : { perHop: true, limitInside: 0 };
  const options: ChangesOptions = { depth, minConfidence, limit: limit ?? LISTED.impact, ...lists };
  // An empty name is a mistake (a variable that is not set), not a question about what is uncommitted.
  if (values.target === undefined || isRange(target)) return impactOfRange(at, { ...values, target, options });
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix } = prepared;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit });
  const definitions = found.nodes.map((node) => placeOf(graph, node));
  const { others } = found;
  return { ...header, target, others, depth, minConfidence, definitions, ...impactOf(graph, found.nodes, options) };
}

/** Two dots that no path begins with, and that no file is called after. */
function isRange(target: string): boolean {
  return /\.\./.test(target) && !/^(?:\.\.?\/|\/)|\/\.\.(?:\/|$)/.test(target) && target !== '..';
}

async function impactOfRange(
  at: Asker,
  question: ImpactValues & { target: string; options: ChangesOptions },
): Promise<GraphImpactResponse> {
  const { session, signal } = at;
  const { target, options } = question;
  const range = target === '' ? null : parseRange(target);
  checkSide(question, range);
  // Comparing two sides loads 30 modules that the impact of a symbol does without.
  const [{ prepareBothGraphs }, { impactOfRange: answer }] = await Promise.all([
    import('../both-graphs.js'),
    import('./impact-of-range.js'),
  ]);
  const both = await prepareBothGraphs(at, range, question);
  return answer(session, both, { target, options, signal });
}

function checkSide({ ref, committed }: ImpactValues, range: Range | null): void {
  if (range === null && (ref !== undefined || committed)) {
    throw new SocraticodeError('BAD_ARGUMENT', 'without a target, impact is about what is not committed yet', {
      hint: 'Name a symbol, a file, or a range like main..feature.',
    });
  }
  if (range?.to !== undefined && ref !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'a ref and the newer side of a range exclude each other');
}
