/** Relations of a definition to others, as SCIP has them. */
import type { Graph } from '../../../graph/graph.js';
import { interfacesOf } from '../../../graph/query/structural.js';
import { inheritEdges, isFunction, isType, outgoing, overriddenBy } from '../../../graph/query/uses.js';
import type { ScipRelationship } from '../../../scip/types.js';
import type { Monikers } from './monikers.js';

/** Kinds of symbols whose only type says what they hold. */
const TYPED: ReadonlySet<string> = new Set(['field', 'property', 'variable', 'constant']);

/** One relationship for each other symbol, sorted by it. */
export function relationshipsOf(graph: Graph, node: number, monikers: Monikers): ScipRelationship[] {
  const found = new Map<string, ScipRelationship>();
  const add = (to: number, relation: Omit<ScipRelationship, 'symbol'>): void => {
    const symbol = monikers.of(to);
    if (symbol !== monikers.of(node)) found.set(symbol, { ...found.get(symbol), ...relation, symbol });
  };
  if (isType(graph, node)) {
    for (const edge of inheritEdges(graph, node))
      if (graph.target(edge) >= 0) add(graph.target(edge), { isImplementation: true });
    for (const face of interfacesOf(graph, node)) add(face, { isImplementation: true });
  } else if (TYPED.has(graph.kind(node))) {
    const types = new Set<number>();
    for (const edge of outgoing(graph, node)) if (graph.edgeKind(edge) === 'type') types.add(graph.target(edge));
    const [type] = types;
    if (types.size === 1 && type >= 0) add(type, { isTypeDefinition: true });
  }
  if (isFunction(graph, node) || TYPED.has(graph.kind(node)))
    for (const member of overriddenBy(graph, node)) add(member, { isImplementation: true, isReference: true });
  return [...found.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}
