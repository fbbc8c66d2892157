/** Names that closures bind mean again, behind the closure, what they meant before it. */
import type { Binding } from '../../languages/roles/relation-facts.js';

/** Offsets of a closure, and the function that contains it. */
interface Closure {
  start: number;
  end: number;
  scope: number;
}

/** Bindings in closures that are looked at: closures in closures in closures are hostile input. */
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
 * The bindings that hold again from the line after a closure on, to be put among the others. On the closure's last line
 * its own hold: `get((r) => r.url)`. Both lists ascend.
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
    const first = firstFrom(lasting, start);
    const count = firstFrom(lasting, end) - first;
    left -= count;
    if (left < 0) break;
    for (const name of localsOf(lasting.slice(first, first + count), scope)) {
      const history = histories.get(keyOf(scope, name)) ?? [];
      let at = firstFrom(history, start) - 1;
      // Names that were bound in a closure are unknown after its end.
      while (at >= 0 && history[at].until < end && left-- > 0) at--;
      if (at < 0 || left <= 0) continue;
      const before = history[at];
      if (lineOf(start) < lineOf(end)) holdLater(history, at + 1, end, lineOf(start));
      const held = { ...before, at: end, binding: { ...before.binding, line: lineOf(end) + 1 } };
      again.push(held);
      history.splice(firstFrom(history, end), 0, held);
    }
  }
  return again;
}

/** `r.get((r) => {`: on the line that a closure of several lines starts on, names mean what they mean outside of it. */
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
    const key = keyOf(placed.binding.scope, placed.binding.name);
    const history = histories.get(key);
    if (history === undefined) histories.set(key, [placed]);
    else history.push(placed);
  }
  return histories;
}

function localsOf(bindings: readonly Placed[], scope: number): Set<string> {
  const own = bindings.filter(({ isLocal, binding }) => isLocal && binding.scope === scope);
  return new Set(own.map(({ binding }) => binding.name));
}

/** Index of the first one at an offset or after it. */
function firstFrom(list: readonly Placed[], offset: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].at < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function keyOf(scope: number, name: string): string {
  return `${scope} ${name}`;
}
