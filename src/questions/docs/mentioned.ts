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

/** Mentions of the nodes and of what is in them: in guides before changelogs, of the nodes before their members, the most certain first. */
export function mentionsOfNodes(
  resolver: Resolver,
  documents: readonly Documented[],
  nodes: readonly number[],
): Mentioned[] {
  const { graph } = resolver;
  const own = new Set(nodes);
  const wanted = new Set([...nodes, ...nodes.flatMap((node) => insideOf(graph, node))]);
  const paths = new Set(nodes.filter((node) => graph.isFile(node)).map((node) => graph.path(node)));
  const rank = ({ document, link }: Mentioned) =>
    (isRecordOfChanges(document.path) ? 0 : 2) + (own.has(link.node) ? 1 : 0);
  return linksTo(resolver, documents, wanted)
    .filter(({ document: { path } }) => !paths.has(path))
    .sort((a, b) => rank(b) - rank(a) || b.link.confidence - a.link.confidence);
}

/** Links that lead to one of the nodes, in the order of documents. Only documents that hold one of the names are resolved. */
export function linksTo(
  resolver: Resolver,
  documents: readonly Documented[],
  wanted: ReadonlySet<number>,
): Mentioned[] {
  const words = new Set([...wanted].map((node) => lastWord(resolver.graph, node)));
  const index = indexOf(documents);
  const found = new Set([...words].flatMap((word) => index.get(word) ?? []));
  return [...found]
    .sort((a, b) => a - b)
    .flatMap((i) =>
      resolver.links(documents[i]).flatMap((link) => (wanted.has(link.node) ? [{ document: documents[i], link }] : [])),
    );
}

/** Documents, by number, that mention a word. */
type WordIndex = ReadonlyMap<string, readonly number[]>;

/** A server asks the same documents again and again: reading each mention anew took most of the time of a warm answer. */
const INDEXES = new WeakMap<readonly Documented[], WordIndex>();

function indexOf(documents: readonly Documented[]): WordIndex {
  const known = INDEXES.get(documents);
  if (known !== undefined) return known;
  const index = new Map<string, number[]>();
  for (const [i, { facts }] of documents.entries()) {
    for (const { text } of facts.mentions) {
      const word = wordOf(text);
      const list = index.get(word);
      if (list === undefined) index.set(word, [i]);
      else if (list.at(-1) !== i) list.push(i);
    }
  }
  INDEXES.set(documents, index);
  return index;
}

function insideOf(graph: Graph, node: number): number[] {
  if (!graph.isFile(node)) return membersOf(graph, node);
  const end = graph.tables.nodeBase[graph.fileOf(node) + 1];
  return Array.from({ length: end - node - 1 }, (_, i) => node + 1 + i);
}

/** Last part of a name or a path, without an extension, which links may leave out. */
function wordOf(text: string): string {
  const isPath = text.includes('/') || /\.(?:md|mdx|rst|adoc)$/.test(text);
  // `module:page.adoc`, `partial$page.adoc` of Antora.
  const file =
    text
      .replace(/\/+$/, '')
      .split(isPath ? /[/:$]/ : '/')
      .at(-1) ?? '';
  return isPath ? file.replace(/\.[^.]*$/, '') : (partsOf(file).at(-1) ?? '');
}

const lastWord = (graph: Graph, node: number): string =>
  graph.isFile(node) ? (graph.path(node).split('/').at(-1) ?? '').replace(/\.[^.]*$/, '') : graph.name(node);
