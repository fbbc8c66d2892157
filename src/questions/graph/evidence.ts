/** Tests that coverage reports say ran code of a graph, while the bytes of the code and of the test are those of the report. */
import type { Graph } from '../../graph/graph.js';
import type { RanTest } from '../../graph/query/tests-to-run.js';
import { isFunction } from '../../graph/query/uses.js';
import { EVIDENCE, Evidence, type EvidenceBody } from '../../knowledge/codecs.js';
import { EntryStore } from '../../knowledge/entry.js';
import { ONE_SET } from '../../knowledge/kinds.js';
import type { Session } from '../../session/session.js';

/** Sets by their tips, of sessions that ask more than once. */
const known = new WeakMap<object, { tips: string; read: EvidenceSet }>();

interface EvidenceSet {
  evidence: Evidence;
  store: EntryStore<EvidenceBody>;
  entries: number;
}

export async function readEvidence({
  repository,
  objects,
}: Pick<Session, 'repository' | 'objects'>): Promise<EvidenceSet> {
  const store = new EntryStore({ repository, objects }, EVIDENCE, ONE_SET);
  const tips = (await store.tips()).join(' ');
  const before = known.get(objects);
  if (before?.tips === tips) return before.read;
  const entries = (await store.read()).entries.map(({ entry }) => entry);
  const read = { evidence: new Evidence(entries), store, entries: entries.length };
  known.set(objects, { tips, read });
  return read;
}

const SHORT_COMMIT = 7;

/** A definition ran if a line of its body did: the first line of a function runs when its file is loaded. */
export function ranTests(graph: Graph, nodes: readonly number[], evidence: Evidence): RanTest[] {
  const functions = nodes.filter((node) => isFunction(graph, node));
  const found = new Map<string, RanTest>();
  for (const node of functions.length > 0 ? functions : nodes) {
    const { oid } = graph.tables.files[graph.fileOf(node)];
    const [first, end] = graph.isFile(node)
      ? [1, Number.POSITIVE_INFINITY]
      : [graph.startLine(node), graph.endLine(node)];
    const start = isFunction(graph, node) && end > first ? first + 1 : first;
    for (const { test, label, commit } of evidence.ranAt(oid, { start, end })) {
      const path = test?.path ?? null;
      const file = test === null ? -1 : graph.findFile(test.path);
      const isSame = test === null || graph.tables.files[file]?.oid === test.blob;
      if (isSame && !found.has(path ?? ''))
        found.set(path ?? '', { path, by: `${label} of ${commit.slice(0, SHORT_COMMIT)}` });
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ran]) => ran);
}
