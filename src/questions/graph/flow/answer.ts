/** `graph flow`: what runs when an entry runs; without one, the entries that there are. */

import { findEntries } from './find-entries.js';
import { flowFrom, MAX_FLOW_DEPTH } from './call-tree.js';
import { resolveTarget } from '../../../graph/query/target.js';
import type { GraphCandidates } from '../candidates/output.js';
import {
  ambiguous,
  type GraphQuestion,
  type GraphSource,
  prepareQuestion,
} from '../snapshot-graph.js';
import type { Session } from '../../../session/session.js';
import type { GraphEntriesResponse, GraphFlowResponse } from '../../../engine/contract.js';
import { checkCount } from '../../../engine/history/history-operation.js';
import { readBins } from './bins.js';

export interface FlowOptions extends GraphQuestion {
  entry?: string;
  file?: string;
  depth?: number;
}

const DEFAULT_LINES = 200;
const DEFAULT_ENTRIES = 50;
const DEFAULT_DEPTH = 5;

/** Throws BAD_ARGUMENT for an entry that is not there. */
export async function runFlow(
  session: Session,
  options: FlowOptions,
  graphs?: GraphSource,
): Promise<GraphFlowResponse | GraphEntriesResponse | GraphCandidates> {
  checkCount('--depth', options.depth, MAX_FLOW_DEPTH);
  const prepared = await prepareQuestion(session, options, graphs);
  const { graph, header, prefix, objects } = prepared;
  const { entry: target, file, limit, depth = DEFAULT_DEPTH } = options;
  if (target === undefined) {
    const bins = await readBins(graph, objects);
    return { ...header, ...findEntries(graph, { limit: limit ?? DEFAULT_ENTRIES, bins }) };
  }
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, candidates: found.candidates, limit });
  const flow = flowFrom(graph, found.nodes, { depth, limit: limit ?? DEFAULT_LINES });
  return { ...header, target, others: found.others, depth, ...flow };
}
