/**
 * Builds pictures of a graph, and the overview of a repository: the part to draw, its plan for Mermaid and Graphviz,
 * and a page: program, style and data in one file that makes no request.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SocraticodeError } from '../../base/errors.js';
import { visibleLine } from '../../base/printable.js';
import { packageFile } from '../../base/runtime.js';
import { relationsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { around, type Cut, degrees, drawingOf, fit, keepNodes, packDrawing } from './drawing.js';
import {
  chooseOpen,
  type Drawing,
  type Folder,
  folderTree,
  joinEdges,
  type Mark,
  type MarkEdge,
  type Marks,
  marksOf,
  type PagePayload,
  type PictureView,
  type Place,
} from './folders.js';

/** Part of the graph to draw. */
export interface PictureScope {
  accepts?: (path: string) => boolean;
  /** Limits the picture to nodes at most `depth` steps away from these, in either direction. */
  focus?: readonly number[];
  depth?: number;
}

/** Maximum number of nodes of a page: browsers take long to read larger ones, which show no more. */
const PAGE_MAX_NODES = 20_000;
const PAGE_MAX_EDGES = 60_000;

export interface Part {
  drawing: Drawing;
  /** First node of the focus, -1 for none. */
  focus: number;
}

/** One view of the part. A focus on a symbol means its file in the view of files. */
export function partOf(graph: Graph, view: PictureView, { accepts, focus = [], depth = 2 }: PictureScope): Part {
  const drawing = drawingOf(graph, view, accepts);
  if (focus.length === 0) return { drawing, focus: -1 };
  const wanted = new Set(focus.map((node) => (view === 'files' ? graph.fileNode(graph.fileOf(node)) : node)));
  const files = new Set(focus.filter((node) => graph.isFile(node)).map((node) => graph.fileOf(node)));
  const starts = drawing.origins.flatMap((node, i) =>
    wanted.has(node) || (view === 'symbols' && files.has(graph.fileOf(node))) ? [i] : [],
  );
  const near = around(drawing, starts, depth);
  const { drawing: part, numbers } = keepNodes(drawing, (node) => near.has(node));
  const first = drawing.origins.findIndex((node) => wanted.has(node));
  return { drawing: part, focus: first < 0 ? -1 : numbers[first] };
}

interface PlanOptions {
  /** Maximum number of drawn nodes; folders replace the rest. */
  limit: number;
  /** Leaves out nodes without links, unless no node has any. */
  linkedOnly: boolean;
}

/** Picture of a part for formats in which the reader cannot open folders. */
export function planOf({ drawing }: Part, { limit, linkedOnly }: PlanOptions): Plan & { unlinked: number } {
  const degree = degrees(drawing);
  const linked = degree.reduce((sum, links) => sum + Math.min(links, 1), 0);
  const shown = !linkedOnly || linked === 0 ? drawing : keepNodes(drawing, (node) => degree[node] > 0).drawing;
  const folders = folderTree(shown.nodes);
  const marks = marksOf(shown.nodes.length, shown.edges, folders, chooseOpen(folders, limit));
  return { ...marks, drawing: shown, folders, unlinked: drawing.nodes.length - shown.nodes.length };
}

interface PageOptions {
  repository: string;
  ref: string;
  commit: string;
  scope: string;
  view: PictureView;
  limit: number;
  places: readonly Place[];
}

/** Data of a page, both views included. */
export function payloadOf(parts: Record<PictureView, Part>, options: PageOptions): PagePayload {
  const bound = (view: PictureView) => {
    const { drawing, focus } = parts[view];
    return fit(drawing, { maxNodes: PAGE_MAX_NODES, maxEdges: PAGE_MAX_EDGES, keep: focus });
  };
  const [files, symbols] = [bound('files'), bound('symbols')];
  const { repository, ref, commit, scope, view, limit, places } = options;
  const cut: Record<PictureView, Cut> = { files: files.cut, symbols: symbols.cut };
  return {
    repository: visibleLine(repository),
    ref: visibleLine(ref),
    commit: visibleLine(commit),
    scope: visibleLine(scope),
    ...{ view, limit, cut, places },
    focus: { files, symbols }[view].keep,
    views: { files: packDrawing(files.drawing), symbols: packDrawing(symbols.drawing) },
  };
}

// Overview of a repository: 20 to 40 nodes for its folders, with the uses between them.

interface OverviewNode {
  path: string;
  /** Unique in the picture: the path, with an additional word for a part of the folder. */
  label: string;
  /** Number of files. */
  files: number;
}

export interface Overview {
  nodes: OverviewNode[];
  /** Uses between different nodes; `from` and `to` are indexes of `nodes`. */
  edges: MarkEdge[];
  /** Number of files left out, such as tests, and of data and documents. */
  aside: number;
  data: number;
}

/** A part of the folder tree: a folder with everything below it, only its own files, or its smaller folders together. */
interface Cell {
  at: number;
  part: 'all' | 'own' | 'rest';
  /** Folders with their files; all files below them too, except for `own`. */
  folders: number[];
  files: number;
}

/** Number of nodes from which on folders with less than this share of the files stay whole. */
const ENOUGH = 20;
const SMALL = 0.04;
/** Minimum number of parts into which a folder is divided. */
const FEWEST_PARTS = 3;

/**
 * Overview of a drawing of files with at most `limit` nodes, without secondary files. Files that can use no others and that none uses,
 * such as data and documents, are left out: folders of them would be boxes without a line.
 */
export function overviewOf(drawing: Drawing, limit: number, isSecondary: (path: string) => boolean): Overview {
  const primary = keepNodes(drawing, (node) => !isSecondary(drawing.nodes[node].path)).drawing;
  const linked = new Set(primary.edges.flatMap(({ from, to }) => [from, to]));
  const isCode = (node: number) => linked.has(node) || relationsOf(primary.nodes[node].language) === true;
  const { drawing: shown } = keepNodes(primary, isCode);
  const tree = folderTree(shown.nodes);
  const cells = cellsOf(tree, limit).sort((a, b) => (tree[a.at].path < tree[b.at].path ? -1 : 1));
  const cellOf = new Int32Array(shown.nodes.length).fill(-1);
  cells.forEach(({ folders, part }, cell) => {
    for (const folder of folders) markFiles(tree, folder, { cell, cellOf, deep: part !== 'own' });
  });
  return {
    nodes: cells.map((cell) => ({ path: tree[cell.at].path, label: labelOf(cell, tree), files: cell.files })),
    edges: joinEdges(shown.edges, cellOf),
    aside: drawing.nodes.length - primary.nodes.length,
    data: primary.nodes.length - shown.nodes.length,
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
  /** Includes the files of the folders below. */
  deep: boolean;
}

function markFiles(tree: readonly Folder[], at: number, marking: Marking): void {
  for (const node of tree[at].nodes) marking.cellOf[node] = marking.cell;
  if (marking.deep) for (const folder of tree[at].folders) markFiles(tree, folder, marking);
}

/** Plan of an overview for text formats: each node of the overview becomes one of a drawing. */
export function planOfOverview({ nodes, edges, aside, data }: Overview): Plan & { unlinked: number } {
  const place = { folder: '', language: '', kind: 'folder', startLine: 1, endLine: 0 };
  const drawn = nodes.map(({ path, label, files }) => ({ ...place, path, label: `${label} (${files})` }));
  return {
    drawing: { view: 'files', nodes: drawn, edges: edges.map((edge) => ({ ...edge, lines: [] })) },
    folders: [{ path: '', parent: -1, folders: [], nodes: nodes.map((_, i) => i), total: nodes.length }],
    marks: nodes.map((_, node) => ({ node })),
    edges: edges.map((edge, i) => ({ ...edge, edges: [i] })),
    markOf: Int32Array.from(nodes, (_, i) => i),
    unlinked: aside + data,
  };
}

// Mermaid and Graphviz. Node names are synthetic, and labels are escaped.

/** Drawing, and the marks that represent it. */
export interface Plan extends Marks {
  drawing: Drawing;
  folders: readonly Folder[];
}

const CYCLE_COLOUR = '#d1242f';
const FOLDER_COLOUR = '#eaeef2';

/** Label of a mark; a folder's label ends with the number of nodes in it. */
function markLabel({ drawing, folders }: Plan, mark: Mark): string {
  if (mark.folder === undefined) return visibleLine(drawing.nodes[mark.node].label);
  const { path, total } = folders[mark.folder];
  return `${visibleLine(path === '' ? '/' : path)} (${total})`;
}

/** Groups marks into frames by folder; those at the top are in no frame. */
function frames({ drawing, folders, marks }: Plan): { outside: number[]; framed: Map<string, number[]> } {
  const framed = new Map<string, number[]>();
  const outside: number[] = [];
  marks.forEach((mark, i) => {
    const path = mark.folder === undefined ? drawing.nodes[mark.node].folder : outer(folders, mark.folder);
    const list = path === '' ? outside : (framed.get(path) ?? []);
    list.push(i);
    if (path !== '') framed.set(path, list);
  });
  return { outside, framed };
}

const outer = (folders: readonly Folder[], at: number): string => folders[folders[at].parent]?.path ?? '';

/** Are all uses of types? Those are drawn as a broken line. */
const isWeak = ({ kinds }: MarkEdge): boolean => kinds.every((kind) => kind === 'type-import');

/** Characters that are special in Mermaid, including those of `%%{` directives and of markdown in backquotes. */
const MERMAID_SPECIAL = /["#&<>`{}|\\[\]%;]/g;

const mermaidText = (text: string): string =>
  text.replace(MERMAID_SPECIAL, (character) => `#${character.charCodeAt(0)};`);

/** Mermaid flow chart, with cycles in red. */
export function mermaid(plan: Plan): string {
  const { marks, edges } = plan;
  const { outside, framed } = frames(plan);
  const node = (i: number) =>
    marks[i].folder === undefined
      ? `n${i}["${mermaidText(markLabel(plan, marks[i]))}"]`
      : `n${i}[["${mermaidText(markLabel(plan, marks[i]))}"]]:::folder`;
  const cycles = edges.flatMap(({ inCycle }, i) => (inCycle ? [i] : []));
  const lines = ['flowchart LR', ...outside.map((i) => `  ${node(i)}`)];
  [...framed].forEach(([path, list], i) => {
    lines.push(
      `  subgraph f${i}["${mermaidText(visibleLine(path))}"]`,
      ...list.map((at) => `    ${node(at)}`),
      '  end',
    );
  });
  lines.push(...edges.map((edge) => `  n${edge.from} ${isWeak(edge) ? '-.->' : '-->'} n${edge.to}`));
  lines.push(`  classDef folder fill:${FOLDER_COLOUR},stroke:#8c959f,color:#24292f`);
  if (cycles.length > 0) lines.push(`  linkStyle ${cycles.join(',')} stroke:${CYCLE_COLOUR},stroke-width:2px`);
  return `${lines.join('\n')}\n`;
}

const dotText = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** Graphviz digraph, with cycles in red. */
export function dot(plan: Plan): string {
  const { marks, edges } = plan;
  const { outside, framed } = frames(plan);
  const node = (i: number) => {
    const shape = marks[i].folder === undefined ? '' : `, shape=folder, fillcolor="${FOLDER_COLOUR}"`;
    return `n${i} [label=${dotText(markLabel(plan, marks[i]))}${shape}];`;
  };
  const lines = [
    'digraph "code" {',
    '  charset="UTF-8"; rankdir=LR; fontname="Helvetica"; newrank=true;',
    '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#8c959f", fontname="Helvetica", fontsize=11];',
    '  edge [color="#8c959f", arrowsize=0.6];',
    ...outside.map((i) => `  ${node(i)}`),
  ];
  [...framed].forEach(([path, list], i) => {
    lines.push(`  subgraph cluster_${i} {`, `    label=${dotText(visibleLine(path))}; color="#d0d7de";`);
    lines.push(...list.map((at) => `    ${node(at)}`), '  }');
  });
  for (const edge of edges) {
    const style = [
      ...(edge.inCycle ? [`color="${CYCLE_COLOUR}"`, 'penwidth=1.6'] : []),
      ...(isWeak(edge) ? ['style=dashed'] : []),
    ];
    lines.push(`  n${edge.from} -> n${edge.to}${style.length > 0 ? ` [${style.join(', ')}]` : ''};`);
  }
  return `${lines.join('\n')}\n}\n`;
}

// The page. Text of the repository is only in a JSON block, and the program shows it as text, so it never becomes markup. The style is
// that of the web page.

/** The modules of `page/`, joined by the build. */
const PROGRAM = new URL('./page-bundle.js', import.meta.url);
const STYLE = packageFile('web/page.css');

/** The page as text. Throws BROKEN_INSTALLATION if the program or the style is missing. */
export function html(payload: PagePayload): string {
  const program = inScript(installed(PROGRAM));
  const style = installed(STYLE);
  const policy = [
    "default-src 'none'",
    `script-src ${sha256(program)}`,
    `style-src ${sha256(style)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    '<title>Code graph</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<script type="application/json" id="data">${inData(payload)}</script>`,
    `<script>${program}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Checks that code can be in HTML: a script ends at the first end tag, even within a string. Throws INTERNAL. */
function inScript(code: string): string {
  if (/<\/script|<script|<!--/i.test(code)) throw new SocraticodeError('INTERNAL', 'a script that no page can hold');
  return code;
}

/** JSON in which characters are escaped that are special in HTML or end a line in JavaScript. */
const inData = (payload: PagePayload): string =>
  JSON.stringify(payload).replace(
    /[<>&\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function installed(file: URL): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SocraticodeError('BROKEN_INSTALLATION', 'a file of the page is missing from this installation', {
      cause,
    });
  }
}
