/** From a graph to a picture of it, in each format. */
import { visibleLine } from '../../base/hygiene.js';
import type { Graph } from '../graph.js';
import { drawingOf } from './drawing.js';
import { chooseOpen, folderTree, marksOf } from './folders.js';
import { around, type Cut, degrees, fit, keepNodes } from './narrow.js';
import { packDrawing } from './pack.js';
import type { Plan } from './text.js';
import type { Drawing, PagePayload, PictureView } from './types.js';

/** What part of the graph is wanted. */
export interface PictureScope {
  accepts?: (path: string) => boolean;
  /** Only what is at most `depth` steps away from these nodes of the graph, in either direction. */
  focus?: readonly number[];
  depth?: number;
}

/** A page holds no more than this: beyond, browsers take long to read it and nobody sees more. */
export const PAGE_MAX_NODES = 20_000;
export const PAGE_MAX_EDGES = 60_000;

export interface Part {
  drawing: Drawing;
  /** The first node of the focus, -1 for none. */
  focus: number;
}

/** One view of that part of the graph. A focus on a symbol is, among files, one on its file. */
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

export interface PlanOptions {
  /** Nodes drawn; folders stand for the rest. */
  limit: number;
  /** Nodes that nothing links with others are left out, unless there are no others. */
  linkedOnly: boolean;
}

/** What is drawn of a part when the reader can't open folders. */
export function planOf({ drawing }: Part, { limit, linkedOnly }: PlanOptions): Plan & { unlinked: number } {
  const degree = degrees(drawing);
  const linked = degree.reduce((sum, links) => sum + Math.min(links, 1), 0);
  const shown = !linkedOnly || linked === 0 ? drawing : keepNodes(drawing, (node) => degree[node] > 0).drawing;
  const folders = folderTree(shown.nodes);
  const marks = marksOf(shown.nodes.length, shown.edges, folders, chooseOpen(folders, limit));
  return { ...marks, drawing: shown, folders, unlinked: drawing.nodes.length - shown.nodes.length };
}

export interface PageOptions {
  repository: string;
  ref: string;
  commit: string;
  scope: string;
  view: PictureView;
  limit: number;
}

/** Both views, as a page is given them. */
export function payloadOf(parts: Record<PictureView, Part>, options: PageOptions): PagePayload {
  const bound = (view: PictureView) => {
    const { drawing, focus } = parts[view];
    return fit(drawing, { maxNodes: PAGE_MAX_NODES, maxEdges: PAGE_MAX_EDGES, keep: focus });
  };
  const [files, symbols] = [bound('files'), bound('symbols')];
  const { repository, ref, commit, scope, view, limit } = options;
  const cut: Record<PictureView, Cut> = { files: files.cut, symbols: symbols.cut };
  return {
    repository: visibleLine(repository),
    ref: visibleLine(ref),
    commit: visibleLine(commit),
    scope: visibleLine(scope),
    ...{ view, limit, cut },
    focus: { files, symbols }[view].keep,
    views: { files: packDrawing(files.drawing), symbols: packDrawing(symbols.drawing) },
  };
}
