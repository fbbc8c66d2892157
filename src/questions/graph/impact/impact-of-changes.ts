/** The impact of many changes at once: each by itself, and all together. */
import type { Graph } from '../../../graph/graph.js';
import { wordsOf } from '../../../graph/query/names.js';
import { cut, placeOf, type Some } from '../../../graph/query/place.js';
import { sameFamily } from '../../../languages/registry.js';
import { type ImpactOptions, impactOf } from './impact.js';
import type { ChangeImpact, Impact, RemovedUses } from './output.js';

export interface ChangedSymbol {
  node: number;
  change: 'added' | 'changed' | 'moved' | 'renamed';
  /** Its declaration differs. */
  signature?: boolean;
  /** Its former name, where it was renamed. */
  was?: string;
  /** A type of which only its own body differs, beside members that do: its users are not among those of all changes. */
  ownBody?: true;
}

export interface RemovedSymbol {
  path: string;
  symbol: string;
  kind: string;
  /** No other file can name it. */
  isLocal?: boolean;
}

interface ChangesImpact {
  together: Impact;
  symbols: Some<ChangeImpact>;
  removed: Some<RemovedUses>;
}

export interface ChangesOptions extends ImpactOptions {
  /** Entries of the lists of each change by itself; default: the limit. */
  limitInside?: number;
}

/** Changes looked at one by one: of a larger set only the sum is worth reading. */
const MAX_EACH = 500;
const MAX_USES = 5;

export function impactOfChanges(
  graph: Graph,
  changes: { symbols: readonly ChangedSymbol[]; removed: readonly RemovedSymbol[]; paths?: ReadonlySet<string> },
  options: ChangesOptions,
): ChangesImpact {
  const nodes = changes.symbols.filter(({ ownBody }) => !ownBody).map(({ node }) => node);
  const { limit, limitInside = limit } = options;
  const alone = { ...options, membersToo: false };
  const inside = { ...alone, limit: limitInside };
  const each = changes.symbols.slice(0, MAX_EACH).map(({ node, change, was, ownBody }): ChangeImpact => {
    const former = { ...(was !== undefined && { was }), ...(ownBody === true && { ownBody }) };
    return { ...placeOf(graph, node), change, ...former, ...impactOf(graph, [node], inside) };
  });
  const tests = ({ tests: { list, leftOut } }: ChangeImpact) => list.length + leftOut;
  const isOwn = ({ ownBody }: ChangeImpact) => Number(ownBody === true);
  each.sort((a, b) => isOwn(a) - isOwn(b) || b.affected - a.affected || tests(b) - tests(a));
  const shown = cut(each, limit);
  const removed = changes.removed.map(({ isLocal, ...gone }) => {
    return { ...gone, uses: cut(isLocal ? [] : danglingPlaces(graph, gone), MAX_USES) };
  });
  removed.sort((a, b) => b.uses.list.length - a.uses.list.length);
  return {
    together: impactOf(graph, nodes, { ...alone, differing: filesOf(graph, changes.paths ?? new Set()) }),
    symbols: { list: shown.list, leftOut: changes.symbols.length - shown.list.length },
    removed: cut(removed, limit),
  };
}

function filesOf(graph: Graph, paths: ReadonlySet<string>): number[] {
  const files = [...paths].map((path) => graph.findFile(path)).filter((file) => file >= 0);
  return files.map((file) => graph.tables.nodeBase[file]);
}

function danglingPlaces(graph: Graph, { path, symbol }: RemovedSymbol): { path: string; line: number }[] {
  const file = graph.findFile(path);
  const language = file < 0 ? null : graph.tables.files[file].language;
  const edges = danglingUses(graph, { symbol, language });
  return edges.map((edge) => ({ path: graph.path(graph.source(edge)), line: graph.tables.edgeLine[edge] }));
}

/**
 * Edges that lead nowhere and have the name of what is gone. A plain name that nothing defines any more looks like a global
 * one: of the language, not of this repository.
 */
export function danglingUses(
  graph: Graph,
  { symbol, language }: { symbol: string; language: string | null },
): readonly number[] {
  const words = wordsOf(symbol);
  const name = words[words.length - 1] ?? symbol;
  const isSame = (other: string) => language === null || sameFamily(language, other);
  return graph.danglingEdges(name).filter((edge) => {
    const { from, tier, receiver } = graph.edge(edge);
    const isGlobal = tier === 'external' && receiver === '' && words.length === 1;
    return (tier === 'unresolved' || isGlobal) && isSame(graph.tables.files[graph.fileOf(from)].language);
  });
}
