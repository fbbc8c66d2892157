/**
 * Facts of one snapshot that say what other repositories can use of it, and what it uses of others: plain data, so that
 * a server can keep those of thousands of repositories. Beside them what a server does with facts of many: sketches,
 * and requests matched with routes. `edges.ts` matches names.
 */
import { ROUTE_CONFIDENCE, type RouteEvidence } from '../tables.js';

/** A package that the repository publishes. */
interface PublishedName {
  ecosystem: string;
  /** As lists of dependencies write it. */
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
  /** `Flask`; of a member of an exported type `Flask.route`. */
  name: string;
  path: string;
  /** Qualified name of the definition; null where the name stands for a whole file. */
  symbol: string | null;
  line: number;
  /** Another module than the one that is imported defines it. */
  reexported?: true;
  /** Name of the type that it returns, where it is a function and says so. */
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
  /** As the module exports it, with a member after a dot; '' where only the import of the module is known. */
  name: string;
  path: string;
  /** The enclosing symbol; null at top level. */
  symbol: string | null;
  /** First use; of a name that is imported and not used, the import. */
  line: number;
  /** Number of uses; 0 for the import alone. */
  uses: number;
  /** The name before the dot is not written at the use: a declared type or a first value told it. */
  told?: true;
}

/** A route that the repository serves. */
export interface ServedRoute {
  /** Upper case; ANY where it is not told. */
  method: string;
  /** As written: `/users/:id`. */
  route: string;
  path: string;
  line: number;
  /** Qualified name of the function that answers, null if it is not known, and the file of it. */
  handler: { path: string; symbol: string | null } | null;
}

/** A call that sends a request. */
export interface ClientCall {
  /** Upper case; ANY where it is not told. */
  method: string;
  /** Path with `*` for each part that is not written: `/users/*`. Without scheme, host and query. */
  route: string;
  /** A value that is not known stands before the path: it may end in further parts. */
  below?: true;
  /** A client sends it that may be made with a base: a server's path may begin with `/api`, and no more than that. */
  based?: true;
  path: string;
  symbol: string | null;
  line: number;
}

export interface LinkedFacts {
  packages: PublishedName[];
  exports: ExportedName[];
  dependencies: DependsOn[];
  uses: UsedName[];
  routes: ServedRoute[];
  calls: ClientCall[];
}

// Sketches of what repositories use: hashes that tell whether one of thousands can use anything of another, without
// its facts. A sketch may say yes for one that does not, and never no for one that does.

/** Stands for having any request: a route that ends in a parameter answers every one. */
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

// Requests that one repository sends, matched with the routes that another one serves. Pure.

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
  const isStated = call.method !== 'ANY' && route.method !== 'ANY';
  if (isStated && call.method !== route.method) return null;
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
    (isStated ? 0 : ANY_METHOD) -
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
