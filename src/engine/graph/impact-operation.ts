/** `graph impact`: what may break when a symbol, a file, or what differs between two refs changes. */
import { SocraticodeError } from '../../base/errors.js';
import { type ChangesOptions, impactOfChanges } from '../../graph/query/change-impact.js';
import { impactOf, MAX_IMPACT_DEPTH } from '../../graph/query/impact.js';
import { placeOf } from '../../graph/query/place.js';
import { resolveTarget } from '../../graph/query/target.js';
import type { Session } from '../../session/session.js';
import { mergeBase, parseRange, type Range } from '../../session/snapshot/range.js';
import type { GraphCandidates, GraphImpactResponse } from '../contract.js';
import { checkCount } from '../history/history-operation.js';
import { changedSymbols } from './changed-symbols.js';
import { ambiguous, type GraphQuestion, type GraphSource, type Prepared, prepareQuestion } from './question.js';

export interface ImpactQuestion extends GraphQuestion, Pick<ChangesOptions, 'perHop' | 'limitInside'> {
  /** A symbol, a file, or `A..B`; what is not committed without one. */
  target?: string;
  file?: string;
  depth?: number;
  minConfidence?: number;
}

const DEFAULT_LIMIT = 50;
const DEFAULT_DEPTH = 3;

/** Throws BAD_ARGUMENT for a name that nothing has, UNKNOWN_REF for a range of unknown refs. */
export async function runImpact(
  session: Session,
  question: ImpactQuestion,
  graphs?: GraphSource,
): Promise<GraphImpactResponse | GraphCandidates> {
  checkCount('--depth', question.depth, MAX_IMPACT_DEPTH);
  const { target = '', file, limit = DEFAULT_LIMIT, depth = DEFAULT_DEPTH, minConfidence = 0 } = question;
  if (!(minConfidence >= 0 && minConfidence <= 1))
    throw new SocraticodeError('BAD_ARGUMENT', `--min-confidence is ${minConfidence}; it takes a number from 0 to 1`);
  const { perHop, limitInside } = question;
  const options: ChangesOptions = { depth, minConfidence, limit, perHop, limitInside };
  // An empty name is a mistake (a variable that is not set), not a question about what is uncommitted.
  if (question.target === undefined || isRange(target))
    return impactOfRange(session, { ...question, target, options }, graphs);
  const prepared = await prepareQuestion(session, question, graphs);
  const { graph, header, prefix } = prepared;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found)
    return ambiguous(prepared, { target, candidates: found.candidates, limit: question.limit });
  const definitions = found.nodes.map((node) => placeOf(graph, node));
  const { others } = found;
  return { ...header, target, others, depth, minConfidence, definitions, ...impactOf(graph, found.nodes, options) };
}

/** Two dots that no path begins with, and that no file is called after. */
function isRange(target: string): boolean {
  return /\.\./.test(target) && !/^(?:\.\.?\/|\/)|\/\.\.(?:\/|$)/.test(target) && target !== '..';
}

async function impactOfRange(
  session: Session,
  question: ImpactQuestion & { target: string; options: ChangesOptions },
  graphs?: GraphSource,
): Promise<GraphImpactResponse> {
  const { target, options, signal } = question;
  const range = target === '' ? null : parseRange(target);
  checkSide(question, range);
  if (range === null && session.repository.workTree === null) {
    throw new SocraticodeError('BAD_ARGUMENT', 'this repository has no work tree, so nothing in it is uncommitted', {
      hint: 'Name a symbol, a file, or a range like main..feature.',
    });
  }
  const prepared = await prepareQuestion(session, { ...question, ref: question.ref ?? range?.to }, graphs);
  const { graph, header } = prepared;
  const from = await olderSide(session, prepared, range);
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

function checkSide({ ref, committed }: ImpactQuestion, range: Range | null): void {
  if (range === null && (ref !== undefined || committed)) {
    throw new SocraticodeError('BAD_ARGUMENT', 'without a target, impact is about what is not committed yet', {
      hint: 'Name a symbol, a file, or a range like main..feature.',
    });
  }
  if (range?.to !== undefined && ref !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'a ref and the newer side of a range exclude each other');
}

async function olderSide(session: Session, { origin }: Prepared, range: Range | null) {
  if (range === null) {
    const { commit, tree } = origin.resolved;
    return { ref: 'HEAD', commit, tree: commit === null ? null : tree };
  }
  const name = range.symmetric ? await mergeBase(session, range.from, range.to ?? 'HEAD') : range.from;
  const { commit, tree } = await session.objects.resolve(name);
  return { ref: range.from, commit, tree };
}
