/** Measures the graph: its size, its most connected files and symbols, and how much of it is resolved. */
import type { LanguageStats, Shares, Stats } from '../../questions/graph/stats/question.js';
import type { Graph } from '../graph.js';
import { EDGE_KINDS, type EdgeKind, EVIDENCE_TIERS, FILE_EDGE_KINDS, FILE_STATES, type FileState } from '../tables.js';
import { countFileCycles } from './cycles.js';
import { namesSpaceAlone, sharedSpaces, unusedParts } from './dependencies.js';
import { isMain, isProgramPath, isToolFile } from './entry-patterns.js';
import { cut, isProduction, placeOf } from './node-place.js';
import { isPlain, lastNodeOf, outgoing, RUN_KINDS } from './uses.js';

interface StatsLimits {
  /** Number of most connected files and symbols. */
  connected: number;
  orphans: number;
}

/** Measures the graph. Tests, and files that tools or people start, are not counted as orphans. */
export function statsOf(graph: Graph, limits: StatsLimits): Stats {
  const languages = new Map<string, LanguageStats>();
  const edges: Partial<Record<EdgeKind, number>> = {};
  const total = { calls: noShares(), imports: noShares() };
  const states = Object.fromEntries(FILE_STATES.map((state) => [state, 0])) as Record<FileState, number>;
  let [symbols, incomplete] = [0, 0];
  for (let file = 0; file < graph.fileCount; file++) {
    const { language, state, isIncomplete } = graph.tables.files[file];
    states[state]++;
    if (isIncomplete) incomplete++;
    const known = languages.get(language) ?? { language, files: 0, symbols: 0, calls: noShares(), imports: noShares() };
    languages.set(language, known);
    known.files++;
    const first = graph.fileNode(file);
    for (let node = first; node < lastNodeOf(graph, first); node++) {
      if (node > first) known.symbols++;
      for (const edge of outgoing(graph, node)) {
        const kind = graph.edgeKind(edge);
        edges[kind] = (edges[kind] ?? 0) + 1;
        const shares = FILE_EDGE_KINDS.has(kind)
          ? 'imports'
          : RUN_KINDS.has(kind) && kind !== 'request'
            ? 'calls'
            : null;
        if (shares === null) continue;
        count(known[shares], graph, edge);
        count(total[shares], graph, edge);
      }
    }
    symbols += lastNodeOf(graph, first) - first - 1;
  }
  const listed = [...languages.values()].sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1));
  const links = linkCounts(graph);
  return {
    files: graph.fileCount,
    states,
    symbols,
    edges: Object.fromEntries(EDGE_KINDS.flatMap((kind) => (edges[kind] ? [[kind, edges[kind]]] : []))),
    ...total,
    languages: listed,
    connectedFiles: connectedFiles(graph, links, limits.connected),
    connectedSymbols: connectedSymbols(graph, limits.connected),
    orphans: cut(orphans(graph, links), limits.orphans),
    cycles: countFileCycles(graph),
    advice: adviceFor(listed, states, incomplete),
  };
}

function noShares(): Shares {
  return { total: 0, resolved: 0, external: 0, ambiguous: 0, unresolved: 0 };
}

const AMBIGUOUS = EVIDENCE_TIERS.indexOf('ambiguous');
const EXTERNAL = EVIDENCE_TIERS.indexOf('external');

function count(shares: Shares, graph: Graph, edge: number): void {
  const tier = graph.tables.edgeTier[edge];
  shares.total++;
  if (tier < AMBIGUOUS) shares.resolved++;
  else if (tier === AMBIGUOUS) shares.ambiguous++;
  else if (tier === EXTERNAL) shares.external++;
  else shares.unresolved++;
}

interface LinkCounts {
  in: Uint32Array;
  out: Uint32Array;
}

/** Numbers of different files that each file uses, and that use it. */
function linkCounts(graph: Graph): LinkCounts {
  const counts = { in: new Uint32Array(graph.fileCount), out: new Uint32Array(graph.fileCount) };
  const seen = new Int32Array(graph.fileCount).fill(-1);
  const fileOfNode = new Uint32Array(graph.nodeCount);
  for (let file = 0; file < graph.fileCount; file++)
    fileOfNode.fill(file, graph.tables.nodeBase[file], graph.tables.nodeBase[file + 1]);
  for (let file = 0; file < graph.fileCount; file++) {
    seen[file] = file;
    const unused = unusedParts(graph, file);
    const [from] = graph.edgeRange(graph.fileNode(file));
    const end = graph.tables.edgeBase[graph.tables.nodeBase[file + 1]];
    for (let edge = from; edge < end; edge++) {
      const to = graph.target(edge);
      if (to < 0 || seen[fileOfNode[to]] === file || unused.has(fileOfNode[to])) continue;
      if (namesSpaceAlone(graph, edge)) continue;
      seen[fileOfNode[to]] = file;
      counts.out[file]++;
      counts.in[fileOfNode[to]]++;
    }
  }
  return counts;
}

function connectedFiles(graph: Graph, links: LinkCounts, limit: number): Stats['connectedFiles'] {
  const all = graph.tables.files
    .map(({ path }, file) => ({ path, dependents: links.in[file], imports: links.out[file] }))
    .filter(({ dependents, imports }) => dependents + imports > 0);
  all.sort((a, b) => b.dependents + b.imports - (a.dependents + a.imports) || (a.path < b.path ? -1 : 1));
  return cut(all, limit);
}

function connectedSymbols(graph: Graph, limit: number): Stats['connectedSymbols'] {
  const all: number[] = [];
  const spaces = sharedSpaces(graph);
  for (let node = 0; node < graph.nodeCount; node++)
    if (!graph.isFile(node) && !isPlain(graph, node) && !spaces.has(node) && graph.incoming(node).length > 0)
      all.push(node);
  all.sort((a, b) => graph.incoming(b).length - graph.incoming(a).length || a - b);
  const shown = cut(all, limit);
  const list = shown.list.map((node) => {
    const sources = [...graph.incoming(node)].map((edge) => graph.fileOf(graph.source(edge)));
    return { ...placeOf(graph, node), uses: sources.length, files: new Set(sources).size };
  });
  return { list, leftOut: shown.leftOut };
}

function orphans(graph: Graph, links: LinkCounts): string[] {
  const hasCallFacts = new Set<string>();
  for (const { language, state } of graph.tables.files) if (state === 'linked') hasCallFacts.add(language);
  return graph.tables.files.flatMap(({ path, language, state }, file) => {
    if (links.in[file] + links.out[file] > 0 || state !== 'linked' || !hasCallFacts.has(language)) return [];
    if (
      !isProduction(graph, file) ||
      isToolFile(language, path) ||
      isProgramPath(language, path) ||
      hasMain(graph, file)
    )
      return [];
    return [path];
  });
}

function hasMain(graph: Graph, file: number): boolean {
  const first = graph.fileNode(file);
  for (let node = first + 1; node < lastNodeOf(graph, first); node++) if (isMain(graph, node)) return true;
  return false;
}

/** Share of unresolved calls, among those that could mean code of the repository, above which callers are missing. */
const MAX_UNRESOLVED_CALLS = 0.2;
/** Minimum share of resolved imports, among those that should lead to files of the repository. */
const MIN_RESOLVED_IMPORTS = 0.8;
/** Minimum number of edges for such a share. */
const MIN_EDGES = 20;

function adviceFor(
  languages: readonly LanguageStats[],
  states: Record<FileState, number>,
  incomplete: number,
): string[] {
  const advice: string[] = [];
  for (const { language, calls, imports } of languages) {
    const scope = calls.total - calls.external;
    const missing = calls.unresolved + calls.ambiguous;
    if (scope >= MIN_EDGES && missing / scope > MAX_UNRESOLVED_CALLS)
      advice.push(
        `${percent(missing, scope)} of the calls in ${language} that may stay inside the repository could not be resolved: callers may be missing`,
      );
    const inside = imports.resolved + imports.unresolved + imports.ambiguous;
    if (inside >= MIN_EDGES && imports.resolved / inside < MIN_RESOLVED_IMPORTS)
      advice.push(
        `only ${percent(imports.resolved, inside)} of the imports in ${language} that are no packages lead to a file: generated files may be missing, or paths be configured where they are not read`,
      );
  }
  if (states.degraded + states.unreadable > 0)
    advice.push(`${states.degraded + states.unreadable} files could not be read or parsed as a whole`);
  if (incomplete > 0) advice.push(`files with parse errors that may hide declarations and uses: ${incomplete}`);
  return advice;
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)}%`;
}
