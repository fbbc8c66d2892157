/** Finds the uses of definitions in linked repositories. Loaded only where they are asked for. */
import { Published, placeKey, type ReachedPlace } from '../../../graph/across/impact.js';
import type { Graph } from '../../../graph/graph.js';
import { cut } from '../../../graph/query/place.js';
import { walkUsers } from '../../../graph/query/users.js';
import { membersOf } from '../../../graph/query/uses.js';
import type { PreparedGraph } from '../../../session/graph/prepare.js';
import { linkedFacts } from '../../../session/linked/linked-facts.js';
import { type LinkedRepository, linkedRepositories } from '../../../session/linked/linked-graphs.js';
import type { Asker } from '../../asker.js';
import { openLinks } from '../../linked-access.js';
import type { LinkedUse, LinkedUses } from './output.js';

/** The part of an asker that opens linked repositories. */
export type LinkAsker = Pick<Asker, 'session' | 'signal' | 'server'>;

export interface LinkRequest {
  /** Snapshot that the definitions are in. */
  prepared: PreparedGraph;
  nodes: readonly number[];
  /** Hops; 1 for direct uses alone. */
  depth: number;
  minConfidence?: number;
  limit: number;
  /** Definitions that are gone, and the snapshot that had them. */
  removed?: { before: PreparedGraph; places: readonly { path: string; symbol: string }[] };
}

/** Packages that are listed: a monorepo has hundreds. */
const MAX_PACKAGES = 20;

export async function linkedUsesOf(at: LinkAsker, request: LinkRequest): Promise<LinkedUses> {
  const { session, signal } = at;
  const { prepared, removed, limit, minConfidence = 0 } = request;
  const opened = await openLinks(at);
  try {
    const [own, older, repositories] = await Promise.all([
      linkedFacts(session, prepared, signal),
      removed === undefined || removed.places.length === 0 ? null : linkedFacts(session, removed.before, signal),
      linkedRepositories(session, prepared.origin, { access: opened.access, signal }),
    ]);
    const sides = [{ published: new Published(own), reached: reachedPlaces(prepared.graph, request) }];
    const gone = new Map(removed?.places.map((place) => [placeKey(place), { hop: 0, confidence: 1 }]));
    if (older !== null) sides.push({ published: new Published(older), reached: gone });
    const found = repositories.map(({ facts, project }): LinkedUse[] =>
      facts === null
        ? []
        : sides
            .flatMap(({ published, reached }) => published.usesBy(facts, reached))
            .filter(({ confidence }) => confidence >= minConfidence)
            .map((use) => ({ project, ...use })),
    );
    return {
      repositories: repositories.map((repository, i) => stateOf(repository, found[i])),
      packages: [...new Set(sides.flatMap(({ published, reached }) => published.packagesOf(reached)))].slice(
        0,
        MAX_PACKAGES,
      ),
      uses: cut(found.flat().sort(byHop), limit),
    };
  } finally {
    await opened.close();
  }
}

function stateOf({ facts: _, ...state }: LinkedRepository, uses: readonly LinkedUse[]) {
  return { ...state, uses: uses.length, files: new Set(uses.map(({ path }) => path)).size };
}

/** The definitions, what is inside of them, and their users here, whose own users may be elsewhere. */
export function reachedPlaces(
  graph: Graph,
  { nodes, depth }: Pick<LinkRequest, 'nodes' | 'depth'>,
): Map<string, ReachedPlace> {
  const seeds = new Set(nodes.flatMap((node) => [node, ...insideOf(graph, node)]));
  const found = new Map<string, ReachedPlace>();
  const add = (node: number, place: ReachedPlace) => {
    const symbol = graph.isFile(node) ? null : graph.qualifiedName(node);
    const key = placeKey({ path: graph.path(node), symbol });
    if (!found.has(key)) found.set(key, place);
  };
  for (const node of seeds) add(node, { hop: 0, confidence: 1 });
  if (depth > 1)
    // A file that imports a file uses all of it or nothing: its exports are reached by the symbols that use one.
    for (const { node, hop, confidence } of walkUsers(graph, [...seeds], { depth: depth - 1 }))
      if (!graph.isFile(node)) add(node, { hop, confidence });
  return found;
}

function insideOf(graph: Graph, node: number): number[] {
  if (!graph.isFile(node)) return membersOf(graph, node);
  const end = graph.tables.nodeBase[graph.fileOf(node) + 1];
  return Array.from({ length: end - node - 1 }, (_, i) => node + 1 + i);
}

function byHop(a: LinkedUse, b: LinkedUse): number {
  return a.hop - b.hop || b.confidence - a.confidence;
}
