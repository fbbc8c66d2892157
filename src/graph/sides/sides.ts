/**
 * Two graphs of one repository, an older and a newer one, and which node of the newer one stands for which of the older one.
 * Nodes of equal blobs correspond by position, others by qualified name; moved and renamed symbols are told by the caller.
 */
import type { Graph } from '../graph.js';
import { samePaths } from '../query/same-paths.js';

/** Code that has another name or place now, as nodes of both graphs. */
export interface NodePair {
  old: number;
  now: number;
  how: 'moved' | 'renamed';
}

export class Sides {
  /** Newer file of each older one, -1 for those that are gone. */
  private readonly newer: Int32Array;
  private readonly same: Uint8Array;
  /** 1 for an older file that is the same and where it was. */
  private readonly home: Uint8Array;
  private readonly pairs: ReadonlyMap<number, NodePair>;
  private readonly byName = new Map<number, Int32Array>();
  private inverse: ReadonlyMap<number, number> | null = null;
  private moved: readonly number[] | null = null;

  /** `files`: former paths of moved files, with their paths now. `pairs`: of symbols whose place or name changed. */
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

  /** The newer file that an older one is now; -1 if it is gone. */
  file(old: number): number {
    return this.newer[old];
  }

  /** Has the file the same content on both sides? Its path may differ. */
  isSame(old: number): boolean {
    return this.same[old] === 1;
  }

  /** Is the file where it was, with the same content? */
  isUntouched(old: number): boolean {
    return this.home[old] === 1;
  }

  /** Nodes of the older graph that are gone, or not where their users would look for them. */
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

  /** A symbol that is not exported any more is as far away as one that moved. */
  private isDisplaced(node: number): boolean {
    const { old, now } = this;
    const newer = this.node(node);
    if (newer < 0 || old.path(node) !== now.path(newer)) return true;
    if (old.isFile(node)) return false;
    return old.qualifiedName(node) !== now.qualifiedName(newer) || (old.isExported(node) && !now.isExported(newer));
  }

  /** The newer node that an older one is now; -1 if it is gone. */
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

  /** The older node that a newer one was; -1 if it is new. */
  older(now: number): number {
    this.inverse ??= this.invert();
    return this.inverse.get(now) ?? -1;
  }

  /** How an older node got its name or place; undefined where it has kept both, or is gone. */
  pair(old: number): NodePair | undefined {
    return this.pairs.get(old);
  }

  /** Of files that differ: nobody asks about the others. */
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

  /** Symbols of a changed file by qualified name: the second `total` is the second one, or the last there is. */
  private named(file: number, newer: number): Int32Array {
    const known = this.byName.get(file);
    if (known !== undefined) return known;
    const listed = new Map<string, number[]>();
    const first = this.now.fileNode(newer);
    for (let node = first + 1; node < first + sizeOf(this.now, newer); node++) {
      const name = this.now.qualifiedName(node);
      const list = listed.get(name);
      if (list === undefined) listed.set(name, [node]);
      else list.push(node);
    }
    const found = new Int32Array(sizeOf(this.old, file)).fill(-1);
    const seen = new Map<string, number>();
    for (let local = 1; local < found.length; local++) {
      const name = this.old.qualifiedName(this.old.fileNode(file) + local);
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      const list = listed.get(name) ?? [];
      found[local] = list[Math.min(count, list.length - 1)] ?? -1;
    }
    this.byName.set(file, found);
    return found;
  }
}

/** Nodes of a file, its own included. */
function sizeOf(graph: Graph, file: number): number {
  return graph.tables.nodeBase[file + 1] - graph.tables.nodeBase[file];
}
