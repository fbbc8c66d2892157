/** Declarations of one function that share a body: uses lead to one of them, what it does is written in another. */
import { conventionsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { FILE_EDGE_KINDS } from '../types.js';
import { outgoing } from './uses.js';

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

/**
 * Pairs of a declaration in a file without code (`cart.pyi` beside `cart.py`, `cart.d.ts` beside `cart.js`) and its definition,
 * which is in the file beside it, or in the only file that this one imports and that has the name.
 */
function* declaredElsewhere(graph: Graph): Generator<[declaration: number, definition: number]> {
  const members = new Members(graph);
  for (const [file, { path, language }] of graph.tables.files.entries()) {
    const { declarationPath, declares = [] } = conventionsOf(language);
    if (declarationPath?.test(path) !== true) continue;
    const beside = declares.map((end) => graph.findFile(path.replace(declarationPath, end))).find((at) => at >= 0);
    if (beside !== undefined) yield* pairsOf(graph, members, file, beside);
  }
}

function* pairsOf(graph: Graph, members: Members, file: number, beside: number): Generator<[number, number]> {
  const { nodeBase, nodeContainer } = graph.tables;
  const definitions = new Map([[graph.fileNode(file), graph.fileNode(beside)]]);
  for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
    const holder = definitions.get(nodeContainer[node]);
    if (holder === undefined) continue;
    const name = graph.name(node);
    const own = members.named(holder, name);
    const found = own >= 0 || !graph.isFile(holder) ? own : importedBy(graph, members, holder, name);
    if (found < 0) continue;
    definitions.set(node, found);
    yield [node, found];
  }
}

/** The definition of that name in the files that a file imports; -1 for none or several. */
function importedBy(graph: Graph, members: Members, file: number, name: string): number {
  const found = new Set<number>();
  for (const edge of outgoing(graph, file)) {
    const target = graph.target(edge);
    if (target >= 0 && graph.isFile(target) && FILE_EDGE_KINDS.has(graph.edgeKind(edge)))
      found.add(members.named(target, name));
  }
  found.delete(-1);
  const [only] = found;
  return found.size === 1 ? only : -1;
}

/** Symbols by what holds them and by name: the first of each. */
class Members {
  private readonly byFile = new Map<number, Map<string, number>>();

  constructor(private readonly graph: Graph) {}

  named(holder: number, name: string): number {
    const { graph, byFile } = this;
    const file = graph.fileOf(holder);
    let known = byFile.get(file);
    if (known === undefined) {
      known = new Map();
      const { nodeBase, nodeContainer } = graph.tables;
      for (let node = nodeBase[file + 1] - 1; node > nodeBase[file]; node--)
        known.set(`${nodeContainer[node]} ${graph.name(node)}`, node);
      byFile.set(file, known);
    }
    return known.get(`${holder} ${name}`) ?? -1;
  }
}
