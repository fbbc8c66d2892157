/** `graph impact`: what may break when a symbol, a file, or what differs between two refs changes. */
import { SocraticodeError } from '../../../base/errors.js';
import { placeOf } from '../../../graph/query/place.js';
import { resolveTarget } from '../../../graph/query/target.js';
import type { Session } from '../../../session/session.js';
import { mergeBase, parseRange, type Range } from '../../../session/snapshot/range.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../candidates/output.js';
import { LISTED } from '../limits.js';
import { ambiguous, type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';
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
  if (range === null && session.repository.workTree === null) {
    throw new SocraticodeError('BAD_ARGUMENT', 'this repository has no work tree, so nothing in it is uncommitted', {
      hint: 'Name a symbol, a file, or a range like main..feature.',
    });
  }
  const prepared = await prepareGraph(at, { ...question, ref: question.ref ?? range?.to });
  const { graph, header } = prepared;
  const from = await olderSide(session, prepared, range);
  // Comparing two sides loads 30 modules that the impact of a symbol does without.
  const [{ changedSymbols }, { impactOfChanges }] = await Promise.all([
    import('./changed-symbols.js'),
    import('./impact-of-changes.js'),
  ]);
  const { files, symbols, removed } = await changedSymbols(session, prepared, { tree: from.tree, signal });
  const { together, ...listed } = impactOfChanges(graph, { symbols, removed }, options);
  const isWorkTree = range?.to === undefined && question.ref === undefined;
  return {
    ...header,
    ...{ target, others: 0, depth: options.depth, minConfidence: options.minConfidence, definitions: [] },
    ...together,
    changes: {
      from: { ref: from.ref, commit: from.commit },
      to: isWorkTree ? null : { ref: header.ref, commit: header.commit },
      files,
      ...listed,
    },
  };
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

async function olderSide(session: Session, { origin }: GraphAndHeader, range: Range | null) {
  if (range === null) {
    const { commit, tree } = origin.resolved;
    return { ref: 'HEAD', commit, tree: commit === null ? null : tree };
  }
  const name = range.symmetric ? await mergeBase(session, range.from, range.to ?? 'HEAD') : range.from;
  const { commit, tree } = await session.objects.resolve(name);
  return { ref: range.from, commit, tree };
}
