/**
 * Edges between files: which files a file uses and which use it, by imports, or without any where a language needs none (the same package or
 * namespace). Three things are made of them: how central a file is, the map of folders and their definitions, and dependencies. What makes no
 * use of a file is found at the end: imports of packages of which other files are used, and namespaces that many files open.
 */
import { posix } from 'node:path';
import { addTo, getOrMake } from '../../base/lists.js';
import { semanticsOf } from '../../languages/registry.js';
import { type Edges, pageRank } from '../../search/build-corpus.js';
import type { Graph } from '../graph.js';
import { CONFIDENCE, type EdgeKind, EVIDENCE_TIERS, type EvidenceTier } from '../tables.js';
import { classOf, cut, isProduction, isTest, type Some, topFolder } from './node-place.js';
import { directMembers, INHERIT_KINDS, isFunction, isType, lastNodeOf, outgoing, TYPE_IMPORT_KINDS } from './uses.js';

interface FileLink {
  path: string;
  /** Kinds of imports; empty if it is used without one. */
  kinds: EdgeKind[];
  /** Lines of the imports, or of the uses if there are no imports. */
  lines: number[];
  /** Symbols used, most used first. */
  names: Some<string>;
}

const MAX_NAMES = 8;
const MAX_LINES = 8;

interface Collected {
  kinds: Set<EdgeKind>;
  imports: Set<number>;
  uses: Set<number>;
  names: Map<string, number>;
}

/** Imports and uses of a file, in the order of its text. */
export function filesUsedBy(graph: Graph, file: number): FileLink[] {
  const found = new Map<number, Collected>();
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) {
    for (const edge of outgoing(graph, node)) {
      const to = graph.target(edge);
      if (to >= 0) collect(graph, found, edge, graph.fileOf(to));
    }
  }
  found.delete(file);
  for (const part of unusedParts(graph, file)) found.delete(part);
  return linksOf(graph, found);
}

/** Files that import or use a file, sorted by path. */
export function filesUsing(graph: Graph, file: number): FileLink[] {
  const found = new Map<number, Collected>();
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++)
    for (const edge of graph.incoming(node)) collect(graph, found, edge, graph.fileOf(graph.source(edge)));
  found.delete(file);
  const isUser = ([user]: [number, Collected]) => !unusedParts(graph, user).has(file);
  return linksOf(graph, new Map([...found].filter(isUser).sort((a, b) => a[0] - b[0])));
}

/**
 * Uses of what a file declares by files that do not import it: a language needs no import within a package, or none at all. Files that
 * only use members of an object from elsewhere are left out.
 */
export function usesWithoutImport(graph: Graph, file: number): number[] {
  const first = graph.fileNode(file);
  const incoming = Array.from({ length: lastNodeOf(graph, first) - first }, (_, i) => [...graph.incoming(first + i)]);
  const importers = new Set([file]);
  const direct = new Set<number>();
  for (const edge of incoming.flat()) {
    const from = graph.fileOf(graph.source(edge));
    if (graph.isFileEdge(edge)) importers.add(from);
    else if (DIRECT_TIERS.has(graph.tier(edge)) && isFileUse(graph, edge)) direct.add(from);
  }
  const isUse = (edge: number) => {
    const from = graph.fileOf(graph.source(edge));
    return direct.has(from) && !importers.has(from) && isFileUse(graph, edge);
  };
  // Uses of the file's own node are listed with its imports.
  return incoming.slice(1).flat().filter(isUse);
}

/** A page needs no file of the server that it asks, and a namespace belongs to no file. */
function isFileUse(graph: Graph, edge: number): boolean {
  return graph.edgeKind(edge) !== 'request' && !namesSpaceAlone(graph, edge);
}

function collect(graph: Graph, found: Map<number, Collected>, number: number, file: number): void {
  if (!isFileUse(graph, number)) return;
  let known = found.get(file);
  if (known === undefined) {
    known = { kinds: new Set(), imports: new Set(), uses: new Set(), names: new Map() };
    found.set(file, known);
  }
  const line = graph.tables.edgeLine[number];
  if (graph.isFileEdge(number)) {
    known.kinds.add(graph.edgeKind(number));
    known.imports.add(line);
    return;
  }
  known.uses.add(line);
  const to = graph.target(number);
  const name = graph.isFile(to) ? '' : graph.qualifiedName(to);
  if (name !== '') known.names.set(name, (known.names.get(name) ?? 0) + 1);
}

function linksOf(graph: Graph, found: ReadonlyMap<number, Collected>): FileLink[] {
  return [...found].map(([file, { kinds, imports, uses, names }]) => ({
    path: graph.tables.files[file].path,
    kinds: [...kinds],
    lines: [...(imports.size > 0 ? imports : uses)].sort((a, b) => a - b).slice(0, MAX_LINES),
    names: cut(
      [...names].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name),
      MAX_NAMES,
    ),
  }));
}

/** Numbers of the files that a file imports or uses, or that import or use it, without itself. */
export function neighbours(graph: Graph, file: number, direction: 'out' | 'in'): Set<number> {
  const found = new Set<number>();
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) {
    if (direction === 'in') {
      for (const edge of graph.incoming(node)) if (isFileUse(graph, edge)) found.add(graph.fileOf(graph.source(edge)));
    } else {
      for (const edge of outgoing(graph, node)) {
        const to = graph.target(edge);
        if (to >= 0 && isFileUse(graph, edge)) found.add(graph.fileOf(to));
      }
    }
  }
  found.delete(file);
  if (direction === 'out') for (const part of unusedParts(graph, file)) found.delete(part);
  else for (const user of found) if (unusedParts(graph, user).has(file)) found.delete(user);
  return found;
}

// Centrality: page rank over the uses of files.

/** Weight of uses in tests, examples and copies: they show what is tested, but little of what the rest depends on. */
const SECONDARY_WEIGHT = 0.02;
/** Weight of uses of types alone, which run no code. */
const TYPE_ONLY = 0.5;
const TYPE_KINDS: ReadonlySet<string> = new Set(['type', 'type-import', 'type-reexport']);
const BY_TIER = EVIDENCE_TIERS.map((tier) => CONFIDENCE[tier]);
/** Share of files that use many others, beside files that many others use: a reader needs both. */
const GATHERING = 0.35;
/** Number of lines that give a file half of its worth: a type alias that everything uses means little. */
const HALF_LINES = 40;

const known = new WeakMap<Graph, Float64Array>();

/** Centrality of each file; higher is more central. */
export function centralityOf(graph: Graph): Float64Array {
  return getOrMake(known, graph, () => measure(graph));
}

const best = new WeakMap<Graph, number>();

/** Centrality of a file as a share of the most central one's: 0 to 1. */
export function shareOfBest(graph: Graph, file: number): number {
  const ranks = centralityOf(graph);
  let most = best.get(graph);
  if (most === undefined) {
    most = ranks.reduce((a, b) => Math.max(a, b), 0);
    best.set(graph, most);
  }
  return most === 0 ? 0 : ranks[file] / most;
}

function measure(graph: Graph): Float64Array {
  const edges = fileUses(graph);
  const starts = Float64Array.from({ length: graph.fileCount }, (_, file) =>
    isProduction(graph, file) ? 1 : SECONDARY_WEIGHT,
  );
  const sum = starts.reduce((total, value) => total + value, 0);
  for (let file = 0; file < starts.length; file++) starts[file] /= sum;
  const used = pageRank(graph.fileCount, edges, starts);
  const own = edges.from.map((from) => (isProduction(graph, from) ? 1 : SECONDARY_WEIGHT));
  const weight = edges.weight.map((value, i) => value * own[i]);
  const gathering = pageRank(graph.fileCount, { from: edges.to, to: edges.from, weight }, starts);
  return used.map((value, file) => {
    const lines = graph.endLine(graph.fileNode(file));
    return ((1 - GATHERING) * value + GATHERING * gathering[file]) * (lines / (lines + HALF_LINES));
  });
}

function fileUses(graph: Graph): Edges {
  const { nodeBase, edgeBase, edgeTo, edgeTier } = graph.tables;
  const edges: Edges = { from: [], to: [], weight: [] };
  const fileOf = filesByNode(graph);
  for (let file = 0; file < graph.fileCount; file++) {
    const sums = new Map<number, number>();
    for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++) {
      const to = edgeTo[edge];
      if (to < 0 || fileOf[to] === file || namesSpaceAlone(graph, edge)) continue;
      const weight = BY_TIER[edgeTier[edge]] * (TYPE_KINDS.has(graph.edgeKind(edge)) ? TYPE_ONLY : 1);
      sums.set(fileOf[to], (sums.get(fileOf[to]) ?? 0) + weight);
    }
    for (const [to, sum] of sums) {
      edges.from.push(file);
      edges.to.push(to);
      // A hundred calls weigh more than one, but not a hundred times as much.
      edges.weight.push(Math.sqrt(sum));
    }
  }
  return edges;
}

function filesByNode(graph: Graph): Uint32Array {
  const fileOf = new Uint32Array(graph.nodeCount);
  for (let file = 0; file < graph.fileCount; file++)
    fileOf.fill(file, graph.tables.nodeBase[file], graph.tables.nodeBase[file + 1]);
  return fileOf;
}

// The map: folders, their files and the definitions to show, most central first.

/** Does a map show the file? It has code that people work on, in a language with definitions. */
export function isOnMap(graph: Graph, file: number): boolean {
  const { state } = graph.tables.files[file];
  const name = classOf(graph, file);
  return isProduction(graph, file) && name !== 'declaration' && (state === 'linked' || state === 'degraded');
}

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
      for (const file of inside) addTo(groups, name, file);
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
    addTo(parts, part, file);
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

// Dependencies: one edge for each pair of files.

export interface Dependency {
  /** Numbers of the files. */
  from: number;
  to: number;
  /** Edge that proves it: an import rather than a use, a value rather than a type. */
  edge: number;
  /** True if only types are imported. */
  types: boolean;
}

/**
 * Evidence of uses that count: by an import that stands for many files, or in the same package. A member of an object
 * from elsewhere (`receiver`) makes no dependency, nor does a name that a third file re-exports.
 */
const DIRECT_TIERS: ReadonlySet<EvidenceTier> = new Set(['path', 'imported', 'package']);
const IS_DIRECT = EVIDENCE_TIERS.map((tier) => DIRECT_TIERS.has(tier));

const knownDependencies = new WeakMap<Graph, ReadonlyMap<number, ReadonlyMap<number, Dependency>>>();

/** Dependencies by the file that has them, then by the file that it depends on. No file depends on itself. */
export function dependenciesOf(graph: Graph): ReadonlyMap<number, ReadonlyMap<number, Dependency>> {
  return getOrMake(knownDependencies, graph, () => findDependencies(graph));
}

function findDependencies(graph: Graph): Map<number, Map<number, Dependency>> {
  const { nodeBase, edgeBase, edgeTo, edgeTier } = graph.tables;
  const found = new Map<number, Map<number, Dependency>>();
  for (let from = 0; from < graph.fileCount; from++) {
    const own = new Map<number, Dependency>();
    for (let edge = edgeBase[nodeBase[from]]; edge < edgeBase[nodeBase[from + 1]]; edge++) {
      const target = edgeTo[edge];
      if (target < 0 || (target >= nodeBase[from] && target < nodeBase[from + 1])) continue;
      const isImport = graph.isFileEdge(edge);
      if (isImport ? graph.edgeKind(edge) === 'module' : !IS_DIRECT[edgeTier[edge]]) continue;
      const to = graph.fileOf(target);
      if (namesSpaceAlone(graph, edge)) continue;
      if (isImport && unusedParts(graph, from).has(to)) continue;
      const types = TYPE_IMPORT_KINDS.has(graph.edgeKind(edge));
      const before = own.get(to);
      // Imports come first: they leave the file's own node. A use adds nothing to an import, even to one of types alone.
      if (before === undefined || (isImport && before.types && !types)) own.set(to, { from, to, edge, types });
    }
    if (own.size > 0) found.set(from, own);
  }
  return found;
}

// Imports of whole packages.

const NONE: ReadonlySet<number> = new Set();
const knownParts = new WeakMap<Graph, ReadonlySet<number>[]>();

/**
 * Numbers of the files that a file reaches only by importing their package, while it uses other files of that package.
 * The set is empty if it uses none of them for certain: then all files of the package count.
 */
export function unusedParts(graph: Graph, file: number): ReadonlySet<number> {
  let all = knownParts.get(graph);
  if (all === undefined) {
    all = [];
    knownParts.set(graph, all);
  }
  all[file] ??= findUnusedParts(graph, file);
  return all[file];
}

/** Is an edge the import of a package, to one of its files that the importing file does not use? */
export function isUnusedPart(graph: Graph, edge: number): boolean {
  if (!graph.isFileEdge(edge) || graph.target(edge) < 0 || graph.tier(edge) !== 'package') return false;
  return unusedParts(graph, graph.fileOf(graph.source(edge))).has(graph.fileOf(graph.target(edge)));
}

function findUnusedParts(graph: Graph, file: number): ReadonlySet<number> {
  const { packages, named } = importsOf(graph, file);
  if (packages.size === 0) return NONE;
  const used = usedFiles(graph, file);
  const usedPackages = new Set([...packages].flatMap(([to, names]) => (used.has(to) ? [...names] : [])));
  const isUnused = ([to, names]: [number, Set<string>]) =>
    !used.has(to) && !named.has(to) && [...names].every((name) => usedPackages.has(name));
  return new Set([...packages].filter(isUnused).map(([to]) => to));
}

/** Imports of packages by the files to which they lead, and the files that an import names. */
function importsOf(graph: Graph, file: number): { packages: Map<number, Set<string>>; named: Set<number> } {
  const packages = new Map<number, Set<string>>();
  const named = new Set<number>();
  for (const edge of edgesOf(graph, file)) {
    const to = graph.target(edge) < 0 ? -1 : graph.fileOf(graph.target(edge));
    if (to < 0 || to === file || !graph.isFileEdge(edge)) continue;
    if (graph.tier(edge) !== 'package') {
      named.add(to);
      continue;
    }
    const names = packages.get(to) ?? new Set();
    packages.set(to, names.add(`${graph.tables.edgeLine[edge]} ${graph.edge(edge).name}`));
  }
  return { packages, named };
}

function usedFiles(graph: Graph, file: number): Set<number> {
  const used = new Set<number>();
  for (const edge of edgesOf(graph, file))
    if (graph.target(edge) >= 0 && !graph.isFileEdge(edge) && !namesSpaceAlone(graph, edge))
      used.add(graph.fileOf(graph.target(edge)));
  return used;
}

function* edgesOf(graph: Graph, file: number): Generator<number> {
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) yield* outgoing(graph, node);
}

// Namespaces.

const knownSpaces = new WeakMap<Graph, ReadonlySet<number>>();

/** Modules and namespaces that several files open, in languages where all of them together are one. */
export function sharedSpaces(graph: Graph): ReadonlySet<number> {
  const known = knownSpaces.get(graph) ?? findSharedSpaces(graph);
  knownSpaces.set(graph, known);
  return known;
}

function findSharedSpaces(graph: Graph): Set<number> {
  const byName = new Map<string, number[]>();
  for (let file = 0; file < graph.fileCount; file++) {
    const { language } = graph.tables.files[file];
    const { parts, family } = semanticsOf(language);
    if (parts !== 'anywhere' && parts !== 'package') continue;
    for (let node = graph.fileNode(file) + 1; node < lastNodeOf(graph, graph.fileNode(file)); node++) {
      if (graph.kind(node) !== 'module' && graph.kind(node) !== 'namespace') continue;
      addTo(byName, `${family} ${graph.qualifiedName(node)}`, node);
    }
  }
  const areShared = (nodes: number[]): boolean => nodes.some((node) => graph.fileOf(node) !== graph.fileOf(nodes[0]));
  return new Set([...byName.values()].filter(areShared).flat());
}

/**
 * Does a use mean nothing but a namespace that several files open? No file has it, so the use is one of none of them. What is
 * used of its members has edges of its own; functions of a module that is mixed in are used without their names.
 */
export function namesSpaceAlone(graph: Graph, edge: number): boolean {
  const target = graph.target(edge);
  if (target < 0 || !sharedSpaces(graph).has(target)) return false;
  if (!INHERIT_KINDS.has(graph.edgeKind(edge))) return true;
  return ![...directMembers(graph, target)].some((member) => isFunction(graph, member));
}
