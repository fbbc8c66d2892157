/** Finds the file that a path or a link in a document means. */
import { posix } from 'node:path';
import type { Graph } from '../graph/graph.js';
import { isProduction } from '../graph/query/place.js';
import { antoraPath } from './antora.js';

export interface Written {
  text: string;
  /** The document that it is written in. */
  from: string;
  /** Links lead from the document first, other paths from the top. */
  isLink: boolean;
}

/** `isEnding`: the path of one file of production code ends with it, which is less certain. Null for none, and for several. */
export function fileMeant(graph: Graph, { text, from, isLink }: Written): { node: number; isEnding: boolean } | null {
  const here = posix.join(posix.dirname(from), text);
  const top = posix.normalize(text.replace(/^\/+/, ''));
  const linked = isLink ? [antoraPath(from, text) ?? here, here, top] : [top, here];
  for (const path of text.startsWith('/') ? [top] : linked) {
    const node = fileAt(graph, path, isLink ? posix.extname(from) : '');
    if (node >= 0) return { node, isEnding: false };
  }
  const end = `/${top.replace(/\/+$/, '')}`;
  if (isLink || !/^[^.].*\/[^/]+\.\w+$/.test(top)) return null;
  const found = graph.tables.files.flatMap(({ path }, file) =>
    path.endsWith(end) && isProduction(graph, file) ? [file] : [],
  );
  return found.length === 1 ? { node: graph.fileNode(found[0]), isEnding: true } : null;
}

/** A file, or the document that a link without an extension means; -1 for none. */
function fileAt(graph: Graph, path: string, extension: string): number {
  const bare = path.replace(/\/+$/, '');
  const spellings = extension === '' ? [bare] : [bare, bare + extension, `${bare}/index${extension}`];
  for (const each of spellings) {
    const file = graph.findFile(each);
    if (file >= 0) return graph.fileNode(file);
  }
  return -1;
}
