/**
 * Facts of one snapshot for uses between repositories: names and routes that it publishes, and those that it uses. They
 * are plain data, so that a server can cache those of thousands of repositories. A server compares them by sketches, and
 * matches requests with routes here; `edges.ts` matches names.
 */
import type { RequestCall } from '../../languages/roles/requests.js';
import { ROUTE_CONFIDENCE, type RouteEvidence } from '../tables.js';

/** A package that the repository publishes. */
interface PublishedName {
  ecosystem: string;
  /** Name as lists of dependencies write it. */
  name: string;
  /** Path of its manifest. */
  manifest: string;
}

/** A name that a module of a package exports, and the definition that it stands for. */
export interface ExportedName {
  /** Index into `packages`. */
  package: number;
  /** Specifier of the module, as an import writes it. */
  module: string;
  /** `Flask`, or `Flask.route` for a member of an exported type. */
  name: string;
  path: string;
  /** Qualified name of the definition; null if the name stands for a whole file. */
  symbol: string | null;
  line: number;
  /** True if another module than the imported one defines it. */
  reexported?: true;
  /** Name of the type that a function declares to return. */
  result?: string;
}

export interface DependsOn {
  ecosystem: string;
  name: string;
  version: string;
}

/** Uses of one name of a foreign module in one function, or at the top level of one file. */
export interface UsedName {
  ecosystem: string;
  specifier: string;
  /** Name as the module exports it, with a member after a dot; '' if only the import of the module is known. */
  name: string;
  path: string;
  /** The enclosing symbol; null at top level. */
  symbol: string | null;
  /** Line of the first use, or of the import if the name is not used. */
  line: number;
  /** Number of uses; 0 for the import alone. */
  uses: number;
  /** True if the name before the dot is not written at the use, but inferred from a declared type or a first value. */
  told?: true;
}

/** A route that the repository serves. */
export interface ServedRoute {
  /** Upper case; ANY if it is unknown. */
  method: string;
  /** As written: `/users/:id`. */
  route: string;
  path: string;
  line: number;
  /** File and qualified name of the function that answers; null if it is not known. */
  handler: { path: string; symbol: string | null } | null;
}

/** A call that sends a request. */
export interface ClientCall extends Omit<RequestCall, 'host'> {
  path: string;
  symbol: string | null;
}

export interface LinkedFacts {
  packages: PublishedName[];
  exports: ExportedName[];
  dependencies: DependsOn[];
  uses: UsedName[];
  routes: ServedRoute[];
  calls: ClientCall[];
}

// Sketches: hashes of what a repository uses. They rule out most of thousands of repositories without reading their facts.
// A sketch may say yes for a repository that uses nothing, but never no for one that does.

/** Hashed for a repository with any request at all: a route that ends in a parameter may answer it. */
const ANY_CALL = 'call';

/** Sorted hashes of the modules that a repository imports, and of the last parts of its requests' paths. */
export function sketchOf({ uses, calls }: Pick<LinkedFacts, 'uses' | 'calls'>): Uint32Array {
  const names = new Set(uses.map(({ ecosystem, specifier }) => `module ${ecosystem} ${specifier}`));
  for (const { route } of calls) {
    names.add(ANY_CALL);
    names.add(`call ${partsOf(route).at(-1) ?? ''}`);
  }
  return Uint32Array.from(new Set([...names].map(hashOf))).sort();
}

/** Hashes of which a user of these exports and routes has at least one. */
export function wantedOf({
  packages,
  exports,
  routes,
}: Pick<LinkedFacts, 'packages' | 'exports' | 'routes'>): Set<number> {
  const names = new Set<string>();
  for (const { package: at, module } of exports) {
    const { ecosystem } = packages[at];
    names.add(`module ${ecosystem} ${module}`);
    // `views.View` of `flask` is `View` of `flask.views`: its user may import the module above.
    const above = /^(.+)(?:::|[\\/.])[^\\/.:]*$/.exec(module)?.[1];
    if (above !== undefined) names.add(`module ${ecosystem} ${above}`);
  }
  for (const { route } of routes) {
    const last = partsOf(route).at(-1) ?? '';
    names.add(last === '*' ? ANY_CALL : `call ${last}`);
  }
  return new Set([...names].map(hashOf));
}

export function mayUse(sketch: Uint32Array, wanted: ReadonlySet<number>): boolean {
  return sketch.some((hash) => wanted.has(hash));
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

// Matching: requests of one repository with routes of another. Pure.

/** Method of a route that is asked for by its name, which is its path: `NAME /orders.show`. */
export const NAMED = 'NAME';
/** Confidence lost by a part that is a value at the client and a parameter at the server: `/users/me` may be another route's. */
const VALUE = 0.15;
/** Confidence lost if one side does not state the method. */
const ANY_METHOD = 0.1;
/** Confidence lost if only one written part agrees at the end: `/list`, `/:id/status`. */
const ONE_PART = 0.25;
/** Parts below which whole servers are mounted: they say nothing about a route. */
const MOUNT = /^(?:api|rest|v\d+)$/i;
/** Maximum number of routes that a request may mean. With more, none is taken. */
const MAX_TARGETS = 5;
/** Maximum number of parts of a path. Longer ones are hostile. */
const MAX_PARTS = 30;
const PARAMETER = /^(?:[:*(<]|\[|\{)|\}$|\*$/;

interface RouteEdge {
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

  /** `isCaseless`: some servers do not tell cases of letters apart. Sketches do, so only one repository is compared like this. */
  constructor(
    routes: LinkedFacts['routes'],
    private readonly isCaseless = false,
  ) {
    for (const route of routes) {
      const parts = this.partsOf(route.route);
      // `use` mounts others: it answers nothing itself. A path of parameters alone matches everything.
      if (route.method === 'USE' || parts.length > MAX_PARTS || parts.every((part) => part === '*')) continue;
      const last = parts[parts.length - 1];
      const list = this.byLast.get(last);
      if (list === undefined) this.byLast.set(last, [{ route, parts }]);
      else list.push({ route, parts });
    }
  }

  partsOf(route: string): string[] {
    return partsOf(this.isCaseless ? route.toLowerCase() : route);
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
  const chosen = matchesOf(index, call);
  // One route can be declared several times: for each version, or in each of several programs.
  if (chosen.length > MAX_TARGETS) return [];
  return chosen.map(({ confidence, isBeyond: _, ...match }) => ({
    ...match,
    call,
    confidence: Math.round((confidence / chosen.length) * 100) / 100,
  }));
}

/** `isBeyond`: more than a mount (`/api`) precedes the route in the request. */
type Match = Omit<RouteEdge, 'call'> & { isBeyond: boolean };

/** Routes that fit a request equally well, and better than all others; of those that count, if some do not. */
export function matchesOf(
  index: RouteIndex,
  call: Omit<RequestCall, 'line'>,
  counts: (route: ServedRoute) => boolean = () => true,
): Match[] {
  const parts = index.partsOf(call.route);
  if (parts.length === 0 || parts.length > MAX_PARTS) return [];
  const served = index.candidates(parts[parts.length - 1]).filter(({ route }) => counts(route));
  const matches = served.flatMap((parsed) => matchOf(call, parts, parsed) ?? []);
  const best = Math.max(...matches.map(({ confidence }) => confidence));
  return matches.filter(({ confidence }) => confidence === best);
}

function matchOf(
  call: Omit<RequestCall, 'line'>,
  parts: readonly string[],
  { route, parts: served }: Parsed,
): Match | null {
  if ((call.method === NAMED) !== (route.method === NAMED)) return null;
  const isStated = call.method !== 'ANY' && route.method !== 'ANY';
  if (isStated && call.method !== route.method) return null;
  const shared = Math.min(parts.length, served.length);
  const isLonger = served.length > parts.length;
  if (isLonger && call.below !== true && call.based !== true) return null;
  const compared = compare(parts.slice(parts.length - shared), served.slice(served.length - shared));
  if (compared === null) return null;
  const isWhole = parts.length === served.length;
  const longer = parts.length > shared ? parts : served;
  // A client with a base may also have the name of a tenant in it: `/api/v1/{organization}/carts`.
  const isTenant = (part: string) => part === '*' && call.based === true && longer === served;
  const isMounted = longer.slice(0, longer.length - shared).every((part) => MOUNT.test(part) || isTenant(part));
  if (isLonger && call.below !== true && !isMounted) return null;
  const evidence: RouteEvidence = isWhole ? 'path' : 'end';
  const confidence =
    ROUTE_CONFIDENCE[evidence] -
    (compared.values > 0 ? VALUE : 0) -
    (isStated ? 0 : ANY_METHOD) -
    (!isWhole && compared.written < 2 && !isMounted ? ONE_PART : 0);
  return { evidence, confidence, route, isBeyond: parts.length > shared && !isMounted };
}

/** Counts the parts that both write, and those that are a parameter at the server and a value at the client. Null if they differ. */
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
