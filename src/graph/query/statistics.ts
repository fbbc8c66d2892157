/**
 * Measures the graph: its size, its most connected files and symbols, how much of it is resolved, and its circles: of files that
 * import each other, and of functions that call each other.
 */
import { getOrMake } from '../../base/lists.js';
import type { Cycle, CycleStep, Cycles } from '../../questions/graph/cycles/question.js';
import type { LanguageStats, Shares, Stats } from '../../questions/graph/stats/question.js';
import type { Graph } from '../graph.js';
import { EDGE_KINDS, type EdgeKind, EVIDENCE_TIERS, FILE_EDGE_KINDS, FILE_STATES, type FileState } from '../tables.js';
import { isMain } from './entry-patterns.js';
import { namesSpaceAlone, sharedSpaces, unusedParts } from './file-edges.js';
import { cut, isProduction, isProgramPath, isToolFile, placeOf } from './node-place.js';
import { isFunction, isPlain, lastNodeOf, outgoing, RUN_KINDS, TYPE_IMPORT_KINDS } from './uses.js';

interface StatsLimits {
  /** Number of most connected files and symbols. */
  connected: number;
  orphans: number;
}

/** Measures the graph. Tests, and files that tools or people start, are not counted as orphans. */
export function statsOf(graph: Graph, limits: StatsLimits): Stats {
  const languages = new Map<string, LanguageStats>();
  const edges: Partial<Record<EdgeKind, number>> = {};
  const total = { calls: noShares(), imports: noShares() };
  const states = Object.fromEntries(FILE_STATES.map((state) => [state, 0])) as Record<FileState, number>;
  let [symbols, incomplete] = [0, 0];
  for (let file = 0; file < graph.fileCount; file++) {
    const { language, state, isIncomplete } = graph.tables.files[file];
    states[state]++;
    if (isIncomplete) incomplete++;
    const known = languages.get(language) ?? { language, files: 0, symbols: 0, calls: noShares(), imports: noShares() };
    languages.set(language, known);
    known.files++;
    const first = graph.fileNode(file);
    for (let node = first; node < lastNodeOf(graph, first); node++) {
      if (node > first) known.symbols++;
      for (const edge of outgoing(graph, node)) {
        const kind = graph.edgeKind(edge);
        edges[kind] = (edges[kind] ?? 0) + 1;
        const shares = FILE_EDGE_KINDS.has(kind)
          ? 'imports'
          : RUN_KINDS.has(kind) && kind !== 'request'
            ? 'calls'
            : null;
        if (shares === null) continue;
        count(known[shares], graph, edge);
        count(total[shares], graph, edge);
      }
    }
    symbols += lastNodeOf(graph, first) - first - 1;
  }
  const listed = [...languages.values()].sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1));
  const links = linkCounts(graph);
  return {
    files: graph.fileCount,
    states,
    symbols,
    edges: Object.fromEntries(EDGE_KINDS.flatMap((kind) => (edges[kind] ? [[kind, edges[kind]]] : []))),
    ...total,
    languages: listed,
    connectedFiles: connectedFiles(graph, links, limits.connected),
    connectedSymbols: connectedSymbols(graph, limits.connected),
    orphans: cut(orphans(graph, links), limits.orphans),
    cycles: countFileCycles(graph),
    advice: adviceFor(listed, states, incomplete),
  };
}

function noShares(): Shares {
  return { total: 0, resolved: 0, external: 0, ambiguous: 0, unresolved: 0 };
}

const AMBIGUOUS = EVIDENCE_TIERS.indexOf('ambiguous');
const EXTERNAL = EVIDENCE_TIERS.indexOf('external');

function count(shares: Shares, graph: Graph, edge: number): void {
  const tier = graph.tables.edgeTier[edge];
  shares.total++;
  if (tier < AMBIGUOUS) shares.resolved++;
  else if (tier === AMBIGUOUS) shares.ambiguous++;
  else if (tier === EXTERNAL) shares.external++;
  else shares.unresolved++;
}

interface LinkCounts {
  in: Uint32Array;
  out: Uint32Array;
}

/** Numbers of different files that each file uses, and that use it. */
function linkCounts(graph: Graph): LinkCounts {
  const counts = { in: new Uint32Array(graph.fileCount), out: new Uint32Array(graph.fileCount) };
  const seen = new Int32Array(graph.fileCount).fill(-1);
  const fileOfNode = new Uint32Array(graph.nodeCount);
  for (let file = 0; file < graph.fileCount; file++)
    fileOfNode.fill(file, graph.tables.nodeBase[file], graph.tables.nodeBase[file + 1]);
  for (let file = 0; file < graph.fileCount; file++) {
    seen[file] = file;
    const unused = unusedParts(graph, file);
    const [from] = graph.edgeRange(graph.fileNode(file));
    const end = graph.tables.edgeBase[graph.tables.nodeBase[file + 1]];
    for (let edge = from; edge < end; edge++) {
      const to = graph.target(edge);
      if (to < 0 || seen[fileOfNode[to]] === file || unused.has(fileOfNode[to])) continue;
      if (namesSpaceAlone(graph, edge)) continue;
      seen[fileOfNode[to]] = file;
      counts.out[file]++;
      counts.in[fileOfNode[to]]++;
    }
  }
  return counts;
}

function connectedFiles(graph: Graph, links: LinkCounts, limit: number): Stats['connectedFiles'] {
  const all = graph.tables.files
    .map(({ path }, file) => ({ path, dependents: links.in[file], imports: links.out[file] }))
    .filter(({ dependents, imports }) => dependents + imports > 0);
  all.sort((a, b) => b.dependents + b.imports - (a.dependents + a.imports) || (a.path < b.path ? -1 : 1));
  return cut(all, limit);
}

function connectedSymbols(graph: Graph, limit: number): Stats['connectedSymbols'] {
  const all: number[] = [];
  const spaces = sharedSpaces(graph);
  for (let node = 0; node < graph.nodeCount; node++)
    if (!graph.isFile(node) && !isPlain(graph, node) && !spaces.has(node) && graph.incoming(node).length > 0)
      all.push(node);
  all.sort((a, b) => graph.incoming(b).length - graph.incoming(a).length || a - b);
  const shown = cut(all, limit);
  const list = shown.list.map((node) => {
    const sources = [...graph.incoming(node)].map((edge) => graph.fileOf(graph.source(edge)));
    return { ...placeOf(graph, node), uses: sources.length, files: new Set(sources).size };
  });
  return { list, leftOut: shown.leftOut };
}

function orphans(graph: Graph, links: LinkCounts): string[] {
  const hasCallFacts = new Set<string>();
  for (const { language, state } of graph.tables.files) if (state === 'linked') hasCallFacts.add(language);
  return graph.tables.files.flatMap(({ path, language, state }, file) => {
    if (links.in[file] + links.out[file] > 0 || state !== 'linked' || !hasCallFacts.has(language)) return [];
    if (
      !isProduction(graph, file) ||
      isToolFile(language, path) ||
      isProgramPath(language, path) ||
      hasMain(graph, file)
    )
      return [];
    return [path];
  });
}

function hasMain(graph: Graph, file: number): boolean {
  const first = graph.fileNode(file);
  for (let node = first + 1; node < lastNodeOf(graph, first); node++) if (isMain(graph, node)) return true;
  return false;
}

/** Share of unresolved calls, among those that could mean code of the repository, above which callers are missing. */
const MAX_UNRESOLVED_CALLS = 0.2;
/** Minimum share of resolved imports, among those that should lead to files of the repository. */
const MIN_RESOLVED_IMPORTS = 0.8;
/** Minimum number of edges for such a share. */
const MIN_EDGES = 20;

function adviceFor(
  languages: readonly LanguageStats[],
  states: Record<FileState, number>,
  incomplete: number,
): string[] {
  const advice: string[] = [];
  for (const { language, calls, imports } of languages) {
    const scope = calls.total - calls.external;
    const missing = calls.unresolved + calls.ambiguous;
    if (scope >= MIN_EDGES && missing / scope > MAX_UNRESOLVED_CALLS)
      advice.push(
        `${percent(missing, scope)} of the calls in ${language} that may stay inside the repository could not be resolved: callers may be missing`,
      );
    const inside = imports.resolved + imports.unresolved + imports.ambiguous;
    if (inside >= MIN_EDGES && imports.resolved / inside < MIN_RESOLVED_IMPORTS)
      advice.push(
        `only ${percent(imports.resolved, inside)} of the imports in ${language} that are no packages lead to a file: generated files may be missing, or paths be configured where they are not read`,
      );
  }
  if (states.degraded + states.unreadable > 0)
    advice.push(`${states.degraded + states.unreadable} files could not be read or parsed as a whole`);
  if (incomplete > 0) advice.push(`files with parse errors that may hide declarations and uses: ${incomplete}`);
  return advice;
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)}%`;
}

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

function countFileCycles(graph: Graph): number {
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
    return getOrMake(known, node, () => next(node));
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
