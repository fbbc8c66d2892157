/** Symbols that a question about the past names, found in the graph of its ref. */
import { SocraticodeError } from '../../base/errors.js';
import type { Candidate } from '../../graph/query/names.js';
import { resolveTarget } from '../../graph/query/target.js';
import type { Asker } from '../asker.js';
import { prepareGraph } from '../graph/snapshot-graph.js';

/** Candidates that are named where a name means several things. */
const MAX_NAMED = 5;

export interface SymbolPlace {
  path: string;
  /** Qualified name; null where the name is the end of a file's path. */
  symbol: string | null;
  startLine: number;
  endLine: number;
}

/** Place of a symbol as committed, for a question that is asked again itself. Throws BAD_ARGUMENT for a name that nothing, or more than one thing has. */
export async function findSymbol(at: Asker, name: string, ref: string | undefined): Promise<SymbolPlace> {
  const { graph, prefix } = await prepareGraph(at, { ref, committed: true, isRetried: true });
  const found = resolveTarget(graph, name, { prefix });
  if ('candidates' in found) throw ambiguousName(name, found.candidates);
  const [node] = found.nodes;
  const lines = { startLine: graph.startLine(node), endLine: graph.endLine(node) };
  return { path: graph.path(node), symbol: found.isFile ? null : graph.qualifiedName(node), ...lines };
}

function ambiguousName(name: string, candidates: readonly Candidate[]): SocraticodeError {
  const picks = candidates.slice(0, MAX_NAMED).map(({ pick }) => pick);
  return new SocraticodeError('BAD_ARGUMENT', `${name} means ${candidates.length} things`, {
    hint: `Name one of them: ${picks.join(', ')}`,
  });
}
