/** Divides a repository into folders with their files, most central first, and rates the definitions of a file. */
import { posix } from 'node:path';
import type { Graph } from '../graph.js';
import { centralityOf, isOnMap, neighbours } from './file-edges.js';
import { isTest, topFolder } from './node-place.js';
import { isFunction, isType, lastNodeOf } from './uses.js';

/** A definition that a map can show. */
export interface MapEntry {
  node: number;
  file: number;
  /** Higher is better; comparable within one map. */
  value: number;
}

export interface MapFolder {
  /** From the top, '' for the top itself. */
  path: string;
  /** Most central first. */
  files: number[];
  /** Sum over its files. */
  value: number;
  /** Folders that its files use, most used first. */
  uses: string[];
}

/**
 * Maximum number of folders of a map, as many as a reader takes in at a glance. Further small ones are merged with
 * those around them.
 */
const MAX_FOLDERS = 24;
/** Minimum number of files of a folder that is split. */
const MIN_SPLIT = 12;
/** Minimum number of files that the parts of a folder have on average. */
const MIN_FILES = 2;
const MAX_USES = 6;

/** Files in `scope` (default: all) that belong on a map. */
export function filesOnMap(graph: Graph, scope: (path: string) => boolean = () => true): number[] {
  const all = graph.tables.files.flatMap(({ path }, file) => (scope(path) ? [file] : []));
  const own = all.filter((file) => isOnMap(graph, file));
  // Then the scope is a folder of tests or documents, requested by name.
  return own.length > 0 ? own : all;
}

export function foldersOf(graph: Graph, files: readonly number[]): MapFolder[] {
  const ranks = centralityOf(graph);
  const groups = split(graph, files);
  const folderOf = new Map<number, string>();
  for (const [path, members] of groups) for (const file of members) folderOf.set(file, path);
  const folders = [...groups].map(([path, members]): MapFolder => {
    const sorted = [...members].sort((a, b) => ranks[b] - ranks[a] || a - b);
    const value = sorted.reduce((sum, file) => sum + ranks[file], 0);
    return { path, files: sorted, value, uses: usesOf(graph, { path, members, folderOf }) };
  });
  return folders.sort((a, b) => b.value - a.value || (a.path < b.path ? -1 : 1));
}

function usesOf(
  graph: Graph,
  { path, members, folderOf }: { path: string; members: readonly number[]; folderOf: ReadonlyMap<number, string> },
): string[] {
  const counts = new Map<string, number>();
  for (const file of members) {
    for (const other of neighbours(graph, file, 'out')) {
      const folder = folderOf.get(other);
      if (folder !== undefined && folder !== path) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return sorted.slice(0, MAX_USES).map(([name]) => name);
}

/** Folders with code that is not on the map (tests, examples, copies) and their numbers of files, most files first. */
export function secondaryFolders(
  graph: Graph,
  shown: ReadonlySet<number>,
  scope: (path: string) => boolean = () => true,
): [string, number][] {
  const counts = new Map<string, number>();
  const first = (path: string) => path.slice(0, Math.max(0, path.indexOf('/'))) || '.';
  const tops = new Set([...shown].map((file) => first(graph.tables.files[file].path)));
  for (const [file, { path, state }] of graph.tables.files.entries()) {
    if ((state !== 'linked' && state !== 'degraded') || shown.has(file) || !scope(path)) continue;
    const folder = tops.has(first(path)) ? topFolder(path) : first(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/** Splits the largest folder until there are enough folders, or none is worth it. */
function split(graph: Graph, files: readonly number[]): Map<string, number[]> {
  const ranks = centralityOf(graph);
  const groups = new Map<string, number[]>([['', [...files]]]);
  /** Groups that are not split again. */
  const done = new Set<string>();
  while (groups.size < MAX_FOLDERS) {
    const open = [...groups].filter(([path, { length }]) => !done.has(path) && (path === '' || length >= MIN_SPLIT));
    const [largest] = open.sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
    if (largest === undefined) break;
    const [path, members] = largest;
    done.add(path);
    const parts = [...partsOf(graph, path, members)];
    // A folder for each file means less than one name for all of them.
    if (path !== '' && members.length < parts.length * MIN_FILES) continue;
    const worthOf = (inside: readonly number[]) => inside.reduce((sum, file) => sum + ranks[file], 0);
    parts.sort((a, b) => worthOf(b[1]) - worthOf(a[1]));
    groups.delete(path);
    for (const [part, inside] of parts) {
      // Parts without room on the map are merged with the files right in the folder.
      const name = groups.size < MAX_FOLDERS - 1 ? part : path;
      groups.set(name, [...(groups.get(name) ?? []), ...inside]);
    }
  }
  return new Map([...groups].map(([, members]) => [commonFolder(graph, members), members]));
}

/** Deepest folder that contains all of them: groups do not share any, so each has a name of its own. */
function commonFolder(graph: Graph, members: readonly number[]): string {
  const paths = members.map((file) => graph.tables.files[file].path);
  let folder = posix.dirname(paths[0] ?? '');
  for (const path of paths) while (folder !== '.' && !path.startsWith(`${folder}/`)) folder = posix.dirname(folder);
  return folder === '.' ? '' : folder;
}

function partsOf(graph: Graph, folder: string, members: readonly number[]): Map<string, number[]> {
  const parts = new Map<string, number[]>();
  const start = folder === '' ? 0 : folder.length + 1;
  for (const file of members) {
    const { path } = graph.tables.files[file];
    const slash = path.indexOf('/', start);
    const part = slash < 0 ? folder : path.slice(0, slash);
    const known = parts.get(part);
    if (known === undefined) parts.set(part, [file]);
    else known.push(file);
  }
  return parts;
}

/** Definitions of a file that are worth showing: those that other files use, then visible ones. Best first. */
export function entriesOf(graph: Graph, file: number): MapEntry[] {
  const ranks = centralityOf(graph);
  const first = graph.fileNode(file);
  const found: MapEntry[] = [];
  for (let node = first + 1; node < lastNodeOf(graph, first); node++) {
    const depth = depthOf(graph, node);
    const isCode = isFunction(graph, node) || isType(graph, node);
    if (depth > 1 || graph.kind(node) === 'impl' || !(isCode || depth === 0) || isRepeated(graph, node)) continue;
    if (isNest(graph, node)) continue;
    const users = usersOf(graph, node, file);
    if (users === 0 && !graph.isExported(node)) continue;
    const kind = isCode ? 1 : VALUE;
    const share = (UNUSED + Math.log2(1 + users)) * kind * (depth === 0 ? 1 : MEMBER);
    found.push({ node, file, value: ranks[file] * share });
  }
  return found.sort((a, b) => b.value - a.value || a.node - b.node);
}

/** Worth of an unused definition; one that is used from one file adds 1. */
const UNUSED = 0.3;
/** Factor for a method: its class more or less describes it. */
const MEMBER = 0.5;
/** Factor for a constant or variable. */
const VALUE = 0.4;

/** Is it another declaration of the preceding symbol: an overload, or its body? */
function isRepeated(graph: Graph, node: number): boolean {
  const before = node - 1;
  return graph.container(before) === graph.container(node) && graph.name(before) === graph.name(node);
}

function depthOf(graph: Graph, node: number): number {
  let depth = 0;
  for (let at = shownContainer(graph, node); at >= 0 && depth < 2; at = shownContainer(graph, at)) depth++;
  return depth;
}

/** Enclosing type; -1 at top level, which includes the namespaces around it. */
export function shownContainer(graph: Graph, node: number): number {
  let at = graph.container(node);
  while (at >= 0 && !graph.isFile(at) && isNest(graph, at)) at = graph.container(at);
  return at < 0 || graph.isFile(at) ? -1 : at;
}

/** Is it a namespace that mostly contains types? They say what the file is about, the namespace says where they are. */
function isNest(graph: Graph, node: number): boolean {
  if (!NESTS.has(graph.kind(node))) return false;
  const last = lastNodeOf(graph, node);
  const linesOf = (at: number) => graph.endLine(at) - graph.startLine(at) + 1;
  let types = 0;
  let others = 0;
  // Definitions directly follow the one that contains them.
  for (let inner = node + 1; inner < last && graph.startLine(inner) <= graph.endLine(node); inner++) {
    if (graph.container(inner) !== node) continue;
    if (isType(graph, inner)) types += linesOf(inner);
    else others += linesOf(inner);
  }
  return types > others * NEST_TIMES;
}

/** Minimum lines of its types, as a multiple of the other lines. */
const NEST_TIMES = 3;
const NESTS: ReadonlySet<string> = new Set(['module', 'namespace']);

/** Number of other files that use it, without tests. */
function usersOf(graph: Graph, node: number, file: number): number {
  const users = new Set<number>();
  for (const edge of graph.incoming(node)) {
    const from = graph.fileOf(graph.source(edge));
    if (from !== file && !isTest(graph, from)) users.add(from);
  }
  return users.size;
}
