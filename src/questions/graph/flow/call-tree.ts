/** Builds the tree of calls below an entry point. */
import type { Graph } from '../../../graph/graph.js';
import { isMain } from '../../../graph/query/entry-patterns.js';
import { bodyOf } from '../../../graph/query/overloads.js';
import { cut, placeOf } from '../../../graph/query/place.js';
import { isFunction, isType, lastNodeOf, outgoing, overridersOf, RUN_KINDS } from '../../../graph/query/uses.js';
import type { Flow, FlowNode } from './output.js';

/** Calls of a node whose target is not in the graph. */
interface OutsideCounts {
  external: number;
  unresolved: number;
}

interface Child {
  node: number;
  line: number;
  use: FlowNode['use'];
  confidence: number;
}

export function flowFrom(
  graph: Graph,
  nodes: readonly number[],
  { depth, limit }: { depth: number; limit: number },
): Flow {
  const children = memoize((node: number) => childrenOf(graph, node));
  const entries = [...new Set(nodes.map((node) => bodyOf(graph, node)))];
  const depths = fewestSteps(entries, children, depth);
  const tree: FlowNode[] = [];
  const expanded = new Set<number>();
  const above: number[] = [];
  // An explicit stack: chains of calls are deeper than recursion may be.
  const stack: { child: Child; depth: number }[] = entries
    .map((node) => ({ child: { node, line: 0, use: 'entry' as const, confidence: 1 }, depth: 0 }))
    .reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { child, depth: at } = next;
    above.length = at;
    const below = children(child.node);
    const isCycle = above.includes(child.node);
    const seen = isCycle
      ? 'cycle'
      : expanded.has(child.node)
        ? 'above'
        : depths.get(child.node) === at
          ? null
          : 'below';
    const isLeaf = below.length === 0;
    const expands = seen === null && at < depth;
    tree.push({
      ...placeOf(graph, child.node),
      ...outsideOf(graph, child.node),
      ...{ depth: at, line: child.line, use: child.use, confidence: child.confidence },
      ...(seen !== null && (!isLeaf || isCycle) && { seen }),
      ...(seen === null && !expands && !isLeaf && { deeper: below.length }),
    });
    if (!expands) continue;
    expanded.add(child.node);
    above[at] = child.node;
    for (let i = below.length - 1; i >= 0; i--) stack.push({ child: below[i], depth: at + 1 });
  }
  return { tree: cut(tree, limit), reached: depths.size - entries.length };
}

/** The depth at which each node is first reached: there its calls are listed. */
function fewestSteps(
  nodes: readonly number[],
  children: (node: number) => readonly Child[],
  depth: number,
): Map<number, number> {
  const found = new Map(nodes.map((node) => [node, 0]));
  for (const [node, at] of found) {
    if (at >= depth) continue;
    for (const { node: to } of children(node)) if (!found.has(to)) found.set(to, at + 1);
  }
  return found;
}

/**
 * Calls of a node in the order of its lines, each target once; of a class the calls that an instantiation makes, of a file
 * those of its top level, and its main functions.
 */
function childrenOf(graph: Graph, node: number): Child[] {
  const found = new Map<number, Child>();
  for (const source of [node, ...constructorsOf(graph, node), ...nestedOf(graph, node)]) {
    for (const number of outgoing(graph, source)) {
      const { to: target, kind, startLine: line, confidence } = graph.edge(number);
      const to = target < 0 ? -1 : bodyOf(graph, target);
      if (to < 0 || found.has(to) || !RUN_KINDS.has(kind)) continue;
      if (kind === 'value' && !isFunction(graph, to)) continue;
      found.set(to, { node: to, line, use: kind, confidence });
    }
  }
  for (const to of mainsOf(graph, node))
    if (!found.has(to)) found.set(to, { node: to, line: graph.startLine(to), use: 'entry', confidence: 1 });
  // A declaration runs nothing itself; its overriders do.
  if (found.size === 0 && isFunction(graph, node)) {
    for (const to of overridersOf(graph, node))
      found.set(to, { node: to, line: graph.startLine(to), use: 'override', confidence: 1 });
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

function mainsOf(graph: Graph, node: number): number[] {
  if (!graph.isFile(node)) return [];
  const found: number[] = [];
  for (let at = node + 1; at < lastNodeOf(graph, node); at++) if (isMain(graph, at)) found.push(at);
  return found;
}

/** Functions defined in a function that nothing names: their calls count as its own. */
function nestedOf(graph: Graph, node: number): number[] {
  if (graph.isFile(node) || isType(graph, node)) return [];
  const found: number[] = [];
  const end = graph.tables.nodeBase[graph.fileOf(node) + 1];
  for (let at = node + 1; at < end && graph.startLine(at) <= graph.endLine(node); at++)
    if (graph.container(at) === node && graph.incoming(at).length === 0) found.push(at);
  return found;
}

function constructorsOf(graph: Graph, node: number): number[] {
  if (graph.isFile(node) || !isType(graph, node)) return [];
  const found: number[] = [];
  const end = graph.tables.nodeBase[graph.fileOf(node) + 1];
  for (let at = node + 1; at < end && graph.startLine(at) <= graph.endLine(node); at++)
    if (graph.container(at) === node && graph.kind(at) === 'constructor') found.push(at);
  return found;
}

function outsideOf(graph: Graph, node: number): OutsideCounts {
  const counts = { external: 0, unresolved: 0 };
  for (const edge of outgoing(graph, node)) {
    if (graph.target(edge) >= 0 || !RUN_KINDS.has(graph.edgeKind(edge))) continue;
    if (graph.tier(edge) === 'external') counts.external++;
    else counts.unresolved++;
  }
  return counts;
}

function memoize<T>(make: (node: number) => T): (node: number) => T {
  const known = new Map<number, T>();
  return (node) => {
    let found = known.get(node);
    if (found === undefined) {
      found = make(node);
      known.set(node, found);
    }
    return found;
  };
}
