/**
 * Reads and writes of accessors (`get total()`, `@property`). An accessor runs when it is read, so that the graph keeps such uses
 * as ones that may run a function; the facts of the files tell what they are.
 */
import type { Graph } from '../../../graph/graph.js';
import { isFunction, outgoing } from '../../../graph/query/uses.js';
import { semanticsOf } from '../../../languages/registry.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import type { PreparedGraph } from '../../../session/graph/prepare.js';
import type { Session } from '../../../session/session.js';
import { readSignatures } from '../diff/changes/read-signatures.js';

/** Most files whose facts are read; uses in others keep the kind that the graph gives them. */
const MAX_FILES = 500;

export async function accessesOf(
  session: Session,
  prepared: PreparedGraph,
  { nodes, signal }: { nodes: readonly number[]; signal?: AbortSignal },
): Promise<ReadonlyMap<number, 'read' | 'write'>> {
  const { graph } = prepared;
  const found = new Map<number, 'read' | 'write'>();
  const held = nodes.flatMap((node) => (isFunction(graph, node) ? handedOn(graph, node) : []));
  if (held.length === 0 || !(await areAccessors(session, prepared, { nodes, signal }))) return found;
  const byPath = new Map<string, number[]>();
  for (const edge of held) {
    const path = graph.path(graph.source(edge));
    const others = byPath.get(path);
    if (others !== undefined) others.push(edge);
    else if (byPath.size < MAX_FILES) byPath.set(path, [edge]);
  }
  const versions = [...byPath.keys()].map((path) => graph.tables.files[graph.findFile(path)]);
  const source = await openFacts(session, prepared, { count: versions.length, relations: true, signal });
  try {
    await source.prefetch(versions, undefined, ({ path }, facts) => {
      for (const edge of byPath.get(path) ?? []) {
        const { name, startLine } = graph.edge(edge);
        const { strings, edgeReceiver } = graph.tables;
        const receiver = strings[edgeReceiver[edge]];
        const kinds = new Set(
          facts?.relations.references
            .filter((use) => use.startLine === startLine && use.name === name && use.receiver === receiver)
            .map(({ kind }) => kind),
        );
        if (kinds.has('write')) found.set(edge, 'write');
        else if (kinds.has('read')) found.set(edge, 'read');
      }
    });
  } finally {
    await source.close();
  }
  return found;
}

const handedOn = (graph: Graph, node: number): number[] =>
  [...graph.incoming(node)].filter((edge) => graph.edgeKind(edge) === 'value');

async function areAccessors(
  session: Session,
  prepared: PreparedGraph,
  { nodes, signal }: { nodes: readonly number[]; signal?: AbortSignal },
): Promise<boolean> {
  const { graph } = prepared;
  if (nodes.some((node) => isDecoratedGetter(graph, node))) return true;
  const texts = await readSignatures(session, prepared, { nodes, signal });
  return [...texts.values()].some((text) => /\b[gs]et\s+[#\w$[]/.test(text));
}

function isDecoratedGetter(graph: Graph, node: number): boolean {
  const { getters } = semanticsOf(graph.tables.files[graph.fileOf(node)].language);
  return [...outgoing(graph, node)].some(
    (edge) => graph.edgeKind(edge) === 'decorator' && getters.has(graph.edge(edge).name),
  );
}
