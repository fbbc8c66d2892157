/** Answers `graph flow`: what runs when an entry point runs; without one, the entry points. */
import { resolveTarget } from '../../../graph/query/target.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../candidates/output.js';
import { LISTED } from '../limits.js';
import { ambiguous, prepareGraph } from '../snapshot-graph.js';
import { readBins } from './bins.js';
import { flowFrom } from './call-tree.js';
import { findEntries } from './find-entries.js';
import type { GraphEntriesResponse, GraphFlowResponse } from './output.js';
import type { FlowValues } from './question.js';

/** Throws BAD_ARGUMENT for a name that nothing has. */
export async function answerFlow(
  at: Asker,
  values: FlowValues,
): Promise<GraphFlowResponse | GraphEntriesResponse | GraphCandidates> {
  const { entry: target, file, limit, depth } = values;
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix, objects } = prepared;
  if (target === undefined) {
    const bins = await readBins(graph, objects);
    return { ...header, ...findEntries(graph, { limit: limit ?? LISTED.entries, bins }) };
  }
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit });
  const flow = flowFrom(graph, found.nodes, { depth, limit: limit ?? LISTED.flow });
  return { ...header, target, others: found.others, alternatives: found.alternatives, depth, ...flow };
}
