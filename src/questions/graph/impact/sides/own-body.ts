/** Types of which only what they hold outside of their members differs, such as a setting in a class of Ruby. */
import type { Graph } from '../../../../graph/graph.js';
import { isType, outgoing } from '../../../../graph/query/uses.js';
import type { EdgeKind } from '../../../../graph/types.js';
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
  const file = old.findFile(now.path(node));
  if (file < 0) return false;
  const name = now.qualifiedName(node);
  for (let at = old.fileNode(file) + 1; at < old.tables.nodeBase[file + 1]; at++)
    if (old.name(at) === now.name(node) && old.qualifiedName(at) === name)
      return parentNames(old, at) === parentNames(now, node);
  return false;
}

function parentNames(graph: Graph, node: number): string {
  const { edgeName, strings } = graph.tables;
  const isParent = (edge: number) => PARENT_KINDS.has(graph.edgeKind(edge));
  return [...outgoing(graph, node)]
    .filter(isParent)
    .map((edge) => strings[edgeName[edge]])
    .sort()
    .join(' ');
}

const PARENT_KINDS: ReadonlySet<EdgeKind> = new Set(['extends', 'implements']);
