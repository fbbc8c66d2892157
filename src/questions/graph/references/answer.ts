/** `graph references`: every use of a symbol. */
import { referencesOf } from './find-references.js';
import { resolveTarget } from '../../../graph/query/target.js';
import {
  ambiguous,
  type GraphQuestion,
  type GraphSource,
  prepareQuestion,
} from '../snapshot-graph.js';
import type { Session } from '../../../session/session.js';
import type { GraphCandidates, GraphReferencesResponse } from '../../../engine/contract.js';

export interface ReferencesOptions extends GraphQuestion {
  name: string;
  file?: string;
}

const DEFAULT_LIMIT = 100;

/** Throws BAD_ARGUMENT for a name that nothing has. */
export async function runReferences(
  session: Session,
  options: ReferencesOptions,
  graphs?: GraphSource,
): Promise<GraphReferencesResponse | GraphCandidates> {
  const prepared = await prepareQuestion(session, options, graphs);
  const { graph, header, prefix } = prepared;
  const { name: target, file, limit } = options;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, candidates: found.candidates, limit });
  const references = referencesOf(graph, found.nodes, limit ?? DEFAULT_LIMIT);
  return { ...header, target, others: found.others, ...references };
}
