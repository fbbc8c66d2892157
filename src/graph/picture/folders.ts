/**
 * Drawings, and the choice of folders that are drawn as one node, so that pictures of large repositories stay readable.
 * A drawing is one view of the graph with every file or symbol as a node. The folder of a symbol is its file. This runs
 * in Node and in the page.
 */

/** `files`: files and their imports; `symbols`: symbols and their calls. */
const PICTURE_VIEWS = ['files', 'symbols'] as const;
export type PictureView = (typeof PICTURE_VIEWS)[number];

/** Edge kinds that a picture distinguishes, strongest first. */
export const PICTURE_EDGE_KINDS = ['import', 'type-import', 'extends', 'new', 'call'] as const;
export type PictureEdgeKind = (typeof PICTURE_EDGE_KINDS)[number];

export interface DrawingNode {
  /** Name of a file without its folders, or of a symbol with the enclosing ones. */
  label: string;
  /** Path of the file, or of the file that has the symbol. */
  path: string;
  /** Folder that shows it: a file's folder ('' at the top), or a symbol's file. */
  folder: string;
  language: string;
  /** `file` or the symbol's kind. */
  kind: string;
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
}

/** Uses of one node by another, combined. */
export interface DrawingEdge {
  /** Indexes of nodes. */
  from: number;
  to: number;
  /** Kinds of the uses, in the order of PICTURE_EDGE_KINDS. */
  kinds: readonly PictureEdgeKind[];
  /** Number of imports and uses. */
  count: number;
  /** True if it is part of a cycle of imports or calls. */
  inCycle: boolean;
  /** First lines of evidence, in the file of `from`. */
  lines: readonly number[];
}

export interface Drawing {
  view: PictureView;
  nodes: readonly DrawingNode[];
  edges: readonly DrawingEdge[];
}

/** Drawing in the compact form that a page holds: rows of numbers, and a table of the strings that repeat. */
export interface PackedDrawing {
  /** Strings that nodes refer to by number: folders, languages, kinds. */
  words: string[];
  /** [label, folder, language, kind, first line, last line]; folder, language and kind are indexes of `words`. */
  nodes: [string, number, number, number, number, number][];
  /** [from, to, bits of kinds, count, 1 in a cycle, lines…] */
  edges: number[][];
  /** Indexes of nodes of tests, fixtures, examples and generated files, which are drawn on request. */
  aside: number[];
}

/** A forge or an editor that shows code. */
export interface Place {
  /** `View on github.com` */
  title: string;
  /** Contains `{path}`, `{start}` and `{end}` of a node, and `{root}` if `up` is given. */
  address: string;
  /** Way from the page's file up to the work tree, such as `../`: a page for others names no directory of this machine. */
  up?: string;
}

/** Data of a page: the only part of it that comes from the repository. */
export interface PagePayload {
  repository: string;
  ref: string;
  commit: string;
  /** Forges and editors that show the code of a node. */
  places: readonly Place[];
  /** Text of the limits that the user set (paths, focus), '' without any. */
  scope: string;
  /** View that is shown first, and the maximum number of nodes drawn at first. */
  view: PictureView;
  limit: number;
  /** Node of that view that is selected first, -1 for none. */
  focus: number;
  /** Numbers of nodes and links of each view that did not fit into the page. */
  cut: Record<PictureView, { nodes: number; edges: number }>;
  views: Record<PictureView, PackedDrawing>;
}

export interface Folder {
  path: string;
  /** Index of the parent folder, -1 for the top. */
  parent: number;
  folders: number[];
  /** Indexes of the nodes directly in it. */
  nodes: number[];
  /** Number of nodes in it and in the folders below. */
  total: number;
}

/** Folders of the nodes that are `shown`, each after its parent. */
export function folderTree(nodes: readonly DrawingNode[], shown: (node: number) => boolean = () => true): Folder[] {
  const folders: Folder[] = [{ path: '', parent: -1, folders: [], nodes: [], total: 0 }];
  const known = new Map<string, number>([['', 0]]);
  for (let node = 0; node < nodes.length; node++) {
    if (!shown(node)) continue;
    let at = placeOf(nodes[node].folder, folders, known);
    folders[at].nodes.push(node);
    for (; at >= 0; at = folders[at].parent) folders[at].total++;
  }
  return folders;
}

function placeOf(path: string, folders: Folder[], known: Map<string, number>): number {
  const found = known.get(path);
  if (found !== undefined) return found;
  let parent = 0;
  for (let end = path.indexOf('/'); parent >= 0; end = path.indexOf('/', end + 1)) {
    const part = end === -1 ? path : path.slice(0, end);
    let at = known.get(part);
    if (at === undefined) {
      at = folders.push({ path: part, parent, folders: [], nodes: [], total: 0 }) - 1;
      known.set(part, at);
      folders[parent].folders.push(at);
    }
    parent = at;
    if (end === -1) break;
  }
  return parent;
}

/**
 * Folders to open so that at most about `limit` nodes are drawn: the largest first, each after its parent. A folder
 * with more nodes than there is room for stays closed.
 */
export function chooseOpen(folders: readonly Folder[], limit: number): Set<number> {
  const order = folders.map((_, i) => i).sort((a, b) => folders[b].total - folders[a].total || a - b);
  const open = new Set<number>();
  let drawn = 1;
  for (const at of order) {
    const { parent, folders: inner, nodes } = folders[at];
    const more = inner.length + nodes.length - 1;
    if (parent >= 0 && !open.has(parent)) continue;
    if (parent >= 0 && drawn + more > limit) continue;
    open.add(at);
    drawn += more;
  }
  return open;
}

/**
 * Folders to open for an overview of at most `limit` nodes: the largest first, but none that contains only files. If
 * this leaves fewer than `FEW` nodes, folders of files are opened as well.
 */
export function chooseOverview(folders: readonly Folder[], limit: number): Set<number> {
  const open = new Set<number>();
  let drawn = 1;
  const order = folders.map((_, i) => i).sort((a, b) => folders[b].total - folders[a].total || a - b);
  for (const at of order) {
    const { parent, folders: inner, nodes } = folders[at];
    const more = inner.length + nodes.length - 1;
    if (inner.length === 0 || (parent >= 0 && (!open.has(parent) || drawn + more > limit))) continue;
    open.add(at);
    drawn += more;
  }
  return drawn < FEW ? chooseOpen(folders, limit) : open;
}

/** Minimum number of nodes that show something of a repository. */
const FEW = 12;

/** One node of the picture: a node of the drawing, or a closed folder for all nodes in it. */
export type Mark = { node: number; folder?: undefined } | { folder: number; node?: undefined };

export interface MarkEdge extends Omit<DrawingEdge, 'lines'> {
  /** Edges of the drawing that this one combines; `from` and `to` are indexes of marks. */
  edges: number[];
}

export interface Marks {
  marks: Mark[];
  edges: MarkEdge[];
  /** Mark of each node of the drawing, -1 if it is not shown. */
  markOf: Int32Array;
}

/** Nodes and edges of the picture with these folders open. */
export function marksOf(
  count: number,
  edges: readonly DrawingEdge[],
  folders: readonly Folder[],
  open: ReadonlySet<number>,
): Marks {
  const marks: Mark[] = [];
  const markOf = new Int32Array(count).fill(-1);
  const closed = new Int32Array(folders.length).fill(-1);
  folders.forEach(({ parent, nodes }, at) => {
    const outer = parent < 0 ? -1 : closed[parent];
    if (outer >= 0) closed[at] = outer;
    else if (!open.has(at)) closed[at] = marks.push({ folder: at }) - 1;
    for (const node of nodes) markOf[node] = closed[at] >= 0 ? closed[at] : marks.push({ node }) - 1;
  });
  return { marks, markOf, edges: joinEdges(edges, markOf) };
}

/** Combines the edges between two marks; drops those within one. */
export function joinEdges(edges: readonly DrawingEdge[], markOf: Int32Array): MarkEdge[] {
  const joined = new Map<number, MarkEdge & { mask: number }>();
  edges.forEach((edge, i) => {
    const [from, to] = [markOf[edge.from], markOf[edge.to]];
    if (from < 0 || to < 0 || from === to) return;
    const key = from * markOf.length + to;
    let held = joined.get(key);
    if (held === undefined) {
      held = { from, to, kinds: [], count: 0, inCycle: false, edges: [], mask: 0 };
      joined.set(key, held);
    }
    held.mask |= maskOf(edge.kinds);
    held.count += edge.count;
    held.inCycle ||= edge.inCycle;
    held.edges.push(i);
  });
  return [...joined.values()].map(({ mask, ...edge }) => ({ ...edge, kinds: kindsOf(mask) }));
}

/** Kinds as a bit mask, in the order of PICTURE_EDGE_KINDS. */
export function maskOf(kinds: readonly PictureEdgeKind[]): number {
  return kinds.reduce((mask, kind) => mask | (1 << PICTURE_EDGE_KINDS.indexOf(kind)), 0);
}

export function kindsOf(mask: number): PictureEdgeKind[] {
  return PICTURE_EDGE_KINDS.filter((_, bit) => (mask & (1 << bit)) !== 0);
}
