/**
 * Names that mean something else in a part of a function: locals of a narrowed type (`if isinstance(cart, Basket):`),
 * values that a condition narrows (`cart.kind === 'open' && cart.items`), and names that a closure binds.
 */
import { addTo, firstFrom } from '../../base/lists.js';
import { MAX_ACCESS_PATH_LENGTH } from '../../languages/roles/access-path.js';
import type { Binding } from '../../languages/roles/relation-facts.js';
import type { RawNarrowing, RawPathNarrowing, RawRelations } from './fact-sink.js';
import type { Enclosing } from './scopes.js';

/** Bindings of narrowed parts, and bindings that apply again behind them. `found` ascends. */
export function narrowedBindings(
  narrowings: readonly RawNarrowing[],
  found: readonly Placed[],
  around: Enclosing,
  lineOf: (at: number) => number,
): Placed[] {
  if (narrowings.length === 0) return [];
  around.rewind();
  const locals = new Map<string, Placed[]>();
  for (const placed of found) {
    if (!placed.isLocal) continue;
    addTo(locals, `${placed.binding.scope} ${placed.binding.name}`, placed);
  }
  const narrowed: Placed[] = [];
  for (const { start, end, name, type, value } of [...narrowings].sort((a, b) => a.start - b.start)) {
    const scope = around.function(start);
    const known = locals.get(`${scope} ${name}`) ?? [];
    const next = firstAt(known, start);
    if (next === 0) continue;
    const before = known[next - 1];
    const again = known[firstAt(known, start + 1)];
    const isHeldAgain = again !== undefined && again.at < end;
    const binding = { scope, name, type, value, line: lineOf(start) };
    narrowed.push({ at: start, isLocal: true, binding });
    // Behind the last line no binding applies.
    if (!isHeldAgain && lineOf(end + 1) > lineOf(end))
      narrowed.push({ ...before, at: end, binding: { ...before.binding, line: lineOf(end) + 1 } });
  }
  return narrowed;
}

/** Index of the first of ascending places that is not before an offset. */
const firstAt = (places: readonly Placed[], from: number): number =>
  firstFrom(places.length, (i) => places[i].at < from);

/** Most conditions around one use that count. */
const MAX_CONDITIONS = 12;
/** Longest list of the values of one property that conditions exclude. */
const MAX_EXCLUDED_LENGTH = 110;

/** Adds the marks of conditions to the access paths of values that they narrow: `cart(kind=open)`. */
export function narrowUses(raw: RawRelations): void {
  if (raw.pathNarrowings.length === 0) return;
  const byRoot = new Map<string, RawPathNarrowing[]>();
  for (const narrowed of raw.pathNarrowings.sort((a, b) => a.start - b.start)) {
    const root = rootOf(narrowed.path);
    addTo(byRoot, root, narrowed);
  }
  const known = new Ranges(byRoot, raw);
  const uses = [...usesOf(raw.references, 'receiver', byRoot), ...usesOf(raw.bindings, 'value', byRoot)];
  for (const { at, path, set } of uses.sort((a, b) => a.at - b.at)) {
    const narrowed = marked(path, known.around(rootOf(path), at));
    if (narrowed.length <= MAX_ACCESS_PATH_LENGTH) set(narrowed);
  }
}

/** An access path in a fact, and how it is replaced. */
interface Use {
  at: number;
  path: string;
  set: (path: string) => void;
}

/** Access paths under `key` whose root some condition narrows. */
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

/** Conditions around an offset. Offsets must ascend. */
class Ranges {
  private readonly open = new Map<string, { next: number; now: RawPathNarrowing[] }>();
  private readonly bound = new Map<string, number[]>();

  constructor(
    private readonly byRoot: ReadonlyMap<string, readonly RawPathNarrowing[]>,
    { bindings }: RawRelations,
  ) {
    for (const { name, at, place } of bindings) {
      if (place !== 'local' || !byRoot.has(name)) continue;
      addTo(this.bound, name, at);
    }
    for (const list of this.bound.values()) list.sort((a, b) => a - b);
  }

  around(root: string, at: number): readonly RawPathNarrowing[] {
    const all = this.byRoot.get(root) ?? [];
    const state = this.open.get(root) ?? { next: 0, now: [] };
    this.open.set(root, state);
    for (; state.next < all.length && all[state.next].start <= at; state.next++) {
      const narrowing = all[state.next];
      // A new value of the name ends the narrowing.
      const end = Math.min(narrowing.end, this.boundBehind(root, narrowing.start));
      if (end > at && state.now.length < MAX_CONDITIONS) state.now.push({ ...narrowing, end });
    }
    state.now = state.now.filter(({ end }) => end > at);
    return state.now;
  }

  private boundBehind(root: string, from: number): number {
    const list = this.bound.get(root) ?? [];
    return list[firstFrom(list.length, (i) => list[i] < from)] ?? Number.POSITIVE_INFINITY;
  }
}

/** `action.meta.id` with marks behind `action`, `action.meta`, or both. */
function marked(path: string, narrowings: readonly RawPathNarrowing[]): string {
  const marks = new Map<string, string[]>();
  for (const each of narrowings) {
    const next = path[each.path.length];
    if (!path.startsWith(each.path) || (next !== undefined && next !== '.' && next !== '[')) continue;
    addTo(marks, each.path, each.mark);
  }
  let result = path;
  for (const [inner, list] of [...marks].sort((a, b) => b[0].length - a[0].length))
    result = inner + together(list) + result.slice(inner.length);
  return result;
}

const EXCLUDED = /^\(([\w$]+)!=(.+)\)$/;

/** Joins marks, each once. Marks that exclude values of one property become one. */
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

// Closures: behind one, the names that it binds mean again what they meant before it.

/** Offsets of a closure, and the function that contains it. */
interface Closure {
  start: number;
  end: number;
  scope: number;
}

/** Most bindings in closures that are looked at: hostile input nests closures without end. */
const MAX_LOOKED_AT = 200_000;

/** A binding, and its place. */
export interface Placed {
  at: number;
  isLocal: boolean;
  binding: Binding;
}

interface Lasting extends Placed {
  /** End of the innermost closure around it. */
  until: number;
}

/**
 * Bindings that apply again from the line after a closure on. On the closure's last line its own apply: `get((r) => r.url)`. Both lists
 * ascend.
 */
export function heldAgain(
  bindings: readonly Placed[],
  closures: readonly Closure[],
  lineOf: (at: number) => number,
): Placed[] {
  if (closures.length === 0) return [];
  const again: Placed[] = [];
  const lasting = withEnds(bindings, closures);
  const histories = historiesOf(lasting);
  let left = MAX_LOOKED_AT;
  for (const { start, end, scope } of closures) {
    const first = firstAt(lasting, start);
    const count = firstAt(lasting, end) - first;
    left -= count;
    if (left < 0) break;
    for (const name of localsOf(lasting.slice(first, first + count), scope)) {
      const history = histories.get(keyOf(scope, name)) ?? [];
      let at = firstAt(history, start) - 1;
      // Bindings of another closure are unknown behind its end.
      while (at >= 0 && history[at].until < end && left-- > 0) at--;
      if (at < 0 || left <= 0) continue;
      const before = history[at];
      if (lineOf(start) < lineOf(end)) holdLater(history, at + 1, end, lineOf(start));
      const held = { ...before, at: end, binding: { ...before.binding, line: lineOf(end) + 1 } };
      again.push(held);
      history.splice(firstAt(history, end), 0, held);
    }
  }
  return again;
}

/** On the line that a closure of several lines starts on, as `r.get((r) => {`, names mean what they mean outside of it. */
function holdLater(history: readonly Lasting[], from: number, end: number, line: number): void {
  for (let i = from; i < history.length && history[i].at < end; i++) {
    const { binding } = history[i];
    if (binding.line === line) binding.line++;
  }
}

function withEnds(bindings: readonly Placed[], closures: readonly Closure[]): Lasting[] {
  const open: number[] = [];
  let next = 0;
  return bindings.map((placed) => {
    for (; next < closures.length && closures[next].start <= placed.at; next++) {
      closeBefore(open, closures[next].start);
      open.push(closures[next].end);
    }
    closeBefore(open, placed.at);
    return { ...placed, until: open[open.length - 1] ?? Number.POSITIVE_INFINITY };
  });
}

function closeBefore(open: number[], at: number): void {
  while (open.length > 0 && open[open.length - 1] <= at) open.pop();
}

function historiesOf(bindings: readonly Lasting[]): Map<string, Lasting[]> {
  const histories = new Map<string, Lasting[]>();
  for (const placed of bindings) {
    if (!placed.isLocal) continue;
    addTo(histories, keyOf(placed.binding.scope, placed.binding.name), placed);
  }
  return histories;
}

function localsOf(bindings: readonly Placed[], scope: number): Set<string> {
  const own = bindings.filter(({ isLocal, binding }) => isLocal && binding.scope === scope);
  return new Set(own.map(({ binding }) => binding.name));
}

function keyOf(scope: number, name: string): string {
  return `${scope} ${name}`;
}
