/** Finds uses of one repository's definitions in another one, from the facts of both. Pure: a server calls it with cached facts. */
import { LINKED_CONFIDENCE, type LinkedEvidence, type RouteEvidence } from '../tables.js';
import { type DependsOn, type ExportedName, type LinkedFacts, RouteIndex, routeEdges, type UsedName } from './facts.js';

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
    // Then the result of a function has the member, and the call of that function is a use of its own.
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
      a.hop - b.hop || b.confidence - a.confidence || compare(a.path, b.path) || a.line - b.line;
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
