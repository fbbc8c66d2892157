/** A mention as documents of answers show it. */
import { headingPath, type Mention } from '../../documents/facts.js';
import type { Documented, Link } from '../../documents/resolve.js';
import type { Graph } from '../../graph/graph.js';
import { placeOf } from '../../graph/query/place.js';
import type { DocLink, DocMention } from './output-parts.js';

export function mentionOf({ path, facts }: Documented, { line, section, kind, text }: Mention): DocMention {
  return { path, line, section: headingPath(facts.sections, section), kind, text };
}

export function linkOf(graph: Graph, document: Documented, { mention, node, confidence }: Link): DocLink {
  return { ...mentionOf(document, mention), target: placeOf(graph, node), confidence };
}

/** A symbol or a file, as one end of a change. */
export function placeNamed(graph: Graph, node: number): { path: string; symbol: string | null; startLine: number } {
  const { path, symbol, startLine } = placeOf(graph, node);
  return { path, symbol, startLine };
}
