/** Unpacks the data of the page into drawings. */
import { kindsOf } from '../folders.js';
import type { Drawing, DrawingNode, PackedDrawing, PagePayload, PictureView } from '../types.js';

/** Edge as seen from one of its ends. */
export interface Link {
  /** Node at the other end. */
  node: number;
  edge: number;
}

/** Drawing with indexes for looking things up. */
export interface Model extends Drawing {
  incoming: Link[][];
  outgoing: Link[][];
  /** Nodes of tests, fixtures, examples and generated files. */
  aside: ReadonlySet<number>;
}

export function readPayload(): PagePayload {
  return JSON.parse((document.getElementById('data') as HTMLElement).textContent as string) as PagePayload;
}

export function unpack(view: PictureView, packed: PackedDrawing): Model {
  const { words } = packed;
  const nodes = packed.nodes.map(([label, at, language, kind, startLine, endLine]): DrawingNode => {
    const folder = words[at];
    const path = view === 'symbols' ? folder : folder === '' ? label : `${folder}/${label}`;
    return { label, path, folder, language: words[language], kind: words[kind], startLine, endLine };
  });
  const edges = packed.edges.map(([from, to, mask, count, cycle, ...lines]) => {
    return { from, to, kinds: kindsOf(mask), count, inCycle: cycle === 1, lines };
  });
  const incoming: Link[][] = nodes.map(() => []);
  const outgoing: Link[][] = nodes.map(() => []);
  edges.forEach(({ from, to }, edge) => {
    outgoing[from].push({ node: to, edge });
    incoming[to].push({ node: from, edge });
  });
  return { view, nodes, edges, incoming, outgoing, aside: new Set(packed.aside) };
}
