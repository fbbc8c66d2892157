/**
 * Types of pictures. A drawing is one view of the graph with every file or symbol as a node; `folders` then chooses the
 * folders that are drawn as one node. These modules run in Node and in the page.
 */

/** Files and what they import, or symbols and what they call. */
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
  /** Folder that it is shown in: a file's folder ('' at the top), or a symbol's file. */
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
  /** Part of a cycle of imports or of calls. */
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
  /** [label, folder, language, kind, first line, last line], the strings but the label as indexes of `words`. */
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
  /** With `{path}`, `{start}` and `{end}` of a node, and `{root}` where `up` is given. */
  address: string;
  /** The way from the page's file up to the work tree, such as `../`: a page that is sent to others names no directory of this machine. */
  up?: string;
}

/** Data of a page: the only part of it that comes from the repository. */
export interface PagePayload {
  repository: string;
  ref: string;
  commit: string;
  /** Forges and editors that show the code of a node. */
  places: readonly Place[];
  /** Text of the limits that the user gave (paths, focus), '' without any. */
  scope: string;
  /** View that is shown first, and the most nodes that are drawn at first. */
  view: PictureView;
  limit: number;
  /** Node of that view that is selected first, -1 for none. */
  focus: number;
  /** Nodes and links of each view that did not fit into the page. */
  cut: Record<PictureView, { nodes: number; edges: number }>;
  views: Record<PictureView, PackedDrawing>;
}
