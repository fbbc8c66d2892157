/** The fields `exports` and `imports` of a package.json: subpaths, patterns and conditions. */
import { entries, type Json } from '../../roles/json.js';

/** Sources first, then types, then what a bundler would take; conditions that aren't named follow in their own order. */
const CONDITIONS = ['source', 'types', 'import', 'module', 'default', 'require', 'node', 'browser'];
/** Deeper and wider ones aren't written by people. */
const MAX_DEPTH = 8;
const MAX_TARGETS = 50;
const MAX_PATTERNS = 1000;

interface Subpaths {
  exact: Map<string, Json>;
  /** Longest key first. */
  patterns: [key: string, target: Json][];
}

/** Parsed `exports` maps, which are asked again and again, keyed by the parsed manifest's own object. */
const COMPILED = new WeakMap<object, Subpaths>();

/**
 * Paths that `subpath` (`.`, `./deep/x`, or `#x`) may stand for, best first, as written (`./dist/x.js`); null if the map
 * doesn't name it.
 */
export function mappedTargets(map: Json, subpath: string): string[] | null {
  const { exact, patterns } = subpathsOf(map);
  const target = subpath.includes('*') ? undefined : exact.get(subpath);
  if (target !== undefined) return targetsOf(target, '');
  for (const [key, value] of patterns) {
    const rest = restOf(key, subpath);
    if (rest !== null) return targetsOf(value, rest);
  }
  return null;
}

/** A map without subpaths is that of the package itself. */
function subpathsOf(map: Json): Subpaths {
  if (map === null || typeof map !== 'object') return { exact: new Map([['.', map]]), patterns: [] };
  const known = COMPILED.get(map);
  if (known !== undefined) return known;
  const fields = entries(map);
  const subpaths: Subpaths = fields.some(([key]) => key.startsWith('.') || key.startsWith('#'))
    ? {
        exact: new Map(fields),
        patterns: fields
          .filter(([key]) => key.includes('*') || key.endsWith('/'))
          .sort(([a], [b]) => b.length - a.length)
          .slice(0, MAX_PATTERNS),
      }
    : { exact: new Map([['.', map]]), patterns: [] };
  COMPILED.set(map, subpaths);
  return subpaths;
}

/** Text that the `*` of a pattern stands for; folders (`./lib/`) are patterns of old. */
function restOf(pattern: string, subpath: string): string | null {
  const star = pattern.indexOf('*');
  if (star < 0) return subpath.startsWith(pattern) ? subpath.slice(pattern.length) : null;
  const tail = pattern.slice(star + 1);
  const fits =
    subpath.length >= pattern.length - 1 && subpath.startsWith(pattern.slice(0, star)) && subpath.endsWith(tail);
  return fits ? subpath.slice(star, subpath.length - tail.length) : null;
}

function targetsOf(target: Json, rest: string): string[] {
  const found: string[] = [];
  collect(target, rest, found, 0);
  return [...new Set(found)];
}

function collect(target: Json, rest: string, found: string[], depth: number): void {
  if (target === null || depth > MAX_DEPTH || found.length >= MAX_TARGETS) return;
  if (typeof target === 'string') {
    found.push(target.includes('*') ? target.split('*', 8).join(rest) : target.endsWith('/') ? target + rest : target);
  } else if (Array.isArray(target)) {
    for (const item of target.slice(0, MAX_TARGETS)) collect(item, rest, found, depth + 1);
  } else {
    const conditions = entries(target).slice(0, MAX_TARGETS);
    for (const [, value] of conditions.sort(([a], [b]) => rankOf(a) - rankOf(b))) {
      collect(value, rest, found, depth + 1);
    }
  }
}

function rankOf(condition: string): number {
  const rank = CONDITIONS.indexOf(condition);
  return rank < 0 ? CONDITIONS.length : rank;
}
