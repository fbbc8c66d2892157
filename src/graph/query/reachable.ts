/** Code that runs, and definitions that are used, when some code runs: a walk along all edges between symbols. */
import { conventionsOf } from '../../languages/registry.js';
import type { Graph, NodeKind } from '../graph.js';
import { isRuntimeHook } from './conventions.js';
import { overloadsOf } from './overloads.js';
import { isFunction, isType, lastNodeOf } from './uses.js';

/** Its code runs: that of a variable is its first value. */
const RUNS = 1;
/** Something that runs names it. */
const USED = 2;

/** Definitions whose code runs with what encloses them, whether or not something names them. */
const VALUE_KINDS: ReadonlySet<NodeKind> = new Set(['constant', 'variable', 'field', 'property', 'enum-member']);
const PART_KINDS: ReadonlySet<NodeKind> = new Set(['constructor', 'impl', 'module', 'namespace', 'macro', 'object']);

export class Reachable {
  private readonly state: Uint8Array;
  private readonly waiting: number[] = [];
  private readonly parts: Parts;

  /** `without`: nodes that are taken for deleted. */
  constructor(
    private readonly graph: Graph,
    private readonly without: ReadonlySet<number> = new Set(),
  ) {
    this.state = new Uint8Array(graph.nodeCount);
    this.parts = partsOf(graph);
  }

  /** Adds starting points, and all that they reach. */
  add(nodes: Iterable<number>): void {
    for (const node of nodes) this.use(node);
    for (let node = this.waiting.pop(); node !== undefined; node = this.waiting.pop()) this.walk(node);
  }

  runs(node: number): boolean {
    return (this.state[node] & RUNS) !== 0;
  }

  isUsed(node: number): boolean {
    return (this.state[node] & USED) !== 0;
  }

  private use(node: number): void {
    if (this.without.has(node)) return;
    this.state[node] |= USED;
    this.run(node);
  }

  private run(node: number): void {
    if (this.runs(node) || this.without.has(node)) return;
    this.state[node] |= RUNS;
    this.waiting.push(node);
  }

  private walk(node: number): void {
    const { graph } = this;
    const { edgeBase, edgeTo } = graph.tables;
    const container = graph.container(node);
    // A member is reached through its type. Code at the top of a file is a starting point of its own.
    if (container >= 0 && !graph.isFile(container)) this.use(container);
    for (const part of this.parts.of(node)) {
      if (VALUE_KINDS.has(graph.kind(part))) this.run(part);
      else this.use(part);
    }
    for (let edge = edgeBase[node]; edge < edgeBase[node + 1]; edge++) {
      const to = edgeTo[edge];
      if (to < 0 || graph.isFile(to)) continue;
      for (const declared of overloadsOf(graph, to)) this.use(declared);
    }
  }
}

/** Definitions inside of another that run with it. */
interface Parts {
  of: (node: number) => Iterable<number>;
}

const known = new WeakMap<Graph, Parts>();

function partsOf(graph: Graph): Parts {
  let found = known.get(graph);
  if (found === undefined) {
    found = findParts(graph);
    known.set(graph, found);
  }
  return found;
}

function findParts(graph: Graph): Parts {
  const byContainer = new Map<number, number[]>();
  for (let file = 0; file < graph.fileCount; file++) {
    const first = graph.fileNode(file);
    for (let node = first + 1; node < lastNodeOf(graph, first); node++) {
      if (!runsWithContainer(graph, node)) continue;
      const container = graph.container(node);
      const parts = byContainer.get(container);
      if (parts === undefined) byContainer.set(container, [node]);
      else parts.push(node);
    }
  }
  return { of: (node) => byContainer.get(node) ?? [] };
}

/** Is it a definition that runs with what encloses it, or one that code can reach without naming it? */
export function runsWithContainer(graph: Graph, node: number): boolean {
  const kind = graph.kind(node);
  if (VALUE_KINDS.has(kind) || PART_KINDS.has(kind)) return true;
  if (!isFunction(graph, node) || kind === 'function') return false;
  return isRuntimeHook(graph, node) || isHeld(graph, node);
}

/** A private name by convention; one between two underscores is part of a protocol. */
const PRIVATE_NAME = /^(?:#|_(?!.*_$))/;

/** Members of objects and of anonymous types; in some languages those of all types that stay in their file. */
function isHeld(graph: Graph, node: number): boolean {
  const container = graph.container(node);
  if (container < 0 || graph.isFile(container)) return false;
  if (!isType(graph, container)) return true;
  const { untypedMembers, structuralInterfaces } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  // Packages outside of the repository have interfaces, too: a member with a small first letter fits none of them.
  if (structuralInterfaces === true) return /^\p{Lu}/u.test(graph.name(node));
  return untypedMembers === true && !graph.isExported(container) && !PRIVATE_NAME.test(graph.name(node));
}

/** Is it a value, such as a constant or a field? Its first value runs even where nothing uses it. */
export function isValue(graph: Graph, node: number): boolean {
  return VALUE_KINDS.has(graph.kind(node));
}
