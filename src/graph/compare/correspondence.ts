/**
 * Compares the graphs before and after a change: which node after it is which node before it. Nodes of equal blobs
 * correspond by position, others by qualified name. The caller names moved and renamed symbols. Files are matched under the same path or
 * another one.
 */
import { addTo } from '../../base/lists.js';
import { semanticsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { inheritEdges, lastNodeOf, membersOf, outgoing, ownerOf } from '../query/uses.js';
import { GUESSED } from '../tables.js';

/** A symbol that has another name or place now, as nodes of both graphs. */
export interface NodePair {
  old: number;
  now: number;
  how: 'moved' | 'renamed';
}

export class Comparison {
  /** File after the change by file before it, -1 for those that are gone. */
  private readonly newer: Int32Array;
  private readonly same: Uint8Array;
  /** 1 for a file with the same path and content as before. */
  private readonly home: Uint8Array;
  private readonly pairs: ReadonlyMap<number, NodePair>;
  private readonly byName = new Map<number, Int32Array>();
  private inverse: ReadonlyMap<number, number> | null = null;
  private moved: readonly number[] | null = null;

  /** `files`: paths of moved files, by their former ones. `pairs`: symbols whose place or name changed. */
  constructor(
    readonly old: Graph,
    readonly now: Graph,
    files: ReadonlyMap<string, string> = new Map(),
    pairs: readonly NodePair[] = [],
  ) {
    this.pairs = new Map(pairs.map((pair) => [pair.old, pair]));
    this.newer = new Int32Array(old.fileCount);
    this.same = new Uint8Array(old.fileCount);
    this.home = new Uint8Array(old.fileCount);
    const { newer } = samePaths(old, now);
    old.tables.files.forEach(({ path, oid, language, state }, file) => {
      const moved = files.get(path);
      const found = moved === undefined ? newer[file] : now.findFile(moved);
      this.newer[file] = found;
      const other = found < 0 ? null : now.tables.files[found];
      const isEqual = other?.oid === oid && other.language === language && other.state === state;
      this.same[file] = isEqual && sizeOf(old, file) === sizeOf(now, found) ? 1 : 0;
      this.home[file] = this.same[file] === 1 && other?.path === path ? 1 : 0;
    });
  }

  /** File that a former file is now, -1 if it is gone. */
  file(old: number): number {
    return this.newer[old];
  }

  /** Has the file the same content as before? Its path may differ. */
  isSame(old: number): boolean {
    return this.same[old] === 1;
  }

  /** Is the file where it was, with the same content? */
  isUntouched(old: number): boolean {
    return this.home[old] === 1;
  }

  /** Former nodes that are gone, or not where their users would look for them. */
  displaced(): readonly number[] {
    this.moved ??= Array.from(this.home.keys()).flatMap((file) => this.displacedIn(file));
    return this.moved;
  }

  private displacedIn(file: number): number[] {
    if (this.home[file] === 1) return [];
    const first = this.old.fileNode(file);
    const nodes = Array.from({ length: sizeOf(this.old, file) }, (_, local) => first + local);
    return nodes.filter((node) => this.isDisplaced(node));
  }

  /** A symbol that is no longer exported counts like one that moved. */
  private isDisplaced(node: number): boolean {
    const { old, now } = this;
    const newer = this.node(node);
    if (newer < 0 || old.path(node) !== now.path(newer)) return true;
    if (old.isFile(node)) return false;
    return old.qualifiedName(node) !== now.qualifiedName(newer) || (old.isExported(node) && !now.isExported(newer));
  }

  /** Node that a former node is now, -1 if it is gone. */
  node(old: number): number {
    const pair = this.pairs.get(old);
    if (pair !== undefined) return pair.now;
    const file = this.old.fileOf(old);
    const newer = this.newer[file];
    if (newer < 0) return -1;
    const local = old - this.old.fileNode(file);
    if (local === 0 || this.same[file] === 1) return this.now.fileNode(newer) + local;
    return this.named(file, newer)[local];
  }

  /** Node that a present node was before, -1 if it is new. */
  older(now: number): number {
    this.inverse ??= this.invert();
    return this.inverse.get(now) ?? -1;
  }

  /** How a former node got its name or place; undefined if it has the same ones, or is gone. */
  pair(old: number): NodePair | undefined {
    return this.pairs.get(old);
  }

  /** Covers files that differ: nobody asks about the others. */
  private invert(): Map<number, number> {
    const found = new Map<number, number>();
    for (let file = 0; file < this.old.fileCount; file++) {
      if (this.same[file] === 1) continue;
      const first = this.old.fileNode(file);
      for (let node = first; node < first + sizeOf(this.old, file); node++) {
        const newer = this.node(node);
        if (newer >= 0 && !found.has(newer)) found.set(newer, node);
      }
    }
    return found;
  }

  /** Matches symbols of a changed file by qualified name and count: the second `total` is the second one, or the last one. */
  private named(file: number, newer: number): Int32Array {
    const known = this.byName.get(file);
    if (known !== undefined) return known;
    const listed = new Map<string, number[]>();
    const first = this.now.fileNode(newer);
    for (let node = first + 1; node < first + sizeOf(this.now, newer); node++)
      addTo(listed, this.now.qualifiedName(node), node);
    const found = new Int32Array(sizeOf(this.old, file)).fill(-1);
    const seen = new Map<string, number>();
    for (let local = 1; local < found.length; local++) {
      const name = this.old.qualifiedName(this.old.fileNode(file) + local);
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      const list = listed.get(name) ?? [];
      found[local] = list[Math.min(count, list.length - 1)] ?? -1;
    }
    if (semanticsOf(this.old.tables.files[file].language).headers) this.matchOutside(file, newer, found);
    this.byName.set(file, found);
    return found;
  }

  /**
   * Matches what is left by its plain name: a member that stands outside of its class is one of the class only as long as the name of the
   * class means one class alone.
   */
  private matchOutside(file: number, newer: number, found: Int32Array): void {
    const [old, now] = [this.old.fileNode(file), this.now.fileNode(newer)];
    const taken = new Set(found);
    const left = new Map<string, number[]>();
    for (let node = now + 1; node < now + sizeOf(this.now, newer); node++)
      if (!taken.has(node)) addTo(left, this.now.name(node), node);
    for (let local = 1; local < found.length; local++)
      if (found[local] < 0) found[local] = left.get(this.old.name(old + local))?.shift() ?? -1;
  }
}

/** Nodes of a file, its own included. */
function sizeOf(graph: Graph, file: number): number {
  return graph.tables.nodeBase[file + 1] - graph.tables.nodeBase[file];
}

// Uses that led somewhere before the change and lead nowhere after it, because their target is gone or has another name
// or path. They are candidates: the text has to show whether the name means something else now.

export interface LostUse {
  /** Edge after the change, without a target or with one that its name alone suggests. */
  edge: number;
  /** Edge before the change, and the node to which it led. */
  oldEdge: number;
  was: number;
}

/** Each edge after the change once, in the order of files and lines. */
export function lostUses(comparison: Comparison): LostUse[] {
  const { old } = comparison;
  const byFile = new Map<number, number[]>();
  const add = (edge: number) => {
    const file = old.fileOf(old.source(edge));
    if (comparison.file(file) < 0) return;
    addTo(byFile, file, edge);
  };
  for (const node of comparison.displaced()) for (const edge of old.incoming(node)) add(edge);
  for (const edge of importsOfMoved(comparison)) add(edge);
  const found = new Map<number, LostUse>();
  for (const [file, edges] of byFile) for (const use of lostIn(comparison, file, edges)) found.set(use.edge, use);
  return [...found.values()].sort((a, b) => a.edge - b.edge);
}

/** Imports of moved files that no longer lead to where they led. */
function* importsOfMoved(comparison: Comparison): Generator<number> {
  const { old } = comparison;
  for (let file = 0; file < old.fileCount; file++) {
    if (comparison.isUntouched(file) || !isMoved(comparison, file)) continue;
    const first = old.fileNode(file);
    for (let node = first; node < lastNodeOf(old, first); node++) {
      const [start, end] = old.edgeRange(node);
      for (let edge = start; edge < end; edge++) if (old.isFileEdge(edge) && old.target(edge) >= 0) yield edge;
    }
  }
}

function isMoved(comparison: Comparison, file: number): boolean {
  const newer = comparison.file(file);
  return newer >= 0 && comparison.now.tables.files[newer].path !== comparison.old.tables.files[file].path;
}

/** Lost uses among `edges` of a file before the change. */
function* lostIn(comparison: Comparison, file: number, edges: readonly number[]): Generator<LostUse> {
  const { old, now } = comparison;
  const newer = edgesByText(now, comparison.file(file));
  for (const oldEdge of edges) {
    const use = old.edge(oldEdge);
    const source = comparison.node(use.from);
    const isImport = old.isFileEdge(oldEdge);
    const alike = newer.get(textOf(old, oldEdge)) ?? [];
    const matched = alike.filter((edge) => {
      if (now.isFileEdge(edge) !== isImport) return false;
      if (isImport) return true;
      if (comparison.isSame(file)) return now.tables.edgeLine[edge] === use.startLine;
      return source < 0 || now.source(edge) === source;
    });
    // An import of several names or files has several edges: one with a target is enough.
    if (isImport && matched.some((edge) => now.target(edge) >= 0)) continue;
    const was = old.target(oldEdge);
    const isFound = (edge: number) => now.target(edge) >= 0 && now.target(edge) === comparison.node(was);
    for (const edge of matched) if (isLost(now, edge) && !isFound(edge)) yield { edge, oldEdge, was };
  }
}

/** An edge that its name alone suggests is no proof that the use means what it leads to; a route that is found is one. */
function isLost(graph: Graph, edge: number): boolean {
  if (graph.target(edge) < 0) return true;
  return graph.edgeKind(edge) !== 'request' && GUESSED.has(graph.tier(edge));
}

function edgesByText(graph: Graph, file: number): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) {
    const [start, end] = graph.edgeRange(node);
    for (let edge = start; edge < end; edge++) addTo(found, textOf(graph, edge), edge);
  }
  return found;
}

/** A request means the route that it states, whatever the call is named. */
function textOf(graph: Graph, edge: number): string {
  const { name, receiver, kind, literal } = graph.edge(edge);
  return kind === 'request' ? `request ${literal}` : `${receiver} ${name}`;
}

// Receivers: evidence of their type besides the used name.

/**
 * Does code around a use still name the type of its receiver, or use another member of it on the same receiver? If the
 * receiver is in a field, all code of the enclosing type counts: the field's type is stated there. `types`: the receiver's
 * type and its parents.
 */
export function isStillReceiver(graph: Graph, edge: number, types: readonly number[]): boolean {
  const { receiver, from } = graph.edge(edge);
  if (/^(?:this|super)$/.test(receiver)) return true;
  const [type] = types;
  const says = (node: number): boolean => {
    for (const other of outgoing(graph, node)) {
      const target = graph.target(other);
      if (target < 0) continue;
      if (target === type) return true;
      if (node === from && graph.edge(other).receiver === receiver && types.includes(ownerOf(graph, target)))
        return true;
    }
    return false;
  };
  for (let node = from; node >= 0; node = graph.container(node)) {
    if (says(node)) return true;
    const isField = receiver.startsWith('this.') && !graph.isFile(node) && node !== from;
    if (isField && membersOf(graph, node).some(says)) return true;
    if (graph.isFile(node)) return false;
  }
  return false;
}

/** Maximum number of types that one search visits. */
const MAX_TYPES = 100;

/** Does a type inherit from another one, as far as that is known? */
export function inheritsFrom(graph: Graph, type: number, parent: number): boolean {
  const found = new Set([type]);
  for (const node of found) {
    for (const edge of inheritEdges(graph, node)) {
      if (graph.target(edge) === parent) return true;
      if (graph.target(edge) >= 0 && found.size < MAX_TYPES) found.add(graph.target(edge));
    }
  }
  return false;
}

/** Minimum share of common symbols of two files if one became the other. */
const LEAST_SHARE = 0.5;
/** Minimum worth of the common names. A name that two files define is worth this much; `id` and `name` of entities are worth little. */
const LEAST_WORTH = 0.5;
/** Maximum number of files that are compared with each other, as git bounds it. */
const MAX_COMPARED = 1_000;

/**
 * Paths before the change of moved files, by the paths after it. Files with the same bytes match first, then files of one
 * language with mostly the same symbols, most similar first. Similarity is the Jaccard index of their qualified names; a
 * name that many symbols of the snapshot have counts less.
 */
export function movedFiles(before: Graph, after: Graph): Map<string, string> {
  const { newer, older } = samePaths(before, after);
  const gone = without(newer);
  const added = without(older);
  const moved = new Map<string, string>();
  const byOid = new Map(gone.map((file) => [before.tables.files[file].oid, file]));
  const left = new Set(gone);
  const rest: number[] = [];
  for (const file of added) {
    const { path, oid } = after.tables.files[file];
    const old = byOid.get(oid);
    if (old === undefined || !left.delete(old)) rest.push(file);
    else moved.set(path, before.tables.files[old].path);
  }
  if (rest.length * left.size > MAX_COMPARED ** 2) return moved;
  for (const { old, now } of alike(before, after, { gone: [...left], added: rest })) {
    const { path } = after.tables.files[now];
    if (moved.has(path) || !left.delete(old)) continue;
    moved.set(path, before.tables.files[old].path);
  }
  return moved;
}

/** Files that have no counterpart. */
function without(counterparts: Int32Array): number[] {
  const found: number[] = [];
  for (let file = 0; file < counterparts.length; file++) if (counterparts[file] < 0) found.push(file);
  return found;
}

function alike(
  before: Graph,
  after: Graph,
  { gone, added }: { gone: readonly number[]; added: readonly number[] },
): { old: number; now: number; share: number }[] {
  const names = new Map(gone.map((old) => [old, namesIn(before, old)] as const));
  const pairs: { old: number; now: number; share: number }[] = [];
  for (const now of added) {
    const own = namesIn(after, now);
    if (own.size === 0) continue;
    for (const [old, others] of names) {
      if (before.tables.files[old].language !== after.tables.files[now].language) continue;
      const share = shareOf(own, others);
      if (share >= LEAST_SHARE) pairs.push({ old, now, share });
    }
  }
  return pairs.sort((a, b) => b.share - a.share || a.now - b.now || a.old - b.old);
}

/** Qualified names with the worth of each. */
function namesIn(graph: Graph, file: number): Map<string, number> {
  const first = graph.fileNode(file);
  const found = new Map<string, number>();
  for (let node = first + 1; node < lastNodeOf(graph, first); node++)
    found.set(graph.qualifiedName(node), 1 / graph.namesakes(node).length);
  return found;
}

function shareOf(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let both = 0;
  let all = 0;
  for (const [name, worth] of a) {
    const other = b.get(name);
    if (other !== undefined) both += Math.min(worth, other);
    all += worth;
  }
  for (const [name, worth] of b) if (!a.has(name)) all += worth;
  return both < LEAST_WORTH ? 0 : both / all;
}

interface SamePaths {
  /** File after the change at the same path, by file before it; -1 for none. */
  newer: Int32Array;
  /** File before the change at the same path, by file after it; -1 for none. */
  older: Int32Array;
}

const known = new WeakMap<Graph, { after: Graph; paths: SamePaths }>();

/** One pass suffices, since both graphs have their files in the order of paths. */
export function samePaths(before: Graph, after: Graph): SamePaths {
  const last = known.get(before);
  if (last?.after === after) return last.paths;
  const [old, now] = [before.tables.files, after.tables.files];
  const paths = { newer: new Int32Array(old.length).fill(-1), older: new Int32Array(now.length).fill(-1) };
  for (let a = 0, b = 0; a < old.length && b < now.length; ) {
    if (old[a].path === now[b].path) {
      paths.newer[a] = b;
      paths.older[b++] = a++;
    } else if (old[a].path < now[b].path) a++;
    else b++;
  }
  known.set(before, { after, paths });
  return paths;
}

interface MovedPaths {
  /** Paths of moved files before the change, by those after it. */
  moved: ReadonlyMap<string, string>;
  /** Path after the change of a former file; its former path if it is gone. */
  pathAfter: (file: number) => string;
}

export function movedPaths(before: Graph, after: Graph): MovedPaths {
  const moved = movedFiles(before, after);
  const now = new Map([...moved].map(([path, old]) => [old, path]));
  const pathAfter = (file: number) => {
    const { path } = before.tables.files[file];
    return now.get(path) ?? path;
  };
  return { moved, pathAfter };
}

export interface GraphVersions extends ReturnType<typeof movedPaths> {
  before: Graph;
  after: Graph;
  /** Selects the requested paths, as they are after the change. */
  accepts: (path: string) => boolean;
}

export function graphVersionsOf(before: Graph, after: Graph, accepts: (path: string) => boolean): GraphVersions {
  return { before, after, accepts, ...movedPaths(before, after) };
}
