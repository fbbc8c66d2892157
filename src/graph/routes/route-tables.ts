/** Routes in a table of their file, which the table of another file can include below a path of its own. */

import { conventionsOf } from '../../languages/registry.js';
import type { Route } from '../../questions/graph/flow/output.js';
import type { Graph } from '../graph.js';
import type { RoutePattern } from '../query/entry-patterns.js';
import { isTest, placeOf } from '../query/place.js';
import { isFunction, isType, outgoing } from '../query/uses.js';
import { joinedPath } from '../route-paths.js';

export interface Declared extends RoutePattern {
  line: number;
  /** Node of the router that it is declared on. */
  router?: number;
}

/** A file whose table includes another one's. */
interface Inclusion {
  by: number;
  path: string;
}

/** Maximum number of tables that include one another. */
const MAX_DEPTH = 10;
/** Maximum number of paths below which one table is included. */
const MAX_PREFIXES = 20;

export function routeAt(graph: Graph, at: number, { method, path, line }: Declared, handler: number): Route {
  const place = handler < 0 || graph.isFile(handler) ? null : placeOf(graph, handler);
  return { method, route: path, path: graph.path(at), line, handler: place };
}

export function tableRoutes(graph: Graph): Route[] {
  const files = tableFiles(graph);
  const inclusions = new Map<number, Inclusion[]>();
  const entries = files.flatMap((file) => entriesOf(graph, file));
  const kept = entries.filter((entry) => {
    const target = entry.module === '' ? -1 : moduleFile(graph, files, entry.module);
    if (target < 0) return true;
    inclusions.set(target, [...(inclusions.get(target) ?? []), { by: entry.file, path: entry.path }]);
    return false;
  });
  return kept.flatMap(({ file, path, line, handler, module }) =>
    prefixesOf(file, inclusions, 0).map((prefix) => {
      const declared = { method: module === '' ? 'ANY' : 'USE', path: joinedPath(prefix, path), line };
      return routeAt(graph, graph.fileNode(file), declared, handler);
    }),
  );
}

function tableFiles(graph: Graph): number[] {
  const found = new Set<number>();
  const languages = new Set(graph.tables.files.map(({ language }) => language));
  for (const language of languages) {
    const table = conventionsOf(language).routeTable;
    if (table === undefined) continue;
    for (const node of graph.nodesNamed(table.variable)) {
      const file = graph.fileOf(node);
      if (graph.tables.files[file].language === language && !isTest(graph, file)) found.add(file);
    }
  }
  return [...found];
}

interface TableEntry {
  file: number;
  path: string;
  line: number;
  handler: number;
  /** Module whose table it includes, '' for none. */
  module: string;
}

function entriesOf(graph: Graph, file: number): TableEntry[] {
  const { routeTable } = conventionsOf(graph.tables.files[file].language);
  const found: TableEntry[] = [];
  const first = graph.fileNode(file);
  const nodes = [first, ...graph.nodesNamed(routeTable?.variable ?? '').filter((node) => graph.fileOf(node) === file)];
  const edges = nodes.flatMap((node) => [...outgoing(graph, node)]).map((edge) => graph.edge(edge));
  for (const { kind, name, literal, startLine, endLine } of edges) {
    if (kind !== 'call' || routeTable?.entries.has(name) !== true) continue;
    const within = edges.filter((edge) => edge.startLine >= startLine && edge.startLine <= endLine);
    const included = within.find((edge) => edge.kind === 'call' && edge.name === routeTable.include);
    const handler = within.find(({ to }) => to >= 0 && (isFunction(graph, to) || isType(graph, to)))?.to ?? -1;
    const path = `/${literal.replace(/^\^?\/?/, '').replace(/\$$/, '')}`;
    found.push({ file, path, line: startLine, handler, module: included?.literal ?? '' });
  }
  return found;
}

function moduleFile(graph: Graph, files: readonly number[], module: string): number {
  const end = `/${module.replaceAll('.', '/')}`;
  return (
    files.find((file) => `/${graph.tables.files[file].path.replace(/(?:\/__init__)?\.\w+$/, '')}`.endsWith(end)) ?? -1
  );
}

/** All paths below which the table of a file is included; the empty one for a table that none includes. */
function prefixesOf(file: number, inclusions: ReadonlyMap<number, readonly Inclusion[]>, depth: number): string[] {
  const all = inclusions.get(file);
  if (all === undefined || depth >= MAX_DEPTH) return [''];
  return all
    .flatMap(({ by, path }) => prefixesOf(by, inclusions, depth + 1).map((prefix) => joinedPath(prefix, path)))
    .slice(0, MAX_PREFIXES);
}
