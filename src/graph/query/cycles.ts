/** Finds files that import each other in circles, or functions that call each other in circles. */
import type { Cycle, CycleStep, Cycles } from '../../questions/graph/cycles/question.js';
import type { Graph } from '../graph.js';
import type { EdgeKind } from '../tables.js';
import { unusedParts } from './dependencies.js';
import { cut, isProduction, placeOf } from './node-place.js';
import { isFunction, outgoing, TYPE_IMPORT_KINDS } from './uses.js';

interface CycleOptions {
  limit: number;
  /** Counts imports of types alone, of which none is left when the program runs. */
  types?: boolean;
  /** Looks at functions that call each other instead of files. */
  symbols?: boolean;
}

const MAX_MEMBERS = 100;

export function findCycles(graph: Graph, options: CycleOptions): Cycles {
  const { limit, symbols = false } = options;
  const next = memoized(symbols ? calls(graph) : imports(graph, options.types ?? false));
  const found = cyclicComponents(symbols ? functions(graph) : files(graph), next);
  // A circle of tests or examples matters less than one of the product.
  const isSecondary = new Map(
    found.map((component) => [component, component.every((node) => !isProduction(graph, graph.fileOf(node)))]),
  );
  found.sort((a, b) => Number(isSecondary.get(a)) - Number(isSecondary.get(b)) || b.length - a.length || a[0] - b[0]);
  const shown = cut(found, limit);
  const list = shown.list.map((component): Cycle => {
    const cycle = shortestCycle(component, next);
    return {
      size: component.length,
      shortest: cycle.map((node, i) => stepOf(graph, node, cycle[(i + 1) % cycle.length], options)),
      members: {
        list: component.slice(0, MAX_MEMBERS).map((node) => placeOf(graph, node)),
        leftOut: Math.max(0, component.length - MAX_MEMBERS),
      },
    };
  });
  const involved = found.reduce((sum, component) => sum + component.length, 0);
  return { of: symbols ? 'symbols' : 'files', count: found.length, involved, cycles: { ...shown, list } };
}

export function countFileCycles(graph: Graph): number {
  return fileCycles(graph).length;
}

/**
 * Groups of files, as nodes, that import each other in circles. `next`: imports that count; default: all but those of types alone.
 */
export function fileCycles(graph: Graph, next: Successors = fileImports(graph)): number[][] {
  return cyclicComponents(files(graph), next);
}

/** Files, as nodes, that a file imports. `types` includes imports of types alone, `lazy` includes `import()`. */
export function fileImports(graph: Graph, { types = false, lazy = true } = {}): Successors {
  return memoized(imports(graph, types, lazy));
}

/** A shortest circle of files. */
export function shortestWay(graph: Graph, component: readonly number[], next: Successors): CycleStep[] {
  const cycle = shortestCycle(component, next);
  return cycle.map((node, i) => stepOf(graph, node, cycle[(i + 1) % cycle.length], { types: true }));
}

function memoized(next: Successors): Successors {
  const known = new Map<number, readonly number[]>();
  return (node) => {
    let found = known.get(node);
    if (found === undefined) {
      found = next(node);
      known.set(node, found);
    }
    return found;
  };
}

function* files(graph: Graph): Generator<number> {
  for (let file = 0; file < graph.fileCount; file++) yield graph.fileNode(file);
}

function* functions(graph: Graph): Generator<number> {
  for (let node = 0; node < graph.nodeCount; node++) if (isFunction(graph, node)) yield node;
}

/** Leaves out `mod x;` of Rust: it makes a file part of the program, so that every crate would be a cycle. */
function isDependence(kind: EdgeKind, types: boolean): boolean {
  return kind !== 'module' && (types || !TYPE_IMPORT_KINDS.has(kind));
}

function imports(graph: Graph, types: boolean, lazy = true): Successors {
  return (node) => {
    const found = new Set<number>();
    const unused = unusedParts(graph, graph.fileOf(node));
    for (const edge of outgoing(graph, node)) {
      const to = graph.target(edge);
      if (to < 0 || to === node || !graph.isFileEdge(edge) || unused.has(graph.fileOf(to))) continue;
      const kind = graph.edgeKind(edge);
      if (isDependence(kind, types) && (lazy || kind !== 'dynamic-import')) found.add(to);
    }
    return [...found];
  };
}

function calls(graph: Graph): Successors {
  return (node) => {
    const found = new Set<number>();
    for (const edge of outgoing(graph, node)) {
      const to = graph.target(edge);
      if (to >= 0 && graph.edgeKind(edge) === 'call' && isFunction(graph, to)) found.add(to);
    }
    return [...found];
  };
}

function stepOf(
  graph: Graph,
  from: number,
  to: number,
  { symbols, types = false }: Pick<CycleOptions, 'symbols' | 'types'>,
): CycleStep {
  for (const edge of outgoing(graph, from)) {
    if (graph.target(edge) !== to) continue;
    const use = graph.edgeKind(edge);
    const isStep = symbols ? use === 'call' : graph.isFileEdge(edge) && isDependence(use, types);
    if (isStep) return { ...placeOf(graph, from), line: graph.tables.edgeLine[edge], use };
  }
  return { ...placeOf(graph, from), line: graph.startLine(from), use: symbols ? 'call' : 'import' };
}

/** Successors of a node, perhaps with repetitions. */
type Successors = (node: number) => readonly number[];

/** Components in the order in which they are finished. A single node counts only if it leads to itself. */
export function cyclicComponents(nodes: Iterable<number>, next: Successors): number[][] {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const onStack = new Set<number>();
  const stack: number[] = [];
  const found: number[][] = [];
  for (const root of nodes) {
    if (index.has(root)) continue;
    const work: { node: number; successors: readonly number[]; at: number }[] = [];
    const enter = (node: number) => {
      index.set(node, index.size);
      low.set(node, index.size - 1);
      stack.push(node);
      onStack.add(node);
      work.push({ node, successors: next(node), at: 0 });
    };
    enter(root);
    while (work.length > 0) {
      const frame = work[work.length - 1];
      const { node, successors } = frame;
      if (frame.at < successors.length) {
        const to = successors[frame.at++];
        if (!index.has(to)) enter(to);
        else if (onStack.has(to)) low.set(node, Math.min(low.get(node) as number, index.get(to) as number));
        continue;
      }
      work.pop();
      const lowest = low.get(node) as number;
      const parent = work[work.length - 1];
      if (parent !== undefined) low.set(parent.node, Math.min(low.get(parent.node) as number, lowest));
      if (lowest !== index.get(node)) continue;
      const component = takeUntil(stack, onStack, node);
      if (component.length > 1 || successors.includes(node)) found.push(component.sort((a, b) => a - b));
    }
  }
  return found;
}

function takeUntil(stack: number[], onStack: Set<number>, node: number): number[] {
  const taken: number[] = [];
  for (;;) {
    const top = stack.pop() as number;
    onStack.delete(top);
    taken.push(top);
    if (top === node) return taken;
  }
}

/** Maximum number of steps in search of a component's shortest cycle; then the shortest one found so far is taken. */
const MAX_STEPS = 2_000_000;

/** Nodes of a shortest cycle of a component, in order, each once. */
function shortestCycle(component: readonly number[], next: Successors): number[] {
  const inside = new Set(component);
  const within = new Map(component.map((node) => [node, next(node).filter((to) => inside.has(to))]));
  let best: number[] = [];
  let steps = 0;
  const counted = (node: number): readonly number[] => {
    const found = within.get(node) ?? [];
    steps += found.length;
    return found;
  };
  for (const start of component) {
    if (best.length === 1 || best.length === 2 || (steps > MAX_STEPS && best.length > 0)) break;
    best = cycleThrough(start, counted, best.length) ?? best;
  }
  return best;
}

/** Nodes of a shortest cycle through a node; null if none is shorter than `limit` (0: any length). */
function cycleThrough(start: number, next: Successors, limit: number): number[] | null {
  const from = new Map<number, number>();
  let level = [start];
  for (let length = 1; level.length > 0 && (limit === 0 || length < limit); length++) {
    const following: number[] = [];
    for (const node of level) {
      for (const to of next(node)) {
        if (to === start) {
          const cycle = [node];
          for (let at = node; at !== start; cycle.unshift(at)) at = from.get(at) as number;
          return cycle;
        }
        if (!from.has(to)) {
          from.set(to, node);
          following.push(to);
        }
      }
    }
    level = following;
  }
  return null;
}
