/** Symbols that a question about the past names, found in the graph of its ref. */
import { SocraticodeError } from '../../base/errors.js';
import { type Candidate, resolveTarget } from '../../graph/query/target.js';
import type { Asker } from '../asker.js';
import { prepareGraph } from '../graph/snapshot-graph.js';

/** Candidates that are named where a name means several things. */
const MAX_NAMED = 5;

/** Path of the file in which a symbol is defined. Throws BAD_ARGUMENT for a name that nothing, or more than one thing has. */
export async function pathOfSymbol(at: Asker, name: string, ref: string | undefined): Promise<string> {
  const { graph, prefix } = await prepareGraph(at, { ref });
  const found = resolveTarget(graph, name, { prefix });
  if ('candidates' in found) throw ambiguousName(name, found.candidates);
  return graph.path(found.nodes[0]);
}

export function ambiguousName(name: string, candidates: readonly Candidate[]): SocraticodeError {
  const picks = candidates.slice(0, MAX_NAMED).map(({ pick }) => pick);
  return new SocraticodeError('BAD_ARGUMENT', `${name} means ${candidates.length} things`, {
    hint: `Name one of them: ${picks.join(', ')}`,
  });
}
