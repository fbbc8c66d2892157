/** Finds the one definition that a name in a document means, or none: several that could be meant are no answer. */
import type { Graph } from '../graph/graph.js';
import { isProduction } from '../graph/query/place.js';
import { isLocalFunction, isPlain, isType, parentsOf } from '../graph/query/uses.js';
import { conventionsOf } from '../languages/registry.js';

/** Types whose members are looked for: those that it inherits from, in a hostile repository without end. */
const MAX_ANCESTORS = 50;

export class Lookup {
  private readonly known = new Map<string, readonly number[]>();
  private types: Map<string, number[]> | null = null;

  constructor(readonly graph: Graph) {}

  /** Definitions of a simple name in code that people work on, one for each place. */
  named(name: string): readonly number[] {
    let found = this.known.get(name);
    if (found === undefined) {
      found = this.find(name);
      this.known.set(name, found);
    }
    return found;
  }

  private find(name: string): number[] {
    const { graph } = this;
    const places = new Map<string, number>();
    for (const node of graph.nodesNamed(name)) {
      const file = graph.fileOf(node);
      if (isPlain(graph, node) || graph.kind(node) === 'impl' || isLocalFunction(graph, node)) continue;
      if (!isProduction(graph, file) || conventionsOf(graph.tables.files[file].language).builtins?.has(name)) continue;
      const key = `${file} ${graph.qualifiedName(node)}`;
      // A constructor that has its class's name is meant by neither more nor less than the class.
      if (graph.kind(node) === 'constructor' && places.has(`${file} ${graph.qualifiedName(graph.container(node))}`))
        continue;
      if (!places.has(key)) places.set(key, node);
    }
    return [...places.values()];
  }

  /** Definitions whose qualified name is, or ends with, these words. */
  qualified(words: readonly string[]): readonly number[] {
    const all = this.named(words[words.length - 1]);
    if (words.length === 1) return all;
    const wanted = words.join('.');
    const names = all.map((node) => this.graph.qualifiedName(node));
    const exact = all.filter((_, i) => names[i] === wanted);
    return exact.length > 0 ? exact : all.filter((_, i) => names[i].endsWith(`.${wanted}`));
  }

  /** Definitions that other files can name without an instance. */
  topLevel(name: string): readonly number[] {
    const { graph } = this;
    return this.named(name).filter((node) => graph.isFile(graph.container(node)) && graph.isExported(node));
  }

  /** The first of these; -1 if there are none. Manuals import thousands of names, of which no list is needed. */
  firstTopLevel(name: string): number {
    const { graph } = this;
    const isOuter = (node: number) => graph.isFile(graph.container(node)) && graph.isExported(node);
    return graph.nodesNamed(name).some(isOuter) ? (this.topLevel(name)[0] ?? -1) : -1;
  }

  /** A member of a type or of what it inherits from; -1 for none. */
  member(type: number, name: string): number {
    const { graph } = this;
    const all = this.named(name);
    if (all.length === 0) return -1;
    const family = new Set(this.namesakesOf(type));
    for (const each of family) {
      const found = all.find((node) => graph.container(node) === each);
      if (found !== undefined) return found;
      if (family.size > MAX_ANCESTORS) break;
      for (const parent of parentsOf(graph, each)) family.add(parent);
    }
    return -1;
  }

  /** A type and its other parts: `impl` blocks, a class and an interface of one name in one file. */
  private namesakesOf(type: number): number[] {
    const { graph } = this;
    const file = graph.fileOf(type);
    return graph.namesakes(type).filter((other) => graph.fileOf(other) === file && isType(graph, other));
  }

  /** Types that a variable of this name holds by custom: `dataSource` and `data_source` hold a `DataSource`. */
  typesLike(variable: string): readonly number[] {
    this.types ??= this.typesByKey();
    return this.types.get(keyOf(variable)) ?? [];
  }

  private typesByKey(): Map<string, number[]> {
    const { graph } = this;
    const found = new Map<string, number[]>();
    for (let node = 0; node < graph.nodeCount; node++) {
      if (!graph.isExported(node) || !TYPES.has(graph.kind(node)) || !isProduction(graph, graph.fileOf(node))) continue;
      const key = keyOf(graph.name(node));
      const list = found.get(key);
      if (list === undefined) found.set(key, [node]);
      else list.push(node);
    }
    return found;
  }
}

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'trait', 'struct']);
const keyOf = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** The one element of a list; -1 if there are none or several. */
export const only = (list: readonly number[]): number => (list.length === 1 ? list[0] : -1);
