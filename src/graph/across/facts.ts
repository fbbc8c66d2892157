/**
 * Facts of one snapshot for uses between repositories: names and routes that it publishes, and those that it uses. They
 * are plain data, so that a server can cache those of thousands of repositories. A server compares them by sketches, and
 * matches requests with routes, and names with the definitions that they reach. Pure, so that cached facts will do.
 */
import { addTo, hashOf } from '../../base/lists.js';
import type { RequestCall } from '../../languages/roles/requests.js';
import { LINKED_CONFIDENCE, type LinkedEvidence, ROUTE_CONFIDENCE, type RouteEvidence } from '../tables.js';

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
      addTo(this.byLast, last, { route, parts });
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

/** Routes that fit a request equally well, and better than all others. Routes that `counts` refuses are not compared. */
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

/** Compares two paths from their ends, where either may be the longer one; null if the route cannot answer the request. */
function matchOf(
  call: Omit<RequestCall, 'line'>,
  parts: readonly string[],
  { route, parts: served }: Parsed,
): Match | null {
  if (!fits(call.method, route.method)) return null;
  const shared = Math.min(parts.length, served.length);
  const compared = compare(parts.slice(parts.length - shared), served.slice(served.length - shared));
  if (compared === null) return null;
  const [before, lacking] = [parts.slice(0, parts.length - shared), served.slice(0, served.length - shared)];
  // A client with a base may also have the name of a tenant in it: `/api/v1/{organization}/carts`.
  const isBase = (part: string) => MOUNT.test(part) || (part === '*' && call.based === true);
  const isMounted = before.every((part) => MOUNT.test(part)) && lacking.every(isBase);
  const mayLack = call.below === true || (call.based === true && isMounted);
  if (lacking.length > 0 && !mayLack) return null;
  const isWhole = before.length + lacking.length === 0;
  const evidence: RouteEvidence = isWhole ? 'path' : 'end';
  const doubts: [boolean, number][] = [
    [compared.values > 0, VALUE],
    [call.method === 'ANY' || route.method === 'ANY', ANY_METHOD],
    [!isWhole && compared.written < 2 && !isMounted, ONE_PART],
  ];
  const confidence = doubts.reduce<number>(
    (rest, [applies, cost]) => (applies ? rest - cost : rest),
    ROUTE_CONFIDENCE[evidence],
  );
  return { evidence, confidence, route, isBeyond: before.length > 0 && !isMounted };
}

/** Can a request with one method reach a route with the other? What goes by a name, such as a topic, meets its like alone. */
function fits(asked: string, served: string): boolean {
  if (asked === NAMED || served === NAMED) return asked === served;
  return asked === served || asked === 'ANY' || served === 'ANY';
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

/** Factor for a package that the repository does not list among its dependencies: it may mean another module of that name. */
const UNLISTED = 0.8;

interface PackageEdge {
  evidence: LinkedEvidence;
  confidence: number;
  /** Name of the package, and the used name of it: `Flask.route`, '' for the module. */
  package: string;
  specifier: string;
  name: string;
  /** The use. */
  from: Pick<UsedName, 'path' | 'symbol' | 'line' | 'uses'>;
  /** The definition; null for the module as a whole, and for a name that it does not export. */
  to: Pick<ExportedName, 'path' | 'symbol' | 'line'> | null;
  /** Version that the using repository lists, null if it does not list the package. */
  version: string | null;
}

/** Index of the names of one publisher. Build it once for many users. */
export class ExportIndex {
  private readonly names = new Map<string, ExportedName>();
  private readonly modules = new Map<string, number>();
  /** Names that have members: types. */
  private readonly owners = new Set<string>();

  constructor(readonly facts: Pick<LinkedFacts, 'packages' | 'exports'>) {
    for (const name of facts.exports) {
      const { ecosystem } = facts.packages[name.package];
      const key = `${ecosystem} ${name.module}`;
      this.modules.set(key, name.package);
      if (!this.names.has(`${key}\0${name.name}`)) this.names.set(`${key}\0${name.name}`, name);
      const dot = name.name.lastIndexOf('.');
      if (dot > 0) this.owners.add(`${key}\0${name.name.slice(0, dot)}`);
    }
  }

  find({ ecosystem, specifier }: Pick<UsedName, 'ecosystem' | 'specifier'>, name: string): ExportedName | undefined {
    return this.names.get(`${ecosystem} ${specifier}\0${name}`);
  }

  hasMembers({ ecosystem, specifier }: Pick<UsedName, 'ecosystem' | 'specifier'>, name: string): boolean {
    return this.owners.has(`${ecosystem} ${specifier}\0${name}`);
  }

  /** Index of the package that has the module, -1 for none. */
  packageOf({ ecosystem, specifier }: Pick<UsedName, 'ecosystem' | 'specifier'>): number {
    return this.modules.get(`${ecosystem} ${specifier}`) ?? -1;
  }
}

/** Edges from one repository to what another one publishes, in the order of the uses. */
export function packageEdges(index: ExportIndex, user: Pick<LinkedFacts, 'uses' | 'dependencies'>): PackageEdge[] {
  const versions = versionsOf(user.dependencies);
  return user.uses.flatMap((use) => edgeOf(index, use, versions) ?? []);
}

type Versions = ReadonlyMap<string, ReadonlyMap<string, string>>;

function edgeOf(index: ExportIndex, use: UsedName, versions: Versions): PackageEdge | null {
  const found = targetOf(index, use);
  if (found === null) return null;
  const { name: packageName } = index.facts.packages[found.package];
  const listed = versions.get(use.ecosystem);
  const version = listed?.get(plainName(packageName)) ?? null;
  const isUnlisted = listed !== undefined && version === null;
  const { path, symbol, line, uses } = use;
  return {
    evidence: found.evidence,
    confidence: Math.round(LINKED_CONFIDENCE[found.evidence] * (isUnlisted ? UNLISTED : 1) * 100) / 100,
    ...{ package: packageName, specifier: found.specifier, name: found.name, version },
    from: { path, symbol, line, uses },
    to: found.to,
  };
}

interface Target {
  package: number;
  evidence: LinkedEvidence;
  specifier: string;
  name: string;
  to: PackageEdge['to'];
}

function targetOf(index: ExportIndex, use: UsedName): Target | null {
  for (const { specifier, name } of readings(use)) {
    const at = index.packageOf({ ...use, specifier });
    if (at < 0) continue;
    const module = { package: at, specifier };
    if (name === '') return { ...module, name, evidence: 'module', to: null };
    const exported = index.find({ ...use, specifier }, name);
    if (exported !== undefined) return { ...module, name, evidence: evidenceOf(use, exported), to: placeOf(exported) };
    const [first, member] = name.split('.', 2);
    const owner = index.find({ ...use, specifier }, first);
    if (owner === undefined) continue;
    const given = member === undefined ? undefined : index.find({ ...use, specifier }, `${owner.result}.${member}`);
    if (given !== undefined) return { ...module, name: given.name, evidence: 'result', to: placeOf(given) };
    // A name without members is a function: its result has the member, and the call of it is a use of its own.
    if (use.told && !index.hasMembers({ ...use, specifier }, first)) return null;
    // In `click.Context.obj` the type is certain, whatever the member is.
    return { ...module, name: first, evidence: evidenceOf(use, owner), to: placeOf(owner) };
  }
  const at = index.packageOf(use);
  return at < 0 ? null : { package: at, specifier: use.specifier, evidence: 'module', name: use.name, to: null };
}

/** `flask.views.View` is the name `views.View` of `flask`, and the name `View` of `flask.views`. */
function readings({ specifier, name }: UsedName): { specifier: string; name: string }[] {
  const own = { specifier, name };
  const [first, ...rest] = name.split('.');
  if (first === '') return [own];
  const separator = /::|\\|\//.exec(specifier)?.[0] ?? '.';
  return [own, { specifier: `${specifier}${separator}${first}`, name: rest.join('.') }];
}

function evidenceOf({ told, name }: UsedName, exported: ExportedName): LinkedEvidence {
  if (told) return 'typed';
  return exported.reexported || name.includes('.') ? 'reexported' : 'exported';
}

function placeOf({ path, symbol, line }: ExportedName): PackageEdge['to'] {
  return { path, symbol, line };
}

function versionsOf(dependencies: readonly DependsOn[]): Versions {
  const found = new Map<string, Map<string, string>>();
  for (const { ecosystem, name, version } of dependencies) {
    const names = found.get(ecosystem) ?? new Map<string, string>();
    found.set(ecosystem, names);
    if (!names.get(plainName(name))) names.set(plainName(name), version);
  }
  return found;
}

/** Name in the form in which registries compare names. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

// Uses, in other repositories, of definitions that change.

/** A definition that changes, or that uses one that does. */
export interface ReachedPlace {
  /** 0 for a definition that changes itself. */
  hop: number;
  /** Likelihood that all steps to it are right. */
  confidence: number;
}

interface AcrossUse {
  kind: 'package' | 'route';
  path: string;
  /** The enclosing symbol; null at top level. */
  symbol: string | null;
  line: number;
  /** `flask.Flask.route` as the package calls it, `GET /users/:id` as the server writes it. */
  name: string;
  /** Uses of it in that symbol. */
  uses: number;
  /** Steps from the change: 1 for a use of a definition that changes. */
  hop: number;
  evidence: LinkedEvidence | RouteEvidence;
  confidence: number;
  /** Definition here that it uses: its path and qualified name; null for a whole file. */
  via: { path: string; symbol: string | null };
  /** Version that the using repository lists; null if it lists none, and for routes. */
  version: string | null;
}

export function placeKey({ path, symbol }: { path: string; symbol: string | null }): string {
  return `${path}\0${symbol ?? ''}`;
}

/** The published side of one repository, ready for the facts of any number of users. */
export class Published {
  private readonly names: ExportIndex;
  private readonly routes: RouteIndex;

  constructor(private readonly facts: LinkedFacts) {
    this.names = new ExportIndex(facts);
    this.routes = new RouteIndex(facts.routes);
  }

  /** Uses of reached definitions by one repository, the surest first; `reached` by `placeKey`. */
  usesBy(user: LinkedFacts, reached: ReadonlyMap<string, ReachedPlace>): AcrossUse[] {
    const found = [...this.packageUses(user, reached), ...this.routeUses(user, reached)];
    const order = (a: AcrossUse, b: AcrossUse) =>
      a.hop - b.hop || b.confidence - a.confidence || byText(a.path, b.path) || a.line - b.line;
    return unique(found.sort(order));
  }

  private packageUses(user: LinkedFacts, reached: ReadonlyMap<string, ReachedPlace>): AcrossUse[] {
    const modules = this.reachedModules(reached);
    return packageEdges(this.names, user).flatMap(({ to, from, specifier, name, evidence, confidence, version }) => {
      // A name that the module does not export does not change.
      const via = to ?? (name === '' ? modules.get(specifier)?.via : undefined);
      const place = via === undefined ? undefined : reached.get(placeKey(via));
      if (via === undefined || place === undefined) return [];
      const step = stepAfter(place, confidence);
      const called = name === '' ? specifier : `${specifier}.${name}`;
      const { path, symbol } = via;
      return [{ kind: 'package' as const, ...from, name: called, ...step, evidence, via: { path, symbol }, version }];
    });
  }

  /** Packages that export a reached definition. */
  packagesOf(reached: ReadonlyMap<string, ReachedPlace>): string[] {
    const found = this.facts.exports.filter((name) => reached.has(placeKey(name)));
    return [...new Set(found.map((name) => this.facts.packages[name.package].name))];
  }

  /** A reached definition for each module that exports one. */
  private reachedModules(reached: ReadonlyMap<string, ReachedPlace>) {
    const found = new Map<string, { via: { path: string; symbol: string | null }; hop: number }>();
    for (const { module, path, symbol } of this.facts.exports) {
      const place = reached.get(placeKey({ path, symbol }));
      const known = found.get(module);
      if (place !== undefined && (known === undefined || place.hop < known.hop))
        found.set(module, { via: { path, symbol }, hop: place.hop });
    }
    return found;
  }

  private routeUses(user: LinkedFacts, reached: ReadonlyMap<string, ReachedPlace>): AcrossUse[] {
    return routeEdges(this.routes, user).flatMap(({ call, route, evidence, confidence }) => {
      const { handler } = route;
      const via = handler ?? { path: route.path, symbol: null };
      const place = reached.get(placeKey(via));
      if (place === undefined) return [];
      const { path, symbol, line } = call;
      const name = `${route.method} ${route.route}`;
      const step = stepAfter(place, confidence);
      return [{ kind: 'route' as const, path, symbol, line, uses: 1, name, ...step, evidence, via, version: null }];
    });
  }
}

function stepAfter(place: ReachedPlace, confidence: number): { hop: number; confidence: number } {
  return { hop: place.hop + 1, confidence: Math.round(place.confidence * confidence * 100) / 100 };
}

/** Lists a function that uses a name in two ways once, by the surest way. A mere import counts if nothing else is known. */
function unique(uses: readonly AcrossUse[]): AcrossUse[] {
  const seen = new Set<string>();
  const files = new Set(uses.flatMap(({ path, uses: count }) => (count > 0 ? [path] : [])));
  return uses.filter(({ path, symbol, name, uses: count, confidence }) => {
    const key = `${path}\0${symbol ?? ''}\0${name}`;
    const isWeak = count === 0 && confidence <= LINKED_CONFIDENCE.module && files.has(path);
    if (seen.has(key) || isWeak) return false;
    seen.add(key);
    return true;
  });
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
