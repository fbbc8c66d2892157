/** Declarations in files without code, and what they declare: `cart.pyi` beside `cart.py`, `cart.d.ts` beside `cart.js`. */
import { conventionsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { FILE_EDGE_KINDS } from '../types.js';
import { outgoing } from './uses.js';

/** Pairs of a declaration and its definition: in the file beside it, or in the only file that this one imports and that has the name. */
export function* declaredElsewhere(graph: Graph): Generator<[declaration: number, definition: number]> {
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
