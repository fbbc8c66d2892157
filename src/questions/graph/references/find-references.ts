/** `references`: every use of a symbol, and the uses of its name that may mean it. */
import type { Graph } from '../../../graph/graph.js';
import type { EdgeKind } from '../../../graph/types.js';
import { possibleUses } from '../../../graph/query/no-callers.js';
import { byPlace, cut, type NodePlace, placeOf, type Some, type UsePlace, useOf } from '../../../graph/query/place.js';
import { type Caller, ranker } from '../symbol/describe.js';
import { overriddenBy, TYPE_IMPORT_KINDS } from '../../../graph/query/uses.js';

export interface References {
  definitions: NodePlace[];
  /** Of all uses, before the limit. */
  counts: Partial<Record<EdgeKind, number>>;
  files: number;
  uses: Some<Caller>;
  /** Uses of that name whose target is not known. */
  possible: Some<UsePlace>;
}

export function referencesOf(graph: Graph, nodes: readonly number[], limit: number): References {
  const uses: Caller[] = [];
  for (const node of nodes) {
    for (const edge of graph.incoming(node)) uses.push(useOf(graph, edge));
    if (graph.isFile(node)) continue;
    if (graph.kind(node) === 'constructor') {
      for (const edge of graph.incoming(graph.container(node)))
        if (graph.edgeKind(edge) === 'new') uses.push(useOf(graph, edge));
    }
    for (const parent of overriddenBy(graph, node))
      for (const edge of graph.incoming(parent))
        uses.push({ ...useOf(graph, edge), through: graph.qualifiedName(parent) });
  }
  const rank = ranker(graph);
  const all = [...importsFor(graph, nodes, uses), ...uses].sort((a, b) => rank(a) - rank(b) || byPlace(a, b));
  const counts: References['counts'] = {};
  for (const { kind } of all) counts[kind] = (counts[kind] ?? 0) + 1;
  const possible = nodes.length > 0 && !graph.isFile(nodes[0]) ? possibleUses(graph, nodes[0]) : [];
  return {
    definitions: nodes.map((node) => placeOf(graph, node)),
    counts,
    files: new Set(all.map(({ path }) => path)).size,
    uses: cut(all, limit),
    possible: cut(
      possible.map((edge) => useOf(graph, edge)),
      limit,
    ),
  };
}

/** Barrels of barrels: a hostile repository could have chains without end. */
const MAX_BARRELS = 2_000;
const IMPORTED: ReadonlySet<string> = new Set(['imported', 'reexported']);

/**
 * The imports that bring the symbol into the files that use it, from its own file or from one that re-exports that. What
 * they name is not in the graph: of several in a file those nearest to the definition are the ones, and types are not
 * brought where it is called.
 */
function importsFor(graph: Graph, nodes: readonly number[], uses: readonly UsePlace[]): UsePlace[] {
  const kinds = new Map<string, boolean>();
  for (const { path, tier, kind } of uses)
    if (IMPORTED.has(tier)) kinds.set(path, (kinds.get(path) ?? false) || kind !== 'type');
  const symbols = nodes.filter((node) => !graph.isFile(node));
  const steps = new Map(symbols.map((node) => [graph.fileNode(graph.fileOf(node)), 0]));
  const nearest = new Map<string, { step: number; imports: UsePlace[] }>();
  for (const [file, step] of steps) {
    for (const edge of graph.incoming(file)) {
      const kind = graph.edgeKind(edge);
      if (!graph.isFileEdge(edge)) continue;
      const source = graph.source(edge);
      if (REEXPORTS.has(kind) && !steps.has(source) && steps.size < MAX_BARRELS) steps.set(source, step + 1);
      const path = graph.path(source);
      const runs = kinds.get(path);
      if (runs === undefined || (runs && TYPE_IMPORT_KINDS.has(kind))) continue;
      const known = nearest.get(path);
      if (known === undefined) nearest.set(path, { step, imports: [useOf(graph, edge)] });
      else if (known.step === step) known.imports.push(useOf(graph, edge));
    }
  }
  return [...nearest.values()].flatMap(({ imports }) => imports);
}

const REEXPORTS: ReadonlySet<EdgeKind> = new Set(['reexport', 'type-reexport']);
