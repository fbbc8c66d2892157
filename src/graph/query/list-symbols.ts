/** Lists definitions of files, or those whose name matches. Completes a path or a name that is being typed, likeliest first. */
import { posix } from 'node:path';
import { identifierParts } from '../../extract/terms.js';
import type { SymbolList } from '../../questions/graph/symbols/question.js';
import type { Graph } from '../graph.js';
import { cut, isProduction, placeOf } from './node-place.js';
import { isPlain, usesOf } from './uses.js';

interface SymbolsOptions {
  limit: number;
  accepts?: (path: string) => boolean;
  /** Part of a name, first letters of its words (`gUN` for `getUserName`), or a qualified name. */
  query?: string;
  /** Default: all but headings, keys and selectors. */
  kinds?: ReadonlySet<string>;
}

/** Lists symbols, best first for a query, else by file and line. */
export function listSymbols(graph: Graph, { limit, accepts, query = '', kinds }: SymbolsOptions): SymbolList {
  const match = matcher(query);
  const found: { node: number; score: number }[] = [];
  for (let file = 0; file < graph.fileCount; file++) {
    if (accepts !== undefined && !accepts(graph.tables.files[file].path)) continue;
    const first = graph.fileNode(file);
    for (let node = first + 1; node < graph.tables.nodeBase[file + 1]; node++) {
      if (kinds === undefined ? accepts === undefined && isPlain(graph, node) : !kinds.has(graph.kind(node))) continue;
      const score = match(graph, node);
      if (score !== null) found.push({ node, score });
    }
  }
  if (query !== '')
    found.sort((a, b) => a.score - b.score || weigh(graph, b.node) - weigh(graph, a.node) || a.node - b.node);
  const shown = cut(found, limit);
  const list = shown.list.map(({ node }) => ({ ...placeOf(graph, node), uses: usesOf(graph, node) }));
  return { total: found.length, symbols: { list, leftOut: shown.leftOut } };
}

/** Weight among equal matches: production code first, then exported symbols, then used ones. */
function weigh(graph: Graph, node: number): number {
  const own = isProduction(graph, graph.fileOf(node)) ? 4 : 0;
  return own + (graph.isExported(node) ? 2 : 0) + Math.min(1, usesOf(graph, node) / 100);
}

type Match = (graph: Graph, node: number) => number | null;

/** Scores a symbol for a query: lower is better, null for no match. */
function matcher(query: string): Match {
  if (query === '') return () => 0;
  const words = query.split(/::|->|[.#]/).filter((word) => word !== '');
  const last = (words[words.length - 1] ?? query).trim();
  const owner = words.slice(0, -1).join('.').toLowerCase();
  return (graph, node) => {
    const score = scoreOf(graph.name(node), last);
    if (score === null || owner === '') return score;
    const qualified = graph.qualifiedName(node).toLowerCase();
    return qualified.slice(0, -graph.name(node).length).includes(owner) ? score : null;
  };
}

/** Score from best to worst: exact, another case, a beginning, a part, beginnings of words. */
function scoreOf(name: string, query: string): number | null {
  if (name === query) return 0;
  const [lower, wanted] = [name.toLowerCase(), query.toLowerCase()];
  if (lower === wanted) return 1;
  if (lower.startsWith(wanted)) return 2;
  if (lower.includes(wanted)) return 3;
  return humps(identifierParts(name), query) ? 4 : null;
}

/** Do the words begin with the query's letters, each word with at least one, in order: `gUN`, `getUN`, `gun`? */
function humps(parts: readonly string[], query: string): boolean {
  const wanted = query.toLowerCase();
  if (wanted.length < 2 || parts.length < 2) return false;
  // Lengths of the query that the words so far can cover.
  let reached = new Set([0]);
  for (const part of parts) {
    const lower = part.toLowerCase();
    const further = new Set<number>(reached);
    for (const at of reached) {
      for (let length = 1; length <= lower.length && lower[length - 1] === wanted[at + length - 1]; length++)
        further.add(at + length);
    }
    reached = further;
  }
  return reached.has(wanted.length) && parts[0][0]?.toLowerCase() === wanted[0];
}

// Completions.

export interface Completed {
  values: string[];
  total: number;
}

/** Paths that begin with the text, then those whose file name does, then those that contain it. */
export function completePath(graph: Graph, text: string, limit: number): Completed {
  const wanted = text.toLowerCase();
  const found: Ranked[] = [];
  for (const [file, { path }] of graph.tables.files.entries()) {
    const rank = rankOf(path.toLowerCase(), wanted, posix.basename);
    if (rank !== null) found.push({ value: path, rank: rank * 2 + (isProduction(graph, file) ? 0 : 1), weight: 0 });
  }
  return best(found, limit);
}

/** Names that begin with the text, then qualified names that do, then names that contain it; most used first. */
export function completeName(graph: Graph, text: string, limit: number): Completed {
  const wanted = text.toLowerCase();
  const found = new Map<string, Ranked>();
  for (const name of graph.names()) {
    for (const node of graph.nodesNamed(name)) {
      if (isPlain(graph, node)) continue;
      const value = graph.qualifiedName(node);
      const rank = rankOf(value.toLowerCase(), wanted, (qualified) => qualified.slice(qualified.lastIndexOf('.') + 1));
      if (rank === null) continue;
      const weight = (found.get(value)?.weight ?? 0) + usesOf(graph, node);
      found.set(value, { value, rank, weight });
    }
  }
  return best([...found.values()], limit);
}

interface Ranked {
  value: string;
  /** Rank of the match; lower is better. */
  rank: number;
  weight: number;
}

function rankOf(text: string, wanted: string, lastPart: (text: string) => string): number | null {
  if (text.startsWith(wanted)) return 0;
  if (lastPart(text).startsWith(wanted)) return 1;
  return text.includes(wanted) ? 2 : null;
}

function best(found: Ranked[], limit: number): Completed {
  found.sort((a, b) => a.rank - b.rank || b.weight - a.weight || (a.value < b.value ? -1 : 1));
  return { values: found.slice(0, limit).map(({ value }) => value), total: found.length };
}
