/** Finds the uses of definitions in sibling repositories and in a fleet. Loaded only on request. */
import { type LinkedFacts, Published, placeKey, type ReachedPlace } from '../../graph/across/facts.js';
import type { Graph } from '../../graph/graph.js';
import { cut } from '../../graph/query/node-place.js';
import { walkUsers } from '../../graph/query/users.js';
import { withInside } from '../../graph/query/uses.js';
import type { PreparedGraph } from '../../session/graph/graphs.js';
import { type LinkedRepository, linkedFacts, linkedRepositories } from '../../session/siblings/ask.js';
import { type Asker, openLinks } from '../asker.js';
import type { FleetUsesQuery } from '../fleet/asking.js';
import { askFleet, type FleetAsker, loadFleet } from '../fleet/package.js';
import type { FleetUsesDocument } from '../fleet/question.js';
import type { LinkedUse, LinkedUses } from './output.js';

/** The part of an asker that opens linked repositories. */
export type LinkAsker = Pick<Asker, 'session' | 'signal' | 'server'>;

interface LinkRequest {
  /** Snapshot of the definitions. */
  prepared: PreparedGraph;
  nodes: readonly number[];
  /** Number of hops; 1 finds only direct uses. */
  depth: number;
  minConfidence?: number;
  limit: number;
  /** Removed definitions, and the snapshot that had them. */
  removed?: { before: PreparedGraph; places: readonly { path: string; symbol: string }[] };
}

/** Maximum number of listed packages: a monorepo has hundreds. */
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
    const versions = [{ published: new Published(own), reached: reachedPlaces(prepared.graph, request) }];
    const gone = new Map(removed?.places.map((place) => [placeKey(place), { hop: 0, confidence: 1 }]));
    if (older !== null) versions.push({ published: new Published(older), reached: gone });
    const found = repositories.map(({ facts, project }): LinkedUse[] =>
      facts === null
        ? []
        : versions
            .flatMap(({ published, reached }) => published.usesBy(facts, reached))
            .filter(({ confidence }) => confidence >= minConfidence)
            .map((use) => ({ project, ...use })),
    );
    return {
      repositories: repositories.map((repository, i) => stateOf(repository, found[i])),
      packages: [...new Set(versions.flatMap(({ published, reached }) => published.packagesOf(reached)))].slice(
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

/** The definitions, everything inside of them, and their users in this repository, which may have users elsewhere. */
function reachedPlaces(
  graph: Graph,
  { nodes, depth }: Pick<LinkRequest, 'nodes' | 'depth'>,
): Map<string, ReachedPlace> {
  const seeds = withInside(graph, nodes);
  const found = new Map<string, ReachedPlace>();
  const add = (node: number, place: ReachedPlace) => {
    const symbol = graph.isFile(node) ? null : graph.qualifiedName(node);
    const key = placeKey({ path: graph.path(node), symbol });
    if (!found.has(key)) found.set(key, place);
  };
  for (const node of seeds) add(node, { hop: 0, confidence: 1 });
  if (depth > 1)
    // A file that imports a file uses all of it or nothing: its exports are reached through the symbols that use one.
    for (const { node, hop, confidence } of walkUsers(graph, [...seeds], { depth: depth - 1 }))
      if (!graph.isFile(node)) add(node, { hop, confidence });
  return found;
}

function byHop(a: LinkedUse, b: LinkedUse): number {
  return a.hop - b.hop || b.confidence - a.confidence;
}

// Uses in a fleet. The graph of this repository is here, the facts of its users are there.

type Reached = ReadonlyMap<string, ReachedPlace>;
type UsesQuery = Pick<FleetUsesQuery, 'published' | 'reached'>;

/** Throws BAD_ARGUMENT without a fleet, and the errors of the fleet. */
export async function fleetUsesOf(at: LinkAsker & FleetAsker, request: LinkRequest): Promise<FleetUsesDocument> {
  const { session, signal } = at;
  const { prepared, removed, limit, minConfidence } = request;
  const [fleet, { config }] = await Promise.all([loadFleet(), session.configOf(null, true)]);
  const [facts, older, own] = await Promise.all([
    linkedFacts(session, prepared, signal),
    removed === undefined || removed.places.length === 0 ? null : linkedFacts(session, removed.before, signal),
    config.fleet.repo ?? fleet.repositoryName(session).catch(() => undefined),
  ]);
  const queries = [usesQueryOf(facts, reachedPlaces(prepared.graph, request))];
  const gone = new Map(removed?.places.map((place) => [placeKey(place), { hop: 0, confidence: 1 }]));
  if (older !== null) queries.push(usesQueryOf(older, gone));
  const about = { ...(own !== undefined && { own }), minConfidence, limit };
  const found = await askFleet(at, (fleet) =>
    Promise.all(queries.map((query) => fleet.uses({ ...about, ...query }, signal))),
  );
  return found.reduce((all, each) => together(all, each, limit));
}

/**
 * Exports and routes that a use of a reached definition can name, and those that distinguish them: all members of its type,
 * functions that return it, and the type that it returns. A library of 20,000 exports is not sent for one of them.
 */
export function usesQueryOf({ packages, exports, routes }: LinkedFacts, reached: Reached): UsesQuery {
  const isReached = (place: { path: string; symbol: string | null }) => reached.has(placeKey(place));
  const ownerOf = ({ module, name }: { module: string; name: string }) => `${module}\0${name.split('.', 1)[0]}`;
  const reachedExports = exports.filter(isReached);
  const named = new Set(reachedExports.map(ownerOf));
  const owners = new Set(named);
  for (const name of exports) {
    if (name.result === undefined) continue;
    const result = ownerOf({ ...name, name: name.result });
    if (named.has(result)) owners.add(ownerOf(name));
    if (named.has(ownerOf(name))) owners.add(result);
  }
  const isServing = ({ handler, path }: LinkedFacts['routes'][number]) => isReached(handler ?? { path, symbol: null });
  const published = {
    packages,
    exports: exports.filter((name) => owners.has(ownerOf(name))),
    routes: routes.some(isServing) ? routes : [],
  };
  const places = [
    ...reachedExports,
    ...routes.filter(isServing).map(({ handler, path }) => handler ?? { path, symbol: null }),
  ];
  const byKey = new Map(places.map(({ path, symbol }) => [placeKey({ path, symbol }), { path, symbol }]));
  return {
    published,
    reached: [...byKey].map(([key, place]) => ({ ...place, ...(reached.get(key) as ReachedPlace) })),
  };
}

/** Joins the answers about existing and about removed definitions. */
function together(a: FleetUsesDocument, b: FleetUsesDocument, limit: number): FleetUsesDocument {
  const repositories = new Map(a.repositories.map((each) => [each.repo, each]));
  for (const each of b.repositories) {
    const known = repositories.get(each.repo);
    const counts = { uses: each.uses + (known?.uses ?? 0), files: Math.max(each.files, known?.files ?? 0) };
    repositories.set(each.repo, { ...each, ...counts });
  }
  const uses = [...a.uses.list, ...b.uses.list].sort((x, y) => x.hop - y.hop || y.confidence - x.confidence);
  const all = uses.length + a.uses.leftOut + b.uses.leftOut;
  const list = uses.slice(0, limit);
  return { ...a, repositories: [...repositories.values()], uses: { list, leftOut: all - list.length } };
}
