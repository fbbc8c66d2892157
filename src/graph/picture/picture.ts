/** Builds pictures of a graph: the part to draw, its plan for text formats, and the data of a page. */
import { visibleLine } from '../../base/hygiene.js';
import type { Graph } from '../graph.js';
import { drawingOf } from './drawing.js';
import { chooseOpen, folderTree, marksOf } from './folders.js';
import { around, type Cut, degrees, fit, keepNodes } from './narrow.js';
import { packDrawing } from './pack.js';
import type { Plan } from './text.js';
import type { Drawing, PagePayload, PictureView, Place } from './types.js';

/** Part of the graph to draw. */
export interface PictureScope {
  accepts?: (path: string) => boolean;
  /** Limits the picture to nodes at most `depth` steps away from these, in either direction. */
  focus?: readonly number[];
  depth?: number;
}

/** Most nodes of a page: larger ones take browsers long to read and show no more. */
const PAGE_MAX_NODES = 20_000;
const PAGE_MAX_EDGES = 60_000;

export interface Part {
  drawing: Drawing;
  /** First node of the focus, -1 for none. */
  focus: number;
}

/** One view of that part. In the view of files, a focus on a symbol means its file. */
export function partOf(graph: Graph, view: PictureView, { accepts, focus = [], depth = 2 }: PictureScope): Part {
  const drawing = drawingOf(graph, view, accepts);
  if (focus.length === 0) return { drawing, focus: -1 };
  const wanted = new Set(focus.map((node) => (view === 'files' ? graph.fileNode(graph.fileOf(node)) : node)));
  const files = new Set(focus.filter((node) => graph.isFile(node)).map((node) => graph.fileOf(node)));
  const starts = drawing.origins.flatMap((node, i) =>
    wanted.has(node) || (view === 'symbols' && files.has(graph.fileOf(node))) ? [i] : [],
  );
  const near = around(drawing, starts, depth);
  const { drawing: kept, numbers } = keepNodes(drawing, (node) => near.has(node));
  const first = drawing.origins.findIndex((node) => wanted.has(node));
  return { drawing: kept, focus: first < 0 ? -1 : numbers[first] };
}

interface PlanOptions {
  /** Most nodes drawn; folders replace the rest. */
  limit: number;
  /** Leaves out nodes without links, unless all are. */
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
