/** Finds unused definitions by the graph, then leaves out those whose names stand in text that the graph does not explain. */
import type { Graph } from '../../../graph/graph.js';
import { type Certainty, type Excuse, encloses, type Unused, UnusedFinder } from '../../../graph/query/unused.js';
import type { PreparedGraph } from '../../../session/graph/prepare.js';
import type { Session } from '../../../session/session.js';
import { openNameIndex } from './text-uses/files-with-names.js';
import { contains, TextUses } from './text-uses/text-uses.js';

interface Wanted {
  least: Certainty;
  /** Nodes that are taken for deleted. */
  without?: ReadonlySet<number>;
  signal?: AbortSignal;
}

/** Each round can bring to light what the one before took for used; texts of hostile repositories could go on for ever. */
const MAX_ROUNDS = 8;

/** Results of graphs that are still in memory: a server is asked again and again. */
const known = new WeakMap<Graph, Map<string, readonly Unused[]>>();

export async function findUnused(
  session: Session,
  prepared: PreparedGraph,
  wanted: Wanted,
): Promise<readonly Unused[]> {
  const { graph } = prepared;
  const { least, without = new Set() } = wanted;
  const key = `${least} ${[...without].join()}`;
  const results = known.get(graph) ?? new Map<string, readonly Unused[]>();
  known.set(graph, results);
  const found = results.get(key) ?? (await search(session, prepared, { ...wanted, without }));
  results.set(key, found);
  return found;
}

async function search(
  session: Session,
  prepared: PreparedGraph,
  { least, without, signal }: Wanted & { without: ReadonlySet<number> },
): Promise<readonly Unused[]> {
  const { graph } = prepared;
  const finder = new UnusedFinder(graph, { without });
  const excuses = new Map<number, Excuse>();
  let found = finder.find(least);
  if (found.every(isDoubted)) return found;
  const texts = new TextUses(prepared, await openNameIndex(session, prepared, signal));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    signal?.throwIfAborted();
    const sure = found.filter((each) => !isDoubted(each)).map(({ node }) => node);
    await texts.read(sure);
    const isDead = deadLines(graph, [...sure, ...without]);
    const before = excuses.size;
    for (const node of sure) {
      const excuse = excuses.has(node) ? null : texts.excuseOf(node, isDead);
      if (excuse !== null) excuses.set(node, excuse);
    }
    if (excuses.size === before) break;
    found = finder.find(least, excuses);
  }
  return found;
}

/** It may be used by something here in any case: its text need not be searched for more. */
const isDoubted = ({ certainty }: Unused): boolean => certainty === 'possible';

function deadLines(graph: Graph, nodes: readonly number[]): (file: number, line: number) => boolean {
  const byFile = new Map<number, number[]>();
  for (const node of nodes) {
    const file = graph.fileOf(node);
    byFile.set(file, [...(byFile.get(file) ?? []), node]);
  }
  return (file, line) => byFile.get(file)?.some((node) => !graph.isFile(node) && contains(graph, node, line)) === true;
}

/** Definitions that are unused without some others, and are used now. */
export async function unusedWithout(
  session: Session,
  prepared: PreparedGraph,
  wanted: Wanted & { without: ReadonlySet<number> },
): Promise<readonly Unused[]> {
  const { graph } = prepared;
  const now = await findUnused(session, prepared, { ...wanted, without: undefined });
  const then = await findUnused(session, prepared, wanted);
  return then.filter(({ node }) => !now.some((other) => encloses(graph, other.node, node)));
}
