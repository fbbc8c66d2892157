/** Finds uses of definitions that change in other repositories. Pure: the caller brings the facts of both sides. */
import { ExportIndex, LINKED_CONFIDENCE, type LinkedEvidence, packageEdges } from './edges.js';
import type { LinkedFacts } from './facts.js';
import { type RouteEvidence, RouteIndex, routeEdges } from './routes.js';

/** A definition that changes, or that uses one that does. */
export interface ReachedPlace {
  /** 0 for what changes itself. */
  hop: number;
  /** The likelihood that all of the steps to it are right. */
  confidence: number;
}

export interface AcrossUse {
  kind: 'package' | 'route';
  path: string;
  /** The enclosing symbol; null at top level. */
  symbol: string | null;
  line: number;
  /** `flask.Flask.route` as the package calls it, `GET /users/:id` as the server writes it. */
  name: string;
  /** Uses of it in that symbol. */
  uses: number;
  /** Steps from what changes: 1 for a use of it. */
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
      // A name that the module does not export is none of what changes.
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

  /** One reached definition for each module that exports one. */
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

/** A function that uses a name in two ways is listed once, by the surest way; a file that only imports it if nothing else is known. */
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
