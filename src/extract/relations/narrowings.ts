/** Locals whose type is known better in a part of a function: `if isinstance(cart, Basket):`. */
import type { Placed } from './closures.js';
import type { Enclosing } from './enclosing.js';
import type { RawNarrowing } from './raw.js';

/** Bindings that hold in such a part, and those that hold again behind it. `found` ascends. */
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
    const key = `${placed.binding.scope} ${placed.binding.name}`;
    const list = locals.get(key);
    if (list === undefined) locals.set(key, [placed]);
    else list.push(placed);
  }
  const narrowed: Placed[] = [];
  for (const { start, end, name, type, value } of [...narrowings].sort((a, b) => a.start - b.start)) {
    const scope = around.function(start);
    const known = locals.get(`${scope} ${name}`) ?? [];
    const next = firstFrom(known, start);
    if (next === 0) continue;
    const before = known[next - 1];
    const again = known[firstFrom(known, start + 1)];
    const isHeldAgain = again !== undefined && again.at < end;
    const binding = { scope, name, type, value, line: lineOf(start) };
    narrowed.push({ at: start, isLocal: true, binding });
    // Behind the last line nothing holds.
    if (!isHeldAgain && lineOf(end + 1) > lineOf(end))
      narrowed.push({ ...before, at: end, binding: { ...before.binding, line: lineOf(end) + 1 } });
  }
  return narrowed;
}

/** Index of the first of ascending places at `from` or behind it. */
function firstFrom(places: readonly Placed[], from: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle].at < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
