/** `graph deps`: what a file imports, and who imports it. */
import { depsOf } from './find-deps.js';
import { resolveFile } from '../../../graph/query/target.js';
import {
  ambiguous,
  type GraphQuestion,
  type GraphSource,
  prepareQuestion,
} from '../snapshot-graph.js';
import type { Session } from '../../../session/session.js';
import type { GraphCandidates, GraphDepsResponse } from '../../../engine/contract.js';
import { checkCount } from '../../../engine/history/history-operation.js';

export interface DepsOptions extends GraphQuestion {
  file: string;
  /** Follow imports of imports. */
  transitive?: boolean;
  depth?: number;
}

const DEFAULT_LIMIT = 50;
const DEFAULT_DEPTH = 5;
const MAX_DEPTH = 100;

/** Throws BAD_ARGUMENT for a file that is not in the snapshot. */
export async function runDeps(
  session: Session,
  options: DepsOptions,
  graphs?: GraphSource,
): Promise<GraphDepsResponse | GraphCandidates> {
  checkCount('--depth', options.depth, MAX_DEPTH);
  const prepared = await prepareQuestion(session, options, graphs);
  const { graph, header, prefix } = prepared;
  const { file: target, limit, transitive, depth } = options;
  const found = resolveFile(graph, target, prefix);
  if ('candidates' in found) return ambiguous(prepared, { target, candidates: found.candidates, limit });
  const follows = transitive || depth !== undefined;
  const deps = depsOf(graph, found.file, {
    limit: limit ?? DEFAULT_LIMIT,
    depth: follows ? (depth ?? DEFAULT_DEPTH) : undefined,
  });
  return { ...header, target, ...deps };
}
