/**
 * Builds the tree of calls below an entry point, and finds the entry points: where programs, requests, commands and tests begin.
 */
import { getOrMake } from '../../base/lists.js';
import { conventionsOf, sameFamily } from '../../languages/registry.js';
import type { Entries, Entry, Flow, FlowNode } from '../../questions/graph/flow/question.js';
import type { Graph } from '../graph.js';
import { findRoutes } from '../routes.js';
import { commandName, isInitializer, isMain, registrar } from './entry-patterns.js';
import {
  cut,
  hasTopLevelCode,
  isProduction,
  isProgramPath,
  isRunnableTest,
  isTest,
  isToolFile,
  placeOf,
  topFolder,
} from './node-place.js';
import { bodyOf, overloadsOf } from './overloads.js';
import { directMembers, isFunction, isType, lastNodeOf, outgoing, overridersOf, RUN_KINDS } from './uses.js';

/** Calls of a node whose target is not in the graph. */
type OutsideCalls = Pick<FlowNode, 'external' | 'unresolved' | 'ends'>;

/** Unresolved calls of a function that are named with the reason. */
const MAX_ENDS = 5;

interface Child {
  node: number;
  line: number;
  use: FlowNode['use'];
  confidence: number;
  likely?: true;
}

export function flowFrom(
  graph: Graph,
  nodes: readonly number[],
  { depth, limit }: { depth: number; limit: number },
): Flow {
  const children = memoize((node: number) => childrenOf(graph, node));
  const entries = [...new Set(nodes.map((node) => bodyOf(graph, node)))];
  const depths = fewestSteps(entries, children, depth);
  const tree: FlowNode[] = [];
  const expanded = new Set<number>();
  const above: number[] = [];
  // An explicit stack: chains of calls are deeper than recursion may be.
  const stack: { child: Child; depth: number }[] = entries
    .map((node) => ({ child: { node, line: 0, use: 'entry' as const, confidence: 1 }, depth: 0 }))
    .reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { child, depth: at } = next;
    above.length = at;
    const below = children(child.node);
    const isCycle = above.includes(child.node);
    const seen = isCycle
      ? 'cycle'
      : expanded.has(child.node)
        ? 'above'
        : depths.get(child.node) === at
          ? null
          : 'below';
    const isLeaf = below.length === 0;
    const expands = seen === null && at < depth;
    tree.push({
      ...placeOf(graph, child.node),
      ...outsideOf(graph, child.node),
      ...{ depth: at, line: child.line, use: child.use, confidence: child.confidence },
      ...(child.likely && { likely: child.likely }),
      ...(seen !== null && (!isLeaf || isCycle) && { seen }),
      ...(seen === null && !expands && !isLeaf && { deeper: below.length }),
    });
    if (!expands) continue;
    expanded.add(child.node);
    above[at] = child.node;
    for (let i = below.length - 1; i >= 0; i--) stack.push({ child: below[i], depth: at + 1 });
  }
  return { tree: cut(tree, limit), reached: depths.size - entries.length };
}

/** Depth at which each node is first reached: its calls are listed there. */
function fewestSteps(
  nodes: readonly number[],
  children: (node: number) => readonly Child[],
  depth: number,
): Map<number, number> {
  const found = new Map(nodes.map((node) => [node, 0]));
  for (const [node, at] of found) {
    if (at >= depth) continue;
    for (const { node: to } of children(node)) if (!found.has(to)) found.set(to, at + 1);
  }
  return found;
}

/**
 * Calls of a node in the order of its lines, each target once. A class has the calls of an instantiation, a file those
 * of its top level and its main functions.
 */
function childrenOf(graph: Graph, node: number): Child[] {
  const found = new Map<number, Child>();
  for (const source of [node, ...constructorsOf(graph, node), ...nestedOf(graph, node)]) {
    for (const edge of outgoing(graph, source)) {
      const child = childBy(graph, edge);
      const known = child === null ? undefined : found.get(child.node);
      // A proven call says more than a likely one before it.
      if (child !== null && (known === undefined || (known.likely && !child.likely))) found.set(child.node, child);
    }
  }
  for (const to of mainsOf(graph, node))
    if (!found.has(to)) found.set(to, { node: to, line: graph.startLine(to), use: 'entry', confidence: 1 });
  // A declaration runs nothing itself; its overriders do.
  if (found.size === 0 && isFunction(graph, node)) {
    for (const to of overridersOf(graph, node))
      found.set(to, { node: to, line: graph.startLine(to), use: 'override', confidence: 1 });
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

/** Child of a node by one of its uses; null if that runs nothing that is known. */
function childBy(graph: Graph, edge: number): Child | null {
  const { to, kind, startLine: line, confidence, tier } = graph.edge(edge);
  if (to < 0 || !RUN_KINDS.has(kind)) return null;
  const node = bodyOf(graph, to);
  if (kind === 'value' && !isFunction(graph, node)) return null;
  return { node, line, use: kind, confidence, ...(tier === 'likely' && { likely: true }) };
}

function mainsOf(graph: Graph, node: number): number[] {
  if (!graph.isFile(node)) return [];
  const found: number[] = [];
  for (let at = node + 1; at < lastNodeOf(graph, node); at++) if (isMain(graph, at)) found.push(at);
  return found;
}

/** Unnamed functions inside of a function: their calls count as its own. */
function nestedOf(graph: Graph, node: number): number[] {
  if (graph.isFile(node) || isType(graph, node)) return [];
  return [...directMembers(graph, node)].filter((at) => graph.incoming(at).length === 0);
}

function constructorsOf(graph: Graph, node: number): number[] {
  if (graph.isFile(node) || !isType(graph, node)) return [];
  return [...directMembers(graph, node)].filter((at) => graph.kind(at) === 'constructor');
}

function outsideOf(graph: Graph, node: number): OutsideCalls {
  let [external, unresolved] = [0, 0];
  const ends: NonNullable<FlowNode['ends']> = [];
  for (const edge of outgoing(graph, node)) {
    const kind = graph.edgeKind(edge);
    if (graph.target(edge) >= 0 || !RUN_KINDS.has(kind) || kind === 'request') continue;
    if (graph.tier(edge) === 'external') external++;
    else if (++unresolved <= MAX_ENDS) ends.push(endOf(graph, edge));
  }
  return { external, unresolved, ...(ends.length > 0 && { ends }) };
}

function endOf(graph: Graph, edge: number): NonNullable<FlowNode['ends']>[number] {
  const { startLine, name, receiver, tier } = graph.edge(edge);
  const why = tier === 'ambiguous' ? 'ambiguous' : graph.nodesNamed(name).length > 0 ? 'unresolved' : 'unnamed';
  return { line: Math.max(1, startLine), text: receiver === '' ? name : `${receiver}.${name}`, why };
}

function memoize<T>(make: (node: number) => T): (node: number) => T {
  const known = new Map<number, T>();
  return (node) => getOrMake(known, node, () => make(node));
}

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

/** Number of different nodes of the repository that a node runs. */
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
  // A manifest that runs a script does not make a module of it.
  const isData = (from: number) => conventionsOf(graph.tables.files[graph.fileOf(from)].language).pathClass === 'data';
  if (graph.incoming(node).some((edge) => graph.isFileEdge(edge) && !isData(graph.source(edge)))) return false;
  for (const edge of outgoing(graph, node)) if (graph.target(edge) >= 0 && graph.edgeKind(edge) === 'call') return true;
  return false;
}

function isUncalled(graph: Graph, node: number): boolean {
  if (!graph.isExported(node) || graph.kind(node) !== 'function' || bodyOf(graph, node) !== node) return false;
  if (overloadsOf(graph, node).some((declared) => graph.incoming(declared).length > 0)) return false;
  if (isInitializer(graph, node) || registrar(graph, node) !== null) return false;
  if (!graph.isFile(graph.container(node)) || callsOf(graph, node) === 0) return false;
  // A use that seems to lead outside may mean a package of this repository under its own name.
  const { language } = graph.tables.files[graph.fileOf(node)];
  return !graph
    .danglingNamesakes(node)
    .some((edge) => sameFamily(language, graph.tables.files[graph.fileOf(graph.source(edge))].language));
}

/** Name of the command that a decorator makes of a function. */
function commandOf(graph: Graph, node: number): string | null {
  for (const edge of outgoing(graph, node)) {
    if (graph.edgeKind(edge) !== 'decorator') continue;
    const name = commandName(graph.edge(edge), graph.name(node));
    if (name !== null) return name;
  }
  return null;
}
