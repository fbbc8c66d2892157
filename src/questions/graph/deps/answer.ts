/** Answers `graph deps`: what a file imports, and which files import it. */
import { resolveFile } from '../../../graph/query/target.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../candidates/output.js';
import { DEPS_DEPTH, LISTED } from '../limits.js';
import { ambiguous, askGraph, checkRead, type GraphAndHeader } from '../snapshot-graph.js';
import { depsOf } from './find-deps.js';
import type { GraphDepsResponse } from './output.js';
import type { DepsValues } from './question.js';

/** Throws BAD_ARGUMENT for a file that is not in the snapshot. */
export function answerDeps(at: Asker, values: DepsValues): Promise<GraphDepsResponse | GraphCandidates> {
  return askGraph(at, values, async (prepared) => depsIn(prepared, values));
}

function depsIn(prepared: GraphAndHeader, values: DepsValues): GraphDepsResponse | GraphCandidates {
  const { file: target, limit, transitive, depth } = values;
  const { graph, header, prefix } = prepared;
  const found = resolveFile(graph, target, prefix);
  if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit });
  checkRead(prepared, found.file);
  const hops = depth ?? (transitive ? DEPS_DEPTH : undefined);
  return { ...header, target, ...depsOf(graph, found.file, { limit: limit ?? LISTED.deps, depth: hops }) };
}
