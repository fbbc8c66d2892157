/** Doc comments of code that mention symbols and files. The words are looked up by `grep`, so that only files that hold them are read. */
import { commentLinks, readComments } from '../../documents/comments.js';
import { isDocument } from '../../documents/read.js';
import type { Documented, Link, Resolver } from '../../documents/resolve.js';
import type { Graph } from '../../graph/graph.js';
import { compilePattern } from '../../search/grep/pattern.js';
import { openFacts } from '../../session/graph/facts-source.js';
import { grep } from '../../session/grep/grep.js';
import type { Asker } from '../asker.js';
import type { GraphAndHeader } from '../graph/snapshot-graph.js';
import type { Mentioned } from './mentioned.js';

/** Files whose comments are read for one answer: parsing facts of more takes seconds. */
const MAX_FILES = 400;

/** Comments of files of the graph, in their order. */
export async function commentsOf(
  { session, signal }: Asker,
  prepared: GraphAndHeader,
  files: readonly number[],
): Promise<Documented[]> {
  const listed = prepared.graph.tables.files;
  const wanted = files.filter((file) => listed[file].state === 'linked' && !isDocument(listed[file].language));
  const source = await openFacts(session, prepared, { count: wanted.length, signal });
  const read = new Map<string, Promise<Documented>>();
  try {
    const versions = wanted.map((file) => listed[file]);
    await source.prefetch(versions, undefined, ({ path = '' }, facts, bytes) => {
      if (facts === null || bytes === null || !facts.symbols.some(({ doc }) => doc !== null)) return;
      read.set(
        path,
        readComments(bytes, facts.symbols).then((comments) => ({ path, facts: comments })),
      );
    });
    const all = await Promise.all(read.values());
    return all.sort((a, b) => (a.path < b.path ? -1 : 1));
  } finally {
    await source.close();
  }
}

/** Mentions of the nodes themselves in comments of other symbols. `values`: the snapshot that was asked for. */
export async function mentionsInComments(
  at: Asker,
  { prepared, resolver, nodes }: { prepared: GraphAndHeader; resolver: Resolver; nodes: readonly number[] },
  values: { ref?: string; committed?: boolean },
): Promise<Mentioned[]> {
  const { graph } = prepared;
  const words = [...new Set(nodes.map((node) => wordOf(graph, node)))].filter((word) => word.length > 1);
  if (words.length === 0) return [];
  const quoted = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const { ref, committed } = values;
  const pattern = compilePattern({ pattern: quoted.join('|'), words: true });
  const { matches } = await grep(at.session, pattern, { ref, committed, limit: 0, signal: at.signal });
  const files = matches.map(({ file }) => graph.findFile(file.path)).filter((file) => file >= 0);
  const wanted = new Set(nodes);
  const documents = await commentsOf(at, prepared, files.slice(0, MAX_FILES));
  return documents.flatMap((document) =>
    commentLinks(resolver, document).flatMap((link: Link) => (wanted.has(link.node) ? [{ document, link }] : [])),
  );
}

const wordOf = (graph: Graph, node: number): string =>
  graph.isFile(node) ? (graph.path(node).split('/').at(-1) ?? '') : graph.name(node);
