/** Receivers of uses: evidence of their type besides the name that is used. */
import type { Graph } from '../graph.js';
import { inheritEdges, membersOf, outgoing, ownerOf } from '../query/uses.js';

/**
 * Does code around a use still name the type that its receiver had, or use another member of it on the same receiver? Of a
 * receiver in a field the whole type around counts, since its type is stated there. `types`: that type, and what it inherits from.
 */
export function isStillReceiver(graph: Graph, edge: number, types: readonly number[]): boolean {
  const { receiver, from } = graph.edge(edge);
  if (/^(?:this|super)$/.test(receiver)) return true;
  const [type] = types;
  const says = (node: number): boolean => {
    for (const other of outgoing(graph, node)) {
      const target = graph.target(other);
      if (target < 0) continue;
      if (target === type) return true;
      if (node === from && graph.edge(other).receiver === receiver && types.includes(ownerOf(graph, target)))
        return true;
    }
    return false;
  };
  for (let node = from; node >= 0; node = graph.container(node)) {
    if (says(node)) return true;
    const isField = receiver.startsWith('this.') && !graph.isFile(node) && node !== from;
    if (isField && membersOf(graph, node).some(says)) return true;
    if (graph.isFile(node)) return false;
  }
  return false;
}

/** Most types that one answer goes through. */
const MAX_TYPES = 100;

/** Does a type inherit from another one, as far as that is known? */
export function inheritsFrom(graph: Graph, type: number, parent: number): boolean {
  const found = new Set([type]);
  for (const node of found) {
    for (const edge of inheritEdges(graph, node)) {
      if (graph.target(edge) === parent) return true;
      if (graph.target(edge) >= 0 && found.size < MAX_TYPES) found.add(graph.target(edge));
    }
  }
  return false;
}
