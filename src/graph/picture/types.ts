/**
 * What every kind of picture is made from. A drawing is one view of the graph at its finest, places with what stands in
 * them; `folders` decides which of its folders are drawn as one node. These modules run in Node and in the page alike.
 */

/** Files and what they import, or symbols and what they call. */
export const PICTURE_VIEWS = ['files', 'symbols'] as const;
export type PictureView = (typeof PICTURE_VIEWS)[number];

/** Kinds of the graph's edges, cut down to what a picture can tell apart; strongest first. */
export const PICTURE_EDGE_KINDS = ['import', 'type-import', 'extends', 'new', 'call'] as const;
export type PictureEdgeKind = (typeof PICTURE_EDGE_KINDS)[number];

export interface DrawingNode {
  /** A file's name without its folders, a symbol's with those around it. */
  label: string;
  /** Of the file that it is or stands in. */
  path: string;
  /** Where it is shown in: a file's folder ('' at the top), a symbol's file. */
  folder: string;
  language: string;
  /** `file` or the symbol's kind. */
  kind: string;
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
}

/** All uses of one node by another. */
export interface DrawingEdge {
  /** Indexes of nodes. */
  from: number;
  to: number;
  /** In the order of PICTURE_EDGE_KINDS. */
  kinds: readonly PictureEdgeKind[];
  /** Imports and uses. */
  count: number;
  /** Part of a circle of imports, or of calls. */
  inCycle: boolean;
  /** The first lines of evidence, in the file of `from`. */
  lines: readonly number[];
}

export interface Drawing {
  view: PictureView;
  nodes: readonly DrawingNode[];
  edges: readonly DrawingEdge[];
}

/** A drawing as it travels inside a page: rows of numbers, and a table of the strings that repeat. */
export interface PackedDrawing {
  /** What nodes refer to by number: folders, languages, kinds. */
  words: string[];
  /** [label, folder, language, kind, first line, last line], the strings but the label as indexes of `words`. */
  nodes: [string, number, number, number, number, number][];
  /** [from, to, bits of kinds, count, 1 in a cycle, lines…] */
  edges: number[][];
}

/** What a page is given. Nothing but this comes from the repository. */
export interface PagePayload {
  repository: string;
  ref: string;
  commit: string;
  /** What the picture was narrowed to, '' for nothing. */
  scope: string;
  /** The view shown first, and how many nodes are drawn at first. */
  view: PictureView;
  limit: number;
  /** The node of that view to begin with, -1 for none. */
  focus: number;
  /** Of each view, what did not fit. */
  cut: Record<PictureView, { nodes: number; edges: number }>;
  views: Record<PictureView, PackedDrawing>;
}
