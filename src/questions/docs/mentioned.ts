/** Finds mentions of symbols and files in the documents of a snapshot. */
import { isRecordOfChanges } from '../../documents/kinds.js';
import { partsOf } from '../../documents/names.js';
import type { Documented, Link, Resolver } from '../../documents/resolve.js';
import type { Graph } from '../../graph/graph.js';
import { membersOf } from '../../graph/query/uses.js';

export interface Mentioned {
  document: Documented;
  link: Link;
}

/**
 * Mentions of the nodes and of what is in them: in guides before changelogs, of the nodes before their members, the most certain first.
 * Only documents that hold one of the names are resolved.
 */
export function mentionsOfNodes(
  resolver: Resolver,
  documents: readonly Documented[],
  nodes: readonly number[],
): Mentioned[] {
  const { graph } = resolver;
  const wanted = new Set(nodes);
  for (const node of nodes) for (const member of insideOf(graph, node)) wanted.add(member);
  const words = new Set([...wanted].map((node) => lastWord(graph, node)));
  const own = new Set(nodes);
  const rank = ({ document, link }: Mentioned) =>
    (isRecordOfChanges(document.path) ? 0 : 2) + (own.has(link.node) ? 1 : 0);
  return documents
    .filter(
      ({ path, facts }) => facts.mentions.some(({ text }) => words.has(wordOf(text))) && !isWanted(graph, nodes, path),
    )
    .flatMap((document) =>
      resolver.links(document).flatMap((link) => (wanted.has(link.node) ? [{ document, link }] : [])),
    )
    .sort((a, b) => rank(b) - rank(a) || b.link.confidence - a.link.confidence);
}

function insideOf(graph: Graph, node: number): number[] {
  if (!graph.isFile(node)) return membersOf(graph, node);
  const end = graph.tables.nodeBase[graph.fileOf(node) + 1];
  return Array.from({ length: end - node - 1 }, (_, i) => node + 1 + i);
}

const isWanted = (graph: Graph, nodes: readonly number[], path: string): boolean =>
  nodes.some((node) => graph.isFile(node) && graph.path(node) === path);

/** Last part of a name or a path, without an extension, which links may leave out. */
function wordOf(text: string): string {
  const file = text.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return text.includes('/') || /\.(?:md|mdx|rst|adoc)$/.test(file)
    ? file.replace(/\.[^.]*$/, '')
    : (partsOf(file).at(-1) ?? '');
}

const lastWord = (graph: Graph, node: number): string =>
  graph.isFile(node) ? (graph.path(node).split('/').at(-1) ?? '').replace(/\.[^.]*$/, '') : graph.name(node);
