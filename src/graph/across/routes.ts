/** Matches the requests that one repository sends with the routes that another one serves. Pure, as `edges.ts`. */
import type { ClientCall, LinkedFacts, ServedRoute } from './facts.js';

/** Evidence of a match, strongest first, with its confidence, which was set by hand. docs/linked.md has the matches that were judged. */
export const ROUTE_CONFIDENCE = {
  /** All parts of both paths agree. */
  path: 0.9,
  /** One path ends as the other one: the server may be mounted, or the client's base may lie, below a path that is not known. */
  end: 0.7,
} as const;
export type RouteEvidence = keyof typeof ROUTE_CONFIDENCE;

/** Off for a part that is a value at the client and a parameter at the server: `/users/me` may be another route's. */
const VALUE = 0.15;
/** Off for a method that one side does not tell. */
const ANY_METHOD = 0.1;
/** Off for an end of one written part alone: `/list`, `/:id/status`. */
const ONE_PART = 0.25;
/** Parts below which servers are mounted as a whole: they say nothing about a route. */
const MOUNT = /^(?:api|rest|v\d+)$/i;
/** Routes that one request may mean: of more, nothing is known. */
const MAX_TARGETS = 5;
/** Parts of a path: a longer one is made to be slow. */
const MAX_PARTS = 30;
const PARAMETER = /^(?:[:*(<]|\[|\{)|\}$|\*$/;

export interface RouteEdge {
  evidence: RouteEvidence;
  confidence: number;
  call: ClientCall;
  route: ServedRoute;
}

interface Parsed {
  route: ServedRoute;
  parts: string[];
}

/** Routes of one server by the last part of their path. Build it once for many clients. */
export class RouteIndex {
  private readonly byLast = new Map<string, Parsed[]>();

  constructor(routes: LinkedFacts['routes']) {
    for (const route of routes) {
      const parts = partsOf(route.route);
      // `use` mounts others: it answers nothing itself. A path of parameters alone tells nothing.
      if (route.method === 'USE' || parts.length > MAX_PARTS || parts.every((part) => part === '*')) continue;
      const last = parts[parts.length - 1];
      const list = this.byLast.get(last);
      if (list === undefined) this.byLast.set(last, [{ route, parts }]);
      else list.push({ route, parts });
    }
  }

  candidates(last: string): readonly Parsed[] {
    const named = this.byLast.get(last) ?? [];
    return last === '*' ? named : [...named, ...(this.byLast.get('*') ?? [])];
  }
}

/** Edges from the requests of one repository to the routes of another one, in the order of the requests. */
export function routeEdges(index: RouteIndex, { calls }: Pick<LinkedFacts, 'calls'>): RouteEdge[] {
  return calls.flatMap((call) => edgesOf(index, call));
}

function edgesOf(index: RouteIndex, call: ClientCall): RouteEdge[] {
  const parts = partsOf(call.route);
  if (parts.length === 0 || parts.length > MAX_PARTS) return [];
  const matches = index.candidates(parts[parts.length - 1]).flatMap((parsed) => matchOf(call, parts, parsed) ?? []);
  const best = Math.max(...matches.map(({ confidence }) => confidence));
  const chosen = matches.filter(({ confidence }) => confidence === best);
  // One route can be declared once a version, or in each of several programs.
  if (chosen.length > MAX_TARGETS) return [];
  return chosen.map((edge) => ({ ...edge, confidence: Math.round((edge.confidence / chosen.length) * 100) / 100 }));
}

function matchOf(call: ClientCall, parts: readonly string[], { route, parts: served }: Parsed): RouteEdge | null {
  const isTold = call.method !== 'ANY' && route.method !== 'ANY';
  if (isTold && call.method !== route.method) return null;
  const shared = Math.min(parts.length, served.length);
  const isLonger = served.length > parts.length;
  if (isLonger && call.below !== true && call.based !== true) return null;
  const compared = compare(parts.slice(parts.length - shared), served.slice(served.length - shared));
  if (compared === null) return null;
  const isWhole = parts.length === served.length;
  const longer = parts.length > shared ? parts : served;
  const isMounted = longer.slice(0, longer.length - shared).every((part) => MOUNT.test(part));
  if (isLonger && call.below !== true && !isMounted) return null;
  const evidence: RouteEvidence = isWhole ? 'path' : 'end';
  const confidence =
    ROUTE_CONFIDENCE[evidence] -
    (compared.values > 0 ? VALUE : 0) -
    (isTold ? 0 : ANY_METHOD) -
    (!isWhole && compared.written < 2 && !isMounted ? ONE_PART : 0);
  return { evidence, confidence, call, route };
}

/** Null where they differ: parts that both write, and parts where the server has a parameter and the client a value. */
function compare(client: readonly string[], served: readonly string[]): { written: number; values: number } | null {
  let written = 0;
  let values = 0;
  for (let i = 0; i < client.length; i++) {
    if (client[i] === served[i]) written += client[i] === '*' ? 0 : 1;
    else if (served[i] === '*') values++;
    else return null;
  }
  return written === 0 ? null : { written, values };
}

/** `/users/:id`, `/users/{id}`, `/users/<int:id>` are `users`, `*`. */
export function partsOf(route: string): string[] {
  const parts = route.split('/').filter((part) => part !== '');
  return parts.map((part) => (PARAMETER.test(part) ? '*' : part));
}
