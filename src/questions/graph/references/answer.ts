/** Answers `graph references`: every use of a symbol or a file. */
import { resolveTarget } from '../../../graph/query/target.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../candidates/output.js';
import { LISTED } from '../limits.js';
import { ambiguous, askGraph, type GraphAndHeader } from '../snapshot-graph.js';
import { accessesOf } from './accesses.js';
import { referencesOf } from './find-references.js';
import type { GraphReferencesResponse } from './output.js';
import type { ReferencesValues } from './question.js';

/** Definitions that agents are given. */
const DEFINITIONS = 3;

/** Throws BAD_ARGUMENT for a name that nothing has. */
export function answerReferences(
  at: Asker,
  values: ReferencesValues,
): Promise<GraphReferencesResponse | GraphCandidates> {
  return askGraph(at, values, (prepared) => referencesIn(at, prepared, values));
}

async function referencesIn(
  at: Asker,
  prepared: GraphAndHeader,
  values: ReferencesValues,
): Promise<GraphReferencesResponse | GraphCandidates> {
  const { name: target, file, limit } = values;
  const { graph, header, prefix } = prepared;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit });
  const { nodes, others, alternatives } = found;
  const accessed = await accessesOf(at.session, prepared, { nodes, signal: at.signal });
  const references = referencesOf(graph, nodes, limit ?? LISTED.references, accessed);
  // Thirteen overloads would take the place of the uses in a small reply.
  const definitions = at.server === undefined ? references.definitions : references.definitions.slice(0, DEFINITIONS);
  const answer = { ...header, target, others, alternatives, ...references, definitions };
  if (!values.linked) return answer;
  const { linkedUsesOf } = await import('../linked/uses.js');
  const linked = await linkedUsesOf(at, { prepared, nodes, depth: 1, limit: limit ?? LISTED.references });
  return { ...answer, linked };
}
