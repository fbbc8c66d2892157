/** Finds uses of one repository's definitions by all repositories that a reader may see. */
import { setImmediate } from 'node:timers/promises';
import {
  type FleetUsesDocument,
  type FleetUsesQuery,
  Published,
  placeKey,
  SocraticodeError,
  wantedOf,
} from '../internal.js';
import { isLinkedFacts } from '../links.js';
import { type Reader, scopeOf } from './scope.js';
import { dateOf, type FleetStore } from './store.js';

/** Most definitions of one question. */
const MAX_REACHED = 100_000;

type Use = FleetUsesDocument['uses']['list'][number];

/** Throws BAD_ARGUMENT, UNKNOWN_REF, FLEET_STORE, and CANCELLED. */
export async function usesInFleet(
  store: FleetStore,
  query: FleetUsesQuery,
  reader: Reader,
  signal?: AbortSignal,
): Promise<FleetUsesDocument> {
  const { published, own, limit = 100, minConfidence = 0 } = query;
  const reached = new Map(query.reached.map((place) => [placeKey(place), place]));
  const scope = scopeOf(await store.views.fresh(), reader, query);
  const views = scope.views.filter(({ repo }) => repo !== own);
  const index = new Published({ ...published, dependencies: [], uses: [], calls: [] });
  const repositories: FleetUsesDocument['repositories'] = [];
  const uses: Use[] = [];
  let unknown = 0;
  const options = { wanted: wantedOf(published), onUnknown: () => unknown++ };
  for await (const { view, facts } of store.links.using(views, options)) {
    const found = index.usesBy(facts, reached).filter(({ confidence }) => confidence >= minConfidence);
    const { repo, ref, commit, covered, total } = view;
    if (found.length > 0) {
      const counts = { uses: found.length, files: new Set(found.map(({ path }) => path)).size };
      repositories.push({ repo, ref, commit, publishedAt: dateOf(view), coverage: { covered, total }, ...counts });
      uses.push(...found.map((use) => ({ project: repo, ...use })));
    }
    // Matching a large repository takes some ten milliseconds; in between, the server answers others.
    await setImmediate();
    signal?.throwIfAborted();
  }
  uses.sort(nearest);
  return {
    schemaVersion: 1,
    fleet: { searched: views.length, withoutRef: scope.withoutRef, damaged: scope.damaged, unknown },
    repositories: repositories.sort((a, b) => b.uses - a.uses || (a.repo < b.repo ? -1 : 1)),
    uses: { list: uses.slice(0, limit), leftOut: Math.max(0, uses.length - limit) },
  };
}

const nearest = (a: Use, b: Use) => a.hop - b.hop || b.confidence - a.confidence;

/** The two lists of facts in a JSON body. Throws BAD_ARGUMENT for other shapes. */
export function readAskedFacts(json: unknown): Pick<FleetUsesQuery, 'published' | 'reached'> {
  const { published, reached } = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
  const whole = { ...(published as object), dependencies: [], uses: [], calls: [] };
  if (!isLinkedFacts(whole) || !isReached(reached))
    throw new SocraticodeError('BAD_ARGUMENT', 'the body lacks the exports and the definitions that are asked about');
  return { published: whole, reached };
}

function isReached(value: unknown): value is FleetUsesQuery['reached'] {
  const isPlace = (place: Record<string, unknown> | null) =>
    typeof place?.path === 'string' &&
    (place.symbol === null || typeof place.symbol === 'string') &&
    Number.isSafeInteger(place.hop) &&
    typeof place.confidence === 'number';
  return Array.isArray(value) && value.length <= MAX_REACHED && value.every(isPlace);
}
