/** Uses of values in places where a condition told more of them: `cart.kind === 'open' && cart.items`. */
import { MAX_ACCESS_PATH_LENGTH } from '../../languages/roles/access-path.js';
import type { RawRelations, RawTold } from './raw.js';

/** Conditions around one use that count. */
const MAX_TOLD = 12;
/** Values that were left out by conditions, of one property. */
const MAX_EXCLUDED_LENGTH = 110;

/** Puts what was told of a value behind its access path wherever that is used. */
export function tellUses(raw: RawRelations): void {
  if (raw.told.length === 0) return;
  const byRoot = new Map<string, RawTold[]>();
  for (const told of raw.told.sort((a, b) => a.start - b.start)) {
    const root = rootOf(told.path);
    const list = byRoot.get(root);
    if (list === undefined) byRoot.set(root, [told]);
    else list.push(told);
  }
  const known = new Ranges(byRoot, raw);
  const uses = [...usesOf(raw.references, 'receiver', byRoot), ...usesOf(raw.bindings, 'value', byRoot)];
  for (const { at, path, set } of uses.sort((a, b) => a.at - b.at)) {
    const told = marked(path, known.around(rootOf(path), at));
    if (told.length <= MAX_ACCESS_PATH_LENGTH) set(told);
  }
}

/** An access path in a fact, and how it is replaced. */
interface Use {
  at: number;
  path: string;
  set: (path: string) => void;
}

/** The access paths under `key` whose root a condition tells something of. */
function usesOf<K extends string>(
  facts: readonly ({ at: number } & Record<K, string>)[],
  key: K,
  byRoot: ReadonlyMap<string, unknown>,
): Use[] {
  return facts
    .filter((fact) => byRoot.has(rootOf(fact[key])))
    .map((fact) => ({ at: fact.at, path: fact[key], set: (path) => Object.assign(fact, { [key]: path }) }));
}

function rootOf(path: string): string {
  return /^[^.()[\]{}]*/.exec(path)?.[0] ?? '';
}

/** The conditions around an offset. Offsets are asked in ascending order. */
class Ranges {
  private readonly open = new Map<string, { next: number; now: RawTold[] }>();
  private readonly bound = new Map<string, number[]>();

  constructor(
    private readonly byRoot: ReadonlyMap<string, readonly RawTold[]>,
    { bindings }: RawRelations,
  ) {
    for (const { name, at, place } of bindings) {
      if (place !== 'local' || !byRoot.has(name)) continue;
      const list = this.bound.get(name);
      if (list === undefined) this.bound.set(name, [at]);
      else list.push(at);
    }
    for (const list of this.bound.values()) list.sort((a, b) => a - b);
  }

  around(root: string, at: number): readonly RawTold[] {
    const all = this.byRoot.get(root) ?? [];
    const state = this.open.get(root) ?? { next: 0, now: [] };
    this.open.set(root, state);
    for (; state.next < all.length && all[state.next].start <= at; state.next++) {
      const told = all[state.next];
      // Another value of the name ends what is known of it.
      const end = Math.min(told.end, this.boundBehind(root, told.start));
      if (end > at && state.now.length < MAX_TOLD) state.now.push({ ...told, end });
    }
    state.now = state.now.filter(({ end }) => end > at);
    return state.now;
  }

  private boundBehind(root: string, from: number): number {
    const list = this.bound.get(root) ?? [];
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] < from) low = middle + 1;
      else high = middle;
    }
    return list[low] ?? Number.POSITIVE_INFINITY;
  }
}

/** `action.meta.id` with marks behind `action`, `action.meta`, or both. */
function marked(path: string, told: readonly RawTold[]): string {
  const marks = new Map<string, string[]>();
  for (const each of told) {
    const next = path[each.path.length];
    if (!path.startsWith(each.path) || (next !== undefined && next !== '.' && next !== '[')) continue;
    const list = marks.get(each.path);
    if (list === undefined) marks.set(each.path, [each.mark]);
    else list.push(each.mark);
  }
  let result = path;
  for (const [inner, list] of [...marks].sort((a, b) => b[0].length - a[0].length))
    result = inner + together(list) + result.slice(inner.length);
  return result;
}

const EXCLUDED = /^\(([\w$]+)!=(.+)\)$/;

/** The marks, each once; those that leave values of one property out are one. */
function together(marks: readonly string[]): string {
  const others = new Set<string>();
  const excluded = new Map<string, string>();
  for (const mark of marks) {
    const match = EXCLUDED.exec(mark);
    if (match === null || /^[*!]$/.test(match[2])) {
      others.add(mark);
      continue;
    }
    const values = new Set([...(excluded.get(match[1])?.split('|') ?? []), ...match[2].split('|')]);
    const all = [...values].join('|');
    if (all.length <= MAX_EXCLUDED_LENGTH) excluded.set(match[1], all);
  }
  return [...[...excluded].map(([key, values]) => `(${key}!=${values})`), ...others].join('');
}
