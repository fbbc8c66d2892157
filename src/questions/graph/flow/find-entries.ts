/** Finds the entry points: where programs, requests, commands and tests begin. */

import type { Graph } from '../../../graph/graph.js';
import { isInitializer, registrar } from '../../../graph/query/conventions.js';
import {
  commandName,
  hasTopLevelCode,
  isMain,
  isProgramPath,
  isToolFile,
} from '../../../graph/query/entry-patterns.js';
import { bodyOf, overloadsOf } from '../../../graph/query/overloads.js';
import { cut, isProduction, isRunnableTest, isTest, placeOf, topFolder } from '../../../graph/query/place.js';
import { lastNodeOf, outgoing, RUN_KINDS } from '../../../graph/query/uses.js';
import { findRoutes } from '../../../graph/routes/find-routes.js';
import { sameFamily } from '../../../languages/registry.js';
import type { Entries, Entry } from './output.js';

interface EntryOptions {
  limit: number;
  /** Files that manifests name as commands, with the command's name. */
  bins?: readonly { name: string; path: string }[];
}

export function findEntries(graph: Graph, { limit, bins = [] }: EntryOptions): Entries {
  const named = new Map(bins.map(({ name, path }) => [graph.findFile(path), name]));
  const mains: Entry[] = [];
  const commands: Entry[] = [];
  const scripts: Entry[] = [];
  const uncalled: Entry[] = [];
  const folders = new Map<string, number>();
  for (let file = 0; file < graph.fileCount; file++) {
    const first = graph.fileNode(file);
    const { language, path } = graph.tables.files[file];
    if (isTest(graph, file)) {
      if (!isRunnableTest(graph, file)) continue;
      folders.set(topFolder(path), (folders.get(topFolder(path)) ?? 0) + 1);
      continue;
    }
    if (named.has(file) || (isProgramPath(language, path) && callsOf(graph, first) > 0)) {
      const label = named.get(file);
      commands.push({ ...placeOf(graph, first), ...(label !== undefined && { label }), calls: callsOf(graph, first) });
    } else if (isScript(graph, file)) scripts.push(entryOf(graph, first));
    for (let node = first + 1; node < lastNodeOf(graph, first); node++) {
      const command = commandOf(graph, node);
      if (isMain(graph, node)) mains.push(entryOf(graph, node));
      else if (command !== null) commands.push({ ...entryOf(graph, node), label: command });
      else if (isUncalled(graph, node)) uncalled.push(entryOf(graph, node));
    }
  }
  const listed = [...folders].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const isOwn = ({ path }: { path: string }) => isProduction(graph, graph.findFile(path));
  const ranked = (entries: Entry[]) =>
    cut(
      entries.sort(
        (a, b) =>
          Number(isOwn(b)) - Number(isOwn(a)) ||
          Number(b.label !== undefined) - Number(a.label !== undefined) ||
          b.calls - a.calls,
      ),
      limit,
    );
  return {
    mains: ranked(mains),
    bins: ranked(commands),
    routes: cut(findRoutes(graph), limit),
    scripts: ranked(scripts),
    tests: {
      files: listed.reduce((sum, [, files]) => sum + files, 0),
      folders: cut(
        listed.map(([folder, files]) => ({ folder, files })),
        limit,
      ),
    },
    uncalled: ranked(uncalled.filter(isOwn)),
  };
}

function entryOf(graph: Graph, node: number): Entry {
  return { ...placeOf(graph, node), calls: callsOf(graph, node) };
}

/** Different things of the repository that a node runs. */
function callsOf(graph: Graph, node: number): number {
  const found = new Set<number>();
  for (const edge of outgoing(graph, node))
    if (graph.target(edge) >= 0 && RUN_KINDS.has(graph.edgeKind(edge))) found.add(graph.target(edge));
  return found.size;
}

function isScript(graph: Graph, file: number): boolean {
  const node = graph.fileNode(file);
  const { path, language } = graph.tables.files[file];
  if (!isProduction(graph, file) || isToolFile(language, path) || !hasTopLevelCode(language, path)) return false;
  if (graph.incoming(node).some((edge) => graph.isFileEdge(edge))) return false;
  for (const edge of outgoing(graph, node)) if (graph.target(edge) >= 0 && graph.edgeKind(edge) === 'call') return true;
  return false;
}

function isUncalled(graph: Graph, node: number): boolean {
  if (!graph.isExported(node) || graph.kind(node) !== 'function' || bodyOf(graph, node) !== node) return false;
  if (overloadsOf(graph, node).some((declared) => graph.incoming(declared).length > 0)) return false;
  if (isInitializer(graph, node) || registrar(graph, node) !== null) return false;
  if (!graph.isFile(graph.container(node)) || callsOf(graph, node) === 0) return false;
  // Even a use that seems to lead outside may be one: a package of this repository under its own name.
  const { language } = graph.tables.files[graph.fileOf(node)];
  return !graph
    .danglingNamesakes(node)
    .some((edge) => sameFamily(language, graph.tables.files[graph.fileOf(graph.source(edge))].language));
}

/** The name of the command that a decorator makes of a function. */
function commandOf(graph: Graph, node: number): string | null {
  for (const edge of outgoing(graph, node)) {
    if (graph.edgeKind(edge) !== 'decorator') continue;
    const name = commandName(graph.edge(edge), graph.name(node));
    if (name !== null) return name;
  }
  return null;
}
