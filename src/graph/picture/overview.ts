/** Overview of a repository: its folders as some 20 to 40 nodes, each for the files in it, and the uses between them. */
import { type Folder, folderTree, joinEdges, type MarkEdge } from './folders.js';
import { keepNodes } from './narrow.js';
import type { Plan } from './text.js';
import type { Drawing } from './types.js';

export interface OverviewNode {
  path: string;
  /** Unique in the picture: the path, with a word where it stands for a part of the folder. */
  label: string;
  /** Number of files. */
  files: number;
}

export interface Overview {
  nodes: OverviewNode[];
  /** Uses between different nodes; `from` and `to` are indexes of `nodes`. */
  edges: MarkEdge[];
  /** Files that were left aside, such as tests. */
  aside: number;
}

/** A part of the folder tree: a folder with all below it, its own files alone, or its smaller folders together. */
interface Cell {
  at: number;
  part: 'all' | 'own' | 'rest';
  /** Folders whose files it stands for, with all below them but for `own`. */
  folders: number[];
  files: number;
}

/** From so many nodes on, folders with less than this share of the files stay whole. */
const ENOUGH = 20;
const SMALL = 0.04;
/** A folder is divided where there is room for so many parts of it. */
const FEWEST_PARTS = 3;

/** The overview of a drawing of files with at most `limit` nodes; files that `isAside` accepts are left out. */
export function overviewOf(drawing: Drawing, limit: number, isAside: (path: string) => boolean): Overview {
  const { drawing: shown } = keepNodes(drawing, (node) => !isAside(drawing.nodes[node].path));
  const tree = folderTree(shown.nodes);
  const cells = cellsOf(tree, limit).sort((a, b) => (tree[a.at].path < tree[b.at].path ? -1 : 1));
  const cellOf = new Int32Array(shown.nodes.length).fill(-1);
  cells.forEach(({ folders, part }, cell) => {
    for (const folder of folders) markFiles(tree, folder, { cell, cellOf, deep: part !== 'own' });
  });
  return {
    nodes: cells.map((cell) => ({ path: tree[cell.at].path, label: labelOf(cell, tree), files: cell.files })),
    edges: joinEdges(shown.edges, cellOf),
    aside: drawing.nodes.length - shown.nodes.length,
  };
}

/** Divides the largest folder until there are enough of them. */
function cellsOf(tree: readonly Folder[], limit: number): Cell[] {
  const cells: Cell[] = [{ at: 0, part: 'all', folders: [0], files: tree[0].total }];
  for (;;) {
    const room = limit - cells.length + 1;
    const open = cells.filter(({ at, part }) => part === 'all' && tree[at].folders.length > 0);
    const [largest] = open.sort((a, b) => b.files - a.files);
    const isSmall = largest !== undefined && cells.length >= ENOUGH && largest.files < tree[0].total * SMALL;
    if (largest === undefined || isSmall || room < FEWEST_PARTS) break;
    cells.splice(cells.indexOf(largest), 1, ...partsOf(largest.at, tree, room));
  }
  return cells.filter(({ files }) => files > 0);
}

function partsOf(at: number, tree: readonly Folder[], room: number): Cell[] {
  const { folders, nodes } = tree[at];
  const own: Cell[] = nodes.length === 0 ? [] : [{ at, part: 'own', folders: [at], files: nodes.length }];
  const sorted = [...folders].sort((a, b) => tree[b].total - tree[a].total);
  const fits = room - own.length;
  const [whole, rest] = sorted.length <= fits ? [sorted, []] : [sorted.slice(0, fits - 1), sorted.slice(fits - 1)];
  const cells = whole.map(
    (folder): Cell => ({ at: folder, part: 'all', folders: [folder], files: tree[folder].total }),
  );
  if (rest.length === 0) return [...own, ...cells];
  const files = rest.reduce((sum, folder) => sum + tree[folder].total, 0);
  return [...own, ...cells, { at, part: 'rest', folders: rest, files }];
}

function labelOf({ at, part, folders }: Cell, tree: readonly Folder[]): string {
  const path = tree[at].path === '' ? '/' : tree[at].path;
  if (part === 'rest') return `${path}: ${folders.length} smaller folders`;
  return part === 'own' && tree[at].folders.length > 0 ? `${path}: its own files` : path;
}

interface Marking {
  cell: number;
  cellOf: Int32Array;
  /** Also the files of the folders below. */
  deep: boolean;
}

function markFiles(tree: readonly Folder[], at: number, marking: Marking): void {
  for (const node of tree[at].nodes) marking.cellOf[node] = marking.cell;
  if (marking.deep) for (const folder of tree[at].folders) markFiles(tree, folder, marking);
}

/** An overview for the formats that are text: each of its nodes as one of a drawing. */
export function planOfOverview({ nodes, edges, aside }: Overview): Plan & { unlinked: number } {
  const place = { folder: '', language: '', kind: 'folder', startLine: 1, endLine: 0 };
  const drawn = nodes.map(({ path, label, files }) => ({ ...place, path, label: `${label} (${files})` }));
  return {
    drawing: { view: 'files', nodes: drawn, edges: edges.map((edge) => ({ ...edge, lines: [] })) },
    folders: [{ path: '', parent: -1, folders: [], nodes: nodes.map((_, i) => i), total: nodes.length }],
    marks: nodes.map((_, node) => ({ node })),
    edges: edges.map((edge, i) => ({ ...edge, edges: [i] })),
    markOf: Int32Array.from(nodes, (_, i) => i),
    unlinked: aside,
  };
}
