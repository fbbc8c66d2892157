/** Asks the fleet for uses of definitions. The graph of this repository is here, and its users' facts are there. */

import type { LinkedFacts } from '../../../graph/across/facts.js';
import { placeKey, type ReachedPlace } from '../../../graph/across/impact.js';
import { linkedFacts } from '../../../session/linked/linked-facts.js';
import type { FleetUsesQuery } from '../../fleet/asking.js';
import { askFleet, type FleetSide } from '../../fleet/connect.js';
import { loadFleet } from '../../fleet/package.js';
import type { FleetUsesDocument } from '../../fleet/uses/output.js';
import { type LinkAsker, type LinkRequest, reachedPlaces } from './uses.js';

type Reached = ReadonlyMap<string, ReachedPlace>;
type Asked = Pick<FleetUsesQuery, 'published' | 'reached'>;

/** Throws BAD_ARGUMENT without a fleet, and the errors of the fleet. */
export async function fleetUsesOf(at: LinkAsker & FleetSide, request: LinkRequest): Promise<FleetUsesDocument> {
  const { session, signal } = at;
  const { prepared, removed, limit, minConfidence } = request;
  const [fleet, { config }] = await Promise.all([loadFleet(), session.configOf(null, true)]);
  const [facts, older, own] = await Promise.all([
    linkedFacts(session, prepared, signal),
    removed === undefined || removed.places.length === 0 ? null : linkedFacts(session, removed.before, signal),
    config.fleet.repo ?? fleet.repositoryName(session).catch(() => undefined),
  ]);
  const sides = [askedOf(facts, reachedPlaces(prepared.graph, request))];
  const gone = new Map(removed?.places.map((place) => [placeKey(place), { hop: 0, confidence: 1 }]));
  if (older !== null) sides.push(askedOf(older, gone));
  const about = { ...(own !== undefined && { own }), minConfidence, limit };
  const found = await askFleet(at, (fleet) =>
    Promise.all(sides.map((side) => fleet.uses({ ...about, ...side }, signal))),
  );
  return found.reduce((all, each) => together(all, each, limit));
}

/**
 * Exports and routes that a use of a reached definition can name, and what tells them from others: all members of its type, functions
 * that return it, and the type that it returns. A library of 20,000 exports is not sent for one of them.
 */
export function askedOf({ packages, exports, routes }: LinkedFacts, reached: Reached): Asked {
  const isReached = (place: { path: string; symbol: string | null }) => reached.has(placeKey(place));
  const ownerOf = ({ module, name }: { module: string; name: string }) => `${module}\0${name.split('.', 1)[0]}`;
  const meant = exports.filter(isReached);
  const named = new Set(meant.map(ownerOf));
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
  const places = [...meant, ...routes.filter(isServing).map(({ handler, path }) => handler ?? { path, symbol: null })];
  const byKey = new Map(places.map(({ path, symbol }) => [placeKey({ path, symbol }), { path, symbol }]));
  return {
    published,
    reached: [...byKey].map(([key, place]) => ({ ...place, ...(reached.get(key) as ReachedPlace) })),
  };
}

/** Answers about what is there and about what is gone, as one. */
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
