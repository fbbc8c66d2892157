/** Declarations of the definitions of a map. */

import { declarationText } from '../../../../graph/query/declaration.js';
import { signatureText } from '../../../../graph/query/signatures.js';
import { openFacts } from '../../../../session/graph/facts-source.js';
import type { Session } from '../../../../session/session.js';
import type { GraphAndHeader } from '../../snapshot-graph.js';
import { type MapEntry, shownContainer } from './folders.js';

export interface Declared extends MapEntry {
  /** The type it is a member of, -1 at top level. */
  container: number;
  line: number;
  text: string;
}

/** Best first. Without `signatures` definitions have their names alone, and no file is read. */
export async function declareEntries(
  session: Session,
  prepared: GraphAndHeader,
  { entries, signatures, signal }: { entries: readonly MapEntry[]; signatures: boolean; signal?: AbortSignal },
): Promise<Declared[]> {
  const texts = signatures ? await written(session, prepared, { entries, signal }) : new Map<number, string>();
  const { graph } = prepared;
  const all = entries.map((entry): Declared => {
    const container = shownContainer(graph, entry.node);
    const text = texts.get(entry.node) ?? graph.name(entry.node);
    return { ...entry, container, line: Math.max(1, graph.startLine(entry.node)), text };
  });
  return all.sort((a, b) => b.value - a.value || a.node - b.node);
}

async function written(
  session: Session,
  prepared: GraphAndHeader,
  { entries, signal }: { entries: readonly MapEntry[]; signal?: AbortSignal },
): Promise<Map<number, string>> {
  const { graph } = prepared;
  const byFile = new Map<number, MapEntry[]>();
  for (const entry of entries) byFile.set(entry.file, [...(byFile.get(entry.file) ?? []), entry]);
  const versions = [...byFile.keys()].map((file) => ({ ...graph.tables.files[file], file }));
  const texts = new Map<number, string>();
  const source = await openFacts(session, prepared, { count: versions.length, signal });
  try {
    // Files with the same bytes are given one after the other, so that each is found by its path.
    const byPath = new Map(versions.map(({ path, file }) => [path, file]));
    await source.prefetch(versions, undefined, ({ path }, facts, bytes) => {
      const file = byPath.get(path);
      if (file === undefined || facts === null || bytes === null) return;
      const first = graph.fileNode(file) + 1;
      for (const { node } of byFile.get(file) ?? []) {
        const symbol = facts.symbols[node - first];
        if (symbol !== undefined)
          texts.set(node, declarationText(signatureText(bytes, symbol), graph.tables.files[file].language));
      }
    });
  } finally {
    await source.close();
  }
  return texts;
}
