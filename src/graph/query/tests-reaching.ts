/** Test files among the users of something, each with its nearest use. */
import type { Graph } from '../graph.js';
import { isInnerTest, isRunnableTest } from './place.js';
import type { User } from './users.js';

/** Tests are looked for at least so far; beyond, most of a repository reaches most of it. */
export const TEST_DEPTH = 5;

export interface ReachingTest {
  path: string;
  /** The test function, where it is a symbol. */
  symbol: string | null;
  hops: number;
  line: number;
}

/** Nearest first. `users` as `walkUsers` gives them. */
export function testsAmong(graph: Graph, users: readonly User[]): ReachingTest[] {
  const found = new Map<number, ReachingTest>();
  for (const { node, hop, line } of users) {
    const file = graph.fileOf(node);
    if (found.has(file) || !(isRunnableTest(graph, file) || isInnerTest(graph, node, file))) continue;
    const symbol = graph.isFile(node) ? null : graph.qualifiedName(node);
    found.set(file, { path: graph.tables.files[file].path, symbol, hops: hop, line });
  }
  return [...found.values()].sort((a, b) => a.hops - b.hops || (a.path < b.path ? -1 : 1));
}

/** Test files that import one of these files, directly or through others: they may run it by ways that no call shows. */
export function countTestsImporting(graph: Graph, files: Iterable<number>): number {
  const seen = new Set([...files].map((file) => graph.fileNode(file)));
  let count = 0;
  for (const node of seen) {
    for (const edge of graph.incoming(node)) {
      const source = graph.source(edge);
      if (!graph.isFileEdge(edge) || seen.has(source)) continue;
      seen.add(source);
      if (isRunnableTest(graph, graph.fileOf(source))) count++;
    }
  }
  return count;
}
