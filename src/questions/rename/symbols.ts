/** The symbols that a rename is about: declarations of one symbol, members that override each other, and what is named after a type. */
import { bareName } from '../../extract/name-places.js';
import type { Graph } from '../../graph/graph.js';
import { overloadsOf } from '../../graph/query/overloads.js';
import { directMembers, isType, overriddenBy, overridersOf, siblingsNamed } from '../../graph/query/uses.js';

export interface Renamed {
  /** All that gets the new name. */
  nodes: ReadonlySet<number>;
  /** Plain name in the text. */
  name: string;
  /** Is it a member of a type? */
  isMember: boolean;
  /** Types of the members. */
  owners: ReadonlySet<number>;
}

/** Most symbols of one family: a hostile one could be as large as the graph. */
export const MAX_SYMBOLS = 2_000;

/** The symbols that have to be renamed together with the targets, which declare one symbol. */
export function renamedWith(graph: Graph, targets: readonly number[]): Renamed {
  const nodes = new Set<number>();
  const add = (node: number) => {
    if (nodes.size < MAX_SYMBOLS) nodes.add(node);
  };
  const name = bareName(graph.name(targets[0]));
  for (const target of targets) for (const node of overloadsOf(graph, target)) add(node);
  for (const node of nodes) {
    for (const other of overloadsOf(graph, node)) add(other);
    for (const other of relatedTo(graph, node)) if (bareName(graph.name(other)) === name) add(other);
  }
  const owners = new Set([...nodes].map((node) => graph.container(node)).filter((node) => !graph.isFile(node)));
  const [first] = targets;
  const container = graph.container(first);
  return { nodes, name, owners, isMember: !graph.isFile(container) && isType(graph, container) };
}

/** For a deletion: the declarations of the symbol alone, with what they contain of its name, without members of other types that override it. */
export function aloneOf(graph: Graph, renamed: Renamed, targets: readonly number[]): Renamed {
  const own = new Set(targets.flatMap((target) => overloadsOf(graph, target)));
  const nodes = [...renamed.nodes].filter((node) => own.has(node) || own.has(graph.container(node)));
  return { ...renamed, nodes: new Set(nodes) };
}

function relatedTo(graph: Graph, node: number): number[] {
  const found = [...overriddenBy(graph, node), ...overridersOf(graph, node)];
  if (isType(graph, node)) {
    // Constructors and destructors have the name of their type; parts of a type, and a value beside it, too.
    found.push(...directMembers(graph, node));
    found.push(...siblingsNamed(graph, node));
    found.push(...graph.nodesNamed(`~${graph.name(node)}`).filter((other) => graph.container(other) === node));
  } else if (graph.kind(node) === 'constructor') found.push(graph.container(node));
  return found.filter((other) => isSameSymbol(graph, node, other));
}

/** Is it no member of the type `node` that only happens to have its name? */
function isSameSymbol(graph: Graph, node: number, other: number): boolean {
  if (graph.container(other) !== node) return true;
  return graph.kind(other) === 'constructor' || graph.name(other).startsWith('~');
}

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
