/** Types of which only what they hold outside of their members differs, such as a setting in a class of Ruby. */
import type { Graph } from '../../../../graph/graph.js';
import { isType, outgoing } from '../../../../graph/query/uses.js';
import type { ChangedSymbol } from '../impact-of-changes.js';

/**
 * Marks types whose own body differs beside members that differ and are known to be used: the users of these members tell what the
 * change affects, whereas most code that names the type has nothing to do with it. A type with other parents stays as it is.
 */
export function markOwnBodies(old: Graph, now: Graph, symbols: readonly ChangedSymbol[]): ChangedSymbol[] {
  const holding = new Set<number>();
  for (const { node, change } of symbols) {
    if (change === 'added' || now.isFile(node)) continue;
    for (let at = now.container(node); !now.isFile(at); at = now.container(at)) holding.add(at);
  }
  return symbols.map((symbol) => {
    const { node, change, signature } = symbol;
    const isOwn = change === 'changed' && !signature && isType(now, node) && holding.has(node);
    return isOwn && hasSameParents(old, now, node) ? { ...symbol, ownBody: true } : symbol;
  });
}

function hasSameParents(old: Graph, now: Graph, node: number): boolean {
  const [path, name] = [now.path(node), now.qualifiedName(node)];
  const former = old
    .nodesNamed(now.name(node))
    .find((each) => old.path(each) === path && old.qualifiedName(each) === name);
  return former !== undefined && parentNames(old, former) === parentNames(now, node);
}

function parentNames(graph: Graph, node: number): string {
  const edges = [...outgoing(graph, node)].map((edge) => graph.edge(edge));
  const parents = edges.filter(({ kind }) => kind === 'extends' || kind === 'implements');
  return parents
    .map(({ name }) => name)
    .sort()
    .join(' ');
}
