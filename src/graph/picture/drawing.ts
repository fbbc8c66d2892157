/** Builds one view of the graph, files or symbols, as a drawing; narrows the drawing, and packs it for a page. */
import { visibleLine } from '../../base/printable.js';
import { classByName } from '../../search/path-classes.js';
import type { Graph } from '../graph.js';
import { namesSpaceAlone, unusedParts } from '../query/file-edges.js';
import { cyclicComponents } from '../query/statistics.js';
import type { EdgeKind } from '../tables.js';
import {
  type Drawing,
  type DrawingEdge,
  type DrawingNode,
  maskOf,
  type PackedDrawing,
  PICTURE_EDGE_KINDS,
  type PictureEdgeKind,
  type PictureView,
} from './folders.js';

/** Edge kinds of pictures by edge kinds of the graph. Uses of types are not drawn: they would cover everything with lines. */
const DRAWN_AS: Readonly<Partial<Record<EdgeKind, PictureEdgeKind>>> = {
  import: 'import',
  'type-import': 'type-import',
  'dynamic-import': 'import',
  require: 'import',
  reexport: 'import',
  'type-reexport': 'type-import',
  include: 'import',
  module: 'import',
  call: 'call',
  new: 'new',
  decorator: 'call',
  extends: 'extends',
  implements: 'extends',
};

/** Symbol kinds that are drawn even without a known use. */
const DRAWN_SYMBOLS: ReadonlySet<string> = new Set([
  ...['function', 'method', 'constructor', 'class', 'interface', 'trait', 'struct', 'object', 'macro'],
]);

/**
 * Do edges of a kind count for cycles? Type imports do not, as types are gone at run time; nor does `mod x;`, which
 * makes a file part of the program and is no need of one file for another.
 */
function isCircular(kind: EdgeKind, view: PictureView): boolean {
  return view === 'symbols' ? kind === 'call' : DRAWN_AS[kind] === 'import' && kind !== 'module';
}

/** Maximum number of lines of evidence of an edge, few enough to keep the page small. */
const MAX_LINES = 3;

interface GraphDrawing extends Drawing {
  /** Number in the graph, by node of the drawing. */
  origins: readonly number[];
}

/** Drawing of one view; `accepts` selects the paths that are drawn. */
export function drawingOf(
  graph: Graph,
  view: PictureView,
  accepts: (path: string) => boolean = () => true,
): GraphDrawing {
  const edges = new EdgeList();
  const shown = new Nodes(graph, view, accepts);
  for (let node = 0; node < graph.nodeCount; node++) {
    const from = shown.drawnAs(node);
    if (from === -1) continue;
    const [start, end] = graph.edgeRange(node);
    for (let edge = start; edge < end; edge++) {
      const kind = DRAWN_AS[graph.edgeKind(edge)];
      const target = graph.target(edge);
      if (kind === undefined || target < 0 || (view === 'symbols' && graph.isFileEdge(edge))) continue;
      const to = shown.drawnAs(target);
      if (to === -1 || to === from || (view === 'files' && namesSpaceAlone(graph, edge))) continue;
      if (graph.isFileEdge(edge) && unusedParts(graph, graph.fileOf(node)).has(graph.fileOf(target))) continue;
      edges.add(shown.use(from), shown.use(to), {
        kind,
        line: graph.tables.edgeLine[edge],
        circular: isCircular(graph.edgeKind(edge), view),
      });
    }
  }
  const nodes = shown.origins.map((node) => describe(graph, view, node));
  return { view, nodes, origins: shown.origins, edges: edges.list(nodes.length) };
}

/** Numbers the nodes of the graph that are drawn. A symbol without a use is drawn if its kind is in `DRAWN_SYMBOLS`. */
class Nodes {
  private readonly numbers: Int32Array;
  readonly origins: number[] = [];

  constructor(
    private readonly graph: Graph,
    private readonly view: PictureView,
    accepts: (path: string) => boolean,
  ) {
    this.numbers = new Int32Array(graph.nodeCount).fill(-2);
    for (let file = 0; file < graph.fileCount; file++) {
      const { nodeBase, files } = graph.tables;
      if (!accepts(files[file].path)) this.numbers.fill(-1, nodeBase[file], nodeBase[file + 1]);
      else if (view === 'files') this.use(nodeBase[file]);
      else
        for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++)
          if (DRAWN_SYMBOLS.has(graph.kind(node))) this.use(node);
    }
  }

  /** Number in the drawing of a node of the graph, -1 for none. */
  drawnAs(node: number): number {
    if (this.numbers[node] === -1) return -1;
    return this.view === 'files' ? this.graph.fileNode(this.graph.fileOf(node)) : node;
  }

  use(node: number): number {
    if (this.numbers[node] < 0) this.numbers[node] = this.origins.push(node) - 1;
    return this.numbers[node];
  }
}

function describe(graph: Graph, view: PictureView, node: number): DrawingNode {
  const { path, language } = graph.tables.files[graph.fileOf(node)];
  const cut = path.lastIndexOf('/');
  const isFile = graph.isFile(node);
  return {
    label: isFile ? path.slice(cut + 1) : graph.qualifiedName(node),
    path,
    folder: view === 'symbols' ? path : path.slice(0, Math.max(cut, 0)),
    language,
    kind: graph.kind(node),
    startLine: graph.startLine(node),
    endLine: graph.endLine(node),
  };
}

interface Use {
  kind: PictureEdgeKind;
  line: number;
  /** True if it counts for cycles. */
  circular: boolean;
}

interface Joined extends Omit<Use, 'kind' | 'line'> {
  kinds: Set<PictureEdgeKind>;
  count: number;
  lines: number[];
}

/** Collects edges, joining all uses of one node by another. */
class EdgeList {
  private readonly joined = new Map<number, Map<number, Joined>>();

  add(from: number, to: number, { kind, line, circular }: Use): void {
    const targets = this.joined.get(from) ?? new Map<number, Joined>();
    this.joined.set(from, targets);
    const edge = targets.get(to) ?? { kinds: new Set(), count: 0, lines: [], circular: false };
    targets.set(to, edge);
    edge.kinds.add(kind);
    edge.count++;
    edge.circular ||= circular;
    if (edge.lines.length < MAX_LINES && !edge.lines.includes(line)) edge.lines.push(line);
  }

  list(nodes: number): DrawingEdge[] {
    const component = this.components(nodes);
    return [...this.joined].flatMap(([from, list]) =>
      [...list].map(([to, { kinds, count, lines, circular }]) => ({
        from,
        to,
        kinds: PICTURE_EDGE_KINDS.filter((kind) => kinds.has(kind)),
        count,
        inCycle: circular && component[from] >= 0 && component[from] === component[to],
        lines,
      })),
    );
  }

  /** Number of the cycle of each node, -1 for none. */
  private components(nodes: number): Int32Array {
    const next = (node: number) =>
      [...(this.joined.get(node) ?? [])].flatMap(([to, { circular }]) => (circular ? [to] : []));
    const found = new Int32Array(nodes).fill(-1);
    cyclicComponents(this.joined.keys(), next).forEach((members, component) => {
      for (const member of members) found[member] = component;
    });
    return found;
  }
}

// Narrowing: to the surroundings of some nodes, to linked nodes, or to a size.

/** Drawing of only these nodes and the edges between them; `numbers` maps old nodes to new ones. */
export function keepNodes(
  drawing: Drawing,
  keep: (node: number) => boolean,
): { drawing: Drawing; numbers: Int32Array } {
  const numbers = new Int32Array(drawing.nodes.length).fill(-1);
  let next = 0;
  const nodes = drawing.nodes.filter((_, i) => {
    if (!keep(i)) return false;
    numbers[i] = next++;
    return true;
  });
  const edges = drawing.edges.flatMap((edge) => {
    const [from, to] = [numbers[edge.from], numbers[edge.to]];
    return from < 0 || to < 0 ? [] : [{ ...edge, from, to }];
  });
  return { drawing: { ...drawing, nodes, edges }, numbers };
}

/** Nodes at most `depth` steps away from `starts`, in either direction. */
export function around({ nodes, edges }: Drawing, starts: readonly number[], depth: number): Set<number> {
  const next: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) {
    next[from].push(to);
    next[to].push(from);
  }
  const seen = new Set(starts);
  let edge = [...starts];
  for (let step = 0; step < depth && edge.length > 0; step++) {
    edge = edge.flatMap((node) => next[node].filter((other) => !seen.has(other) && seen.add(other)));
  }
  return seen;
}

/** Number of links of each node, in both directions. */
export function degrees({ nodes, edges }: Pick<Drawing, 'nodes' | 'edges'>): Uint32Array {
  const found = new Uint32Array(nodes.length);
  for (const { from, to } of edges) {
    found[from]++;
    found[to]++;
  }
  return found;
}

export interface Cut {
  nodes: number;
  edges: number;
}

/** Cuts a drawing to a size: keeps the most connected nodes (and all of `keep`), then the edges with the most uses. */
export function fit(
  drawing: Drawing,
  { maxNodes, maxEdges, keep = -1 }: { maxNodes: number; maxEdges: number; keep?: number },
): { drawing: Drawing; cut: Cut; keep: number } {
  const { nodes, edges } = drawing;
  let fitted = drawing;
  let place = keep;
  if (nodes.length > maxNodes) {
    const degree = degrees(drawing);
    if (keep >= 0) degree[keep] = 0xffffffff;
    const order = nodes.map((_, i) => i).sort((a, b) => degree[b] - degree[a] || a - b);
    const chosen = new Set(order.slice(0, maxNodes));
    const part = keepNodes(drawing, (node) => chosen.has(node));
    fitted = part.drawing;
    if (keep >= 0) place = part.numbers[keep];
  }
  if (fitted.edges.length > maxEdges) {
    const order = fitted.edges.map((_, i) => i).sort((a, b) => fitted.edges[b].count - fitted.edges[a].count || a - b);
    const chosen = new Set(order.slice(0, maxEdges));
    fitted = { ...fitted, edges: fitted.edges.filter((_, i) => chosen.has(i)) };
  }
  return {
    drawing: fitted,
    keep: place,
    cut: { nodes: nodes.length - fitted.nodes.length, edges: edges.length - fitted.edges.length },
  };
}

/** Packs a drawing, with invisible and reordering characters of its texts made visible. */
export function packDrawing({ nodes, edges }: Drawing): PackedDrawing {
  const words: string[] = [];
  const known = new Map<string, number>();
  const word = (text: string): number => {
    const found = known.get(text) ?? words.push(visibleLine(text)) - 1;
    known.set(text, found);
    return found;
  };
  return {
    nodes: nodes.map(({ label, folder, language, kind, startLine, endLine }) => [
      visibleLine(label),
      word(folder),
      word(language),
      word(kind),
      startLine,
      endLine,
    ]),
    edges: edges.map(({ from, to, kinds, count, inCycle, lines }) => [
      from,
      to,
      maskOf(kinds),
      count,
      inCycle ? 1 : 0,
      ...lines,
    ]),
    aside: nodes.flatMap(({ path }, i) => (isSecondary(path) ? [i] : [])),
    words,
  };
}

/** Code that nobody reads for its own sake: tests, fixtures, examples, generated and vendored files. */
export const isSecondary = (path: string): boolean => !['source', 'legacy'].includes(classByName(path) ?? 'source');
