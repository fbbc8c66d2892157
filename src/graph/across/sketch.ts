/**
 * Sketches of what repositories use: hashes that tell whether one of thousands can use anything of another, without its facts. A
 * sketch may say yes for one that does not, and never no for one that does.
 */
import type { LinkedFacts } from './facts.js';
import { partsOf } from './routes.js';

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
