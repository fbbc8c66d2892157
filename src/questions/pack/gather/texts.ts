/** Lines and declarations of the files that a pack is made of, each file read once. */
import type { ObjectReader } from '../../../git/objects.js';
import type { Graph } from '../../../graph/graph.js';
import { declarationText } from '../../../graph/query/declaration.js';
import { signatureText } from '../../../graph/query/signatures.js';
import type { BlobFactsSource } from '../../../session/blob-facts.js';
import type { SearchResponse } from '../../search/output.js';
import { rangeOf } from './anchors.js';
import type { Declaration, Neighbour } from './candidate.js';
import { linesOf } from './lines.js';

/** Lines of a file; null where they are not known. */
export type Lines = (path: string) => readonly string[] | null;

/** Reads files of a graph's snapshot. */
export async function readLines(graph: Graph, objects: ObjectReader, paths: Iterable<string>): Promise<Lines> {
  const known = new Map<string, readonly string[] | null>();
  const reading = [...new Set(paths)].map(async (path) => {
    const file = graph.findFile(path);
    const object = file < 0 ? null : await objects.read(graph.tables.files[file].oid);
    known.set(path, object === null ? null : linesOf(object.content.toString('utf8')));
  });
  await Promise.all(reading);
  return (path) => known.get(path) ?? null;
}

type Result = Pick<SearchResponse['results'][number], 'path' | 'startLine' | 'endLine' | 'content'>;

/** Lines of files as search results have them: the only source without a graph. */
export function linesOfResults(results: readonly Result[]): Lines {
  const known = new Map<string, string[]>();
  for (const { path, startLine, content = '' } of results) {
    const lines = known.get(path) ?? [];
    known.set(path, lines);
    for (const [i, line] of content.split('\n').entries()) lines[startLine - 1 + i] = line;
  }
  return (path) => known.get(path) ?? null;
}

/** Do the files still say what the search found in them? */
export function agree(lines: Lines, results: readonly Result[]): boolean {
  return results.every(({ path, startLine, content = '' }) => {
    const known = lines(path);
    const first = content.split('\n', 1)[0];
    // Chunks can begin and end within a line.
    return known === null || (known[startLine - 1] ?? '').includes(first.replace(/\r$/, ''));
  });
}

/** Neighbours as they are declared; those of files that cannot be read are left out. */
export async function declare(
  graph: Graph,
  source: BlobFactsSource,
  neighbours: readonly Neighbour[],
): Promise<Declaration[]> {
  const files = [...new Set(neighbours.map(({ node }) => graph.fileOf(node)))].map((file) => graph.tables.files[file]);
  await source.prefetch(files);
  const found: Declaration[] = [];
  for (const { node, value, why } of neighbours) {
    const file = graph.fileOf(node);
    const { path, oid } = graph.tables.files[file];
    const [facts, bytes] = [await source.facts({ path, oid }), await source.bytes(oid)];
    const symbol = facts?.symbols[node - graph.fileNode(file) - 1];
    if (symbol === undefined || bytes === null) continue;
    const text = declarationText(signatureText(bytes, symbol), graph.tables.files[file].language);
    found.push({ path, ...rangeOf(graph, node), symbol: graph.qualifiedName(node), why, value, text });
  }
  return found;
}
