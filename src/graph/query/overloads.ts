/** Declarations of one function that share a body: uses lead to one of them, what it does is written in another. */
import { conventionsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { declaredElsewhere } from './stubs.js';

/** For every node the next declaration of the same thing, -1 for the last, and the one with the body. */
interface Overloads {
  next: Int32Array;
  first: Int32Array;
  body: Int32Array;
}

/** Null where no language of the graph has such declarations. */
const known = new WeakMap<Graph, Overloads | null>();

/** All declarations of what a node declares, in order; most often the node alone. */
export function overloadsOf(graph: Graph, node: number): number[] {
  const all = overloads(graph);
  if (all === null) return [node];
  const { next, first } = all;
  const found: number[] = [];
  for (let at = first[node]; at >= 0; at = next[at]) found.push(at);
  return found;
}

/** The first declaration: the same for all of them. */
export function firstOf(graph: Graph, node: number): number {
  return overloads(graph)?.first[node] ?? node;
}

/** The declaration with the body: the last one. */
export function bodyOf(graph: Graph, node: number): number {
  return overloads(graph)?.body[node] ?? node;
}

function overloads(graph: Graph): Overloads | null {
  let found = known.get(graph);
  if (found === undefined) {
    const languages = new Set(graph.tables.files.map(({ language }) => language));
    const areShared = [...languages].some((language) => conventionsOf(language).overloadsShareBody === true);
    found = areShared ? findOverloads(graph) : null;
    known.set(graph, found);
  }
  return found;
}

function findOverloads(graph: Graph): Overloads {
  const { nodeName, nodeContainer, nodeBase, files } = graph.tables;
  const next = new Int32Array(graph.nodeCount).fill(-1);
  const first = new Int32Array(graph.nodeCount);
  for (let node = 0; node < first.length; node++) first[node] = node;
  const body = first.slice();
  const youngest = new Int32Array(graph.nodeCount).fill(-1);
  for (const [file, { language }] of files.entries()) {
    if (conventionsOf(language).overloadsShareBody !== true) continue;
    for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
      const before = youngest[nodeContainer[node]];
      youngest[nodeContainer[node]] = node;
      if (before < 0 || nodeName[before] !== nodeName[node]) continue;
      next[before] = node;
      first[node] = first[before];
    }
  }
  for (let node = graph.nodeCount - 1; node >= 0; node--) if (next[node] >= 0) body[node] = body[next[node]];
  joinStubs(graph, { next, first, body });
  return { next, first, body };
}

/** Declarations in a file of their own follow those of the code. */
function joinStubs(graph: Graph, { next, first, body }: Overloads): void {
  for (const [declaration, definition] of declaredElsewhere(graph)) {
    if (first[declaration] !== declaration || first[definition] === declaration) continue;
    let last = definition;
    while (next[last] >= 0) last = next[last];
    next[last] = declaration;
    for (let at = declaration; at >= 0; at = next[at]) {
      first[at] = first[definition];
      body[at] = body[definition];
    }
  }
}
