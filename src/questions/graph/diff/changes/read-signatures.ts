/** Declarations of symbols, cut from the text of their files. */
import { signatureText } from '../../../../graph/query/signatures.js';
import { openFacts } from '../../../../session/graph/facts-source.js';
import type { PreparedGraph } from '../../../../session/graph/prepare.js';
import type { Session } from '../../../../session/session.js';

/** One line for each node; nodes whose file cannot be read have none. */
export async function readSignatures(
  session: Session,
  prepared: PreparedGraph,
  { nodes, signal }: { nodes: readonly number[]; signal?: AbortSignal },
): Promise<ReadonlyMap<number, string>> {
  const { graph } = prepared;
  const texts = new Map<number, string>();
  if (nodes.length === 0) return texts;
  const byPath = new Map<string, number[]>();
  for (const node of nodes) {
    const path = graph.path(node);
    const others = byPath.get(path);
    if (others === undefined) byPath.set(path, [node]);
    else others.push(node);
  }
  const versions = [...byPath.keys()].map((path) => graph.tables.files[graph.findFile(path)]);
  const source = await openFacts(session, prepared, { count: versions.length, signal });
  try {
    await source.prefetch(versions, undefined, ({ path }, facts, bytes) => {
      if (facts === null || bytes === null) return;
      const first = graph.fileNode(graph.findFile(path)) + 1;
      for (const node of byPath.get(path) ?? []) {
        const symbol = facts.symbols[node - first];
        if (symbol !== undefined) texts.set(node, signatureText(bytes, symbol));
      }
    });
  } finally {
    await source.close();
  }
  return texts;
}
