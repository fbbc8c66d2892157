/** Answers `graph references`: every use of a symbol or a file, below the files with the uses. */
import { groupBy } from '../../../base/lists.js';
import type { Graph } from '../../../graph/graph.js';
import { usesOfMembers } from '../../../graph/query/describe-symbol.js';
import { isUnusedPart, usesWithoutImport } from '../../../graph/query/file-edges.js';
import { cut, placeOf, useOf } from '../../../graph/query/node-place.js';
import { overloadsOf } from '../../../graph/query/overloads.js';
import { type Candidate, resolveTarget } from '../../../graph/query/target.js';
import { likelihoods, meansContainer, possibleUses, sortUses, usesAboveAll } from '../../../graph/query/users.js';
import { makersOf, TYPE_IMPORT_KINDS } from '../../../graph/query/uses.js';
import { REEXPORT_KINDS, REEXPORTED } from '../../../graph/tables.js';
import type { Asker } from '../../asker.js';
import { formatCount, formatCounts } from '../../format.js';
import type { Pen } from '../../pen.js';
import { type Block, total } from '../../view.js';
import { accessesOf } from '../changes/api-changes.js';
import { LISTED } from '../graph-question.js';
import { definitionBlocks, linkedBlocks, namedPieces, othersBlocks, usesSection } from '../graph-text.js';
import type { GraphCandidates, Use } from '../output.js';
import { ambiguous, askGraph, type GraphAndHeader, linesNaming, parseErrorsAt } from '../snapshot-graph.js';
import type { GraphReferencesResponse, PossibleUse, References, ReferencesValues } from './question.js';

/** Maximum number of definitions in a reply to agents. */
const DEFINITIONS = 3;

/** Throws BAD_ARGUMENT for an unknown name. */
export function answerReferences(
  at: Asker,
  values: ReferencesValues,
): Promise<GraphReferencesResponse | GraphCandidates> {
  return askGraph(at, values, (prepared) => referencesIn(at, prepared, values));
}

async function referencesIn(
  at: Asker,
  prepared: GraphAndHeader,
  values: ReferencesValues,
): Promise<GraphReferencesResponse | GraphCandidates> {
  const { name: target, file, limit } = values;
  const { graph, header, prefix } = prepared;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) {
    const candidates = found.candidates.map((each, i) => (i < CANDIDATES ? withSites(prepared, each) : each));
    return ambiguous(prepared, { target, candidates, limit });
  }
  const { nodes, others, alternatives } = found;
  const accessed = await accessesOf(at.session, prepared, { nodes, signal: at.signal });
  const references = referencesOf(graph, nodes, limit ?? LISTED.references, accessed);
  // Thirteen overloads would displace the uses in a small reply.
  const definitions = at.server === undefined ? references.definitions : references.definitions.slice(0, DEFINITIONS);
  const { named } = await linesNaming(at, prepared, { nodes, isUsed: !isUnused(references) });
  const answer = {
    ...header,
    ...parseErrorsAt(graph, nodes),
    target,
    others,
    alternatives,
    ...references,
    definitions,
    ...(named.length > 0 && { named }),
  };
  if (!values.linked) return answer;
  const { linkedUsesOf } = await import('../sibling-uses.js');
  const linked = await linkedUsesOf(at, { prepared, nodes, depth: 1, limit: limit ?? LISTED.references });
  return { ...answer, linked };
}

const isUnused = ({ uses, likely, possible }: Pick<GraphReferencesResponse, 'uses' | 'likely' | 'possible'>): boolean =>
  total(uses) + total(likely) + total(possible) === 0;

/** Definitions of one name whose uses are listed, and uses of each. */
const CANDIDATES = 5;
const SITES = 5;

/** Adds uses, proven ones first: whoever asks for uses of a name need not ask again for each of its definitions. */
function withSites({ graph }: GraphAndHeader, candidate: Candidate): GraphCandidates['candidates']['list'][number] {
  // A declaration and its body can stand in one file, and be parts of one candidate.
  const parts = graph
    .nodesNamed(candidate.symbol?.split('.').at(-1) ?? '')
    .filter((each) => graph.path(each) === candidate.path && graph.qualifiedName(each) === candidate.symbol);
  if (parts.length === 0) return candidate;
  const nodes = [...new Set(parts.flatMap((each) => overloadsOf(graph, each)))];
  const { uses, likely } = referencesOf(graph, nodes, Infinity);
  const all = [...uses.list, ...likely.list];
  const sites = all
    .slice(0, SITES)
    .map(({ path, line, symbol }) => `${path}:${line}${symbol === null ? '' : ` ${symbol}`}`);
  return { ...candidate, uses: Math.max(candidate.uses, all.length), sites };
}

/** `accessed`: edges that read or write an accessor, which the graph stores as functions that are handed on. */
export function referencesOf(
  graph: Graph,
  nodes: readonly number[],
  limit: number,
  accessed: ReadonlyMap<number, 'read' | 'write'> = new Map(),
): References {
  const shown = (edge: number) => {
    const use = useOf(graph, edge);
    return { ...use, kind: accessed.get(edge) ?? use.kind };
  };
  const uses = eachPlaceOnce(nodes.map((node) => edgesTo(graph, node).map(shown)));
  // A use of an attribute that a parent type declares is a use of both.
  const direct = new Set(nodes.flatMap((node) => Array.from(graph.incoming(node), (edge) => siteOf(graph, edge))));
  for (const { parent, edge } of usesAboveAll(graph, nodes))
    if (!direct.has(siteOf(graph, edge))) uses.push({ ...useOf(graph, edge), through: graph.qualifiedName(parent) });
  uses.push(...usesInside(graph, nodes, uses));
  const proven = uses.filter(({ tier }) => tier !== 'likely');
  const likely = sortUses(
    graph,
    uses.filter(({ tier }) => tier === 'likely'),
  );
  const all = sortUses(graph, [...importsFor(graph, nodes, uses), ...proven]);
  const counts: References['counts'] = {};
  for (const { kind } of all) counts[kind] = (counts[kind] ?? 0) + 1;
  const isSymbol = nodes.length > 0 && !graph.isFile(nodes[0]);
  const { possible, namesakes } = isSymbol ? mostLikelyFirst(graph, nodes[0]) : { possible: [], namesakes: 0 };
  return {
    definitions: nodes.map((node) => placeOf(graph, node)),
    definitionCount: nodes.length,
    counts,
    files: new Set(all.map(({ path }) => path)).size,
    uses: cut(all, limit),
    likely: cut(likely, limit),
    possible: cut(possible, limit),
    namesakes,
  };
}

/** Edges that use one node. */
function edgesTo(graph: Graph, node: number): number[] {
  const edges = [...graph.incoming(node)].filter((edge) => !isUnusedPart(graph, edge));
  if (graph.isFile(node)) return [...edges, ...usesWithoutImport(graph, graph.fileOf(node))];
  return graph.kind(node) === 'constructor' ? [...edges, ...makersOf(graph, node)] : edges;
}

/**
 * Uses of a name that several overloads have. A call that may mean each of them is one use, and counts as that of the surest one. `lists`:
 * uses of each overload.
 */
function eachPlaceOnce(lists: readonly Use[][]): Use[] {
  const placeOf = ({ path, line, endLine, symbol, kind, text }: Use) =>
    JSON.stringify([path, line, endLine, symbol, kind, text]);
  const surest = (uses: readonly Use[]) => Math.max(...uses.map(({ confidence }) => confidence));
  const found = new Map<string, Use[]>();
  for (const [place, uses] of lists.flatMap((list) => [...groupBy(list, placeOf)])) {
    const known = found.get(place);
    if (known === undefined || surest(uses) > surest(known)) found.set(place, uses);
  }
  return [...found.values()].flat();
}

/** Uses, by others, of what is inside of nodes that have no uses themselves. */
function usesInside(graph: Graph, nodes: readonly number[], own: readonly Use[]): Use[] {
  if (own.length > 0 || nodes.some((node) => graph.isFile(node))) return [];
  const uses = usesOfMembers(graph, nodes);
  return uses.map((edge) => ({ ...useOf(graph, edge), through: graph.qualifiedName(graph.target(edge)) }));
}

/** Are all uses those of what is in it, as nothing uses its own name? */
function areOfMembers({ definitions, uses, likely }: GraphReferencesResponse): boolean {
  const own = `${definitions[0]?.symbol}.`;
  const all = [...uses.list, ...likely.list];
  return all.length > 0 && all.every(({ through }) => through?.startsWith(own) === true);
}

const MEMBERS_ONLY = 'nothing is known to use its own name; what is in it has';

function siteOf(graph: Graph, edge: number): string {
  const { from, startLine, receiver, name } = graph.edge(edge);
  return [from, startLine, receiver, name].join(' ');
}

/** Possible uses, and how many of that name a collection or a string more likely explains. */
function mostLikelyFirst(graph: Graph, node: number): { possible: PossibleUse[]; namesakes: number } {
  const likelihoodOf = likelihoods(graph, node);
  const isOther = meansContainer(graph, node);
  const edges = possibleUses(graph, node);
  const possible = edges
    .filter((edge) => !isOther(edge))
    .map((edge) => ({ edge, ...likelihoodOf(edge) }))
    .sort((a, b) => b.rank - a.rank || b.order - a.order)
    .map(({ edge, likelihood }) => ({ ...useOf(graph, edge), ...(likelihood !== undefined && { likelihood }) }));
  return { possible, namesakes: edges.length - possible.length };
}

/** Maximum number of re-exporting files: a hostile repository could have endless chains of them. */
const MAX_BARRELS = 2_000;
const IMPORTED: ReadonlySet<string> = new Set(['imported', 'reexported']);

/**
 * Imports that bring the symbol into the files that use it, from its own file or from a re-exporting one, and the lines that
 * re-export its name. The graph does not record the names of other imports: if a file has several, those nearest to the
 * definition count. Imports of types do not count for a symbol that is called.
 */
function importsFor(graph: Graph, nodes: readonly number[], uses: readonly Use[]): Use[] {
  const imported = uses.filter(({ tier }) => IMPORTED.has(tier));
  const running = new Set(imported.filter(({ kind }) => kind !== 'type').map(({ path }) => path));
  const users = new Set(imported.map(({ path }) => path));
  const symbols = nodes.filter((node) => !graph.isFile(node));
  const steps = new Map(symbols.map((node) => [graph.fileNode(graph.fileOf(node)), 0]));
  const names = new Set(symbols.map((node) => graph.name(node)));
  const nearest = new NearestImports();
  const reexports: Use[] = [];
  for (const [file, step] of steps) {
    for (const edge of graph.incoming(file)) {
      const kind = graph.edgeKind(edge);
      // An include or a `mod` names the file alone: one that has it need not use what it declares.
      if (!graph.isFileEdge(edge) || kind === 'include' || kind === 'module') continue;
      const source = graph.source(edge);
      const path = graph.path(source);
      const offered = REEXPORT_KINDS.has(kind) ? graph.edge(edge).literal.split(REEXPORTED) : [];
      const isNamed = offered.some((name) => names.has(name));
      if ((isNamed || offered.includes('*')) && !steps.has(source) && steps.size < MAX_BARRELS)
        steps.set(source, step + 1);
      if (isNamed) {
        reexports.push(useOf(graph, edge));
        continue;
      }
      if (!users.has(path) || (running.has(path) && TYPE_IMPORT_KINDS.has(kind))) continue;
      nearest.add(path, step, useOf(graph, edge));
    }
  }
  return [...reexports, ...nearest.all()];
}

/** Imports of each file, of which those count that are the fewest steps from the definition. They come in the order of their steps. */
class NearestImports {
  private readonly byPath = new Map<string, { step: number; imports: Use[] }>();

  add(path: string, step: number, use: Use): void {
    const known = this.byPath.get(path);
    if (known === undefined) this.byPath.set(path, { step, imports: [use] });
    else if (known.step === step) known.imports.push(use);
  }

  all(): Use[] {
    return [...this.byPath.values()].flatMap(({ imports }) => imports);
  }
}

export function referencesBlocks(response: GraphReferencesResponse, { pen }: { pen: Pen }): Block[] {
  const { definitions, definitionCount, counts, files, uses, likely, possible, namesakes, named } = response;
  const kinds = formatCounts(counts);
  // Counts of all pages: a page with only possible uses has no others.
  const known = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const none = total(likely) === 0 ? 'no uses are known' : 'no uses are proven';
  const head = known === 0 ? none : `${formatCount(known, 'use')} in ${formatCount(files, 'file')}: ${kinds}`;
  const isNamed = named !== undefined;
  const say = areOfMembers(response) ? `${MEMBERS_ONLY} ${head}` : head;
  const others = `${formatCount(namesakes, 'further use')} of that name on unknown values: collections or strings have it, too`;
  return [
    ...definitionBlocks(definitions, definitionCount),
    { say: [say], isApart: true },
    ...(isNamed ? [{ say: namedPieces(named, definitions, pen, !isUnused(response)) }] : []),
    usesSection('uses', uses, { isBare: true }),
    usesSection('likely uses', likely, {
      counted: (all) => `${formatCount(all, 'likely use')}: names point to it, no type proves it`,
    }),
    usesSection('possible uses', possible, {
      counted: (all) => `${formatCount(all, 'possible use')}: the name is right, the target is not known`,
    }),
    ...(namesakes === 0 ? [] : [{ say: [others], isApart: true }]),
    ...othersBlocks(response),
    ...linkedBlocks(response.linked, pen),
  ];
}
