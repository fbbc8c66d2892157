/** The heap against the plain way: looking at every definition for every choice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BestFirst, type Declared } from '../../../../src/questions/graph/outline/map.js';

const worthOf = ({ value }: Declared, before: number) => value / 2 ** before;
const groupOf = ({ file, container }: Declared) => `${file} ${container}`;

/** Definitions of four files, best first; some are members of earlier ones of their file. */
const definitions = fc
  .array(fc.record({ file: fc.nat(3), value: fc.nat(9), member: fc.boolean() }), { maxLength: 40 })
  .map((rows) => {
    const all: Declared[] = [];
    for (const [node, { file, value, member }] of rows.entries()) {
      const type = member ? all.find((each) => each.file === file && each.container < 0) : undefined;
      all.push({ node, file, value, container: type?.node ?? -1 } as Declared);
    }
    return all.sort((a, b) => b.value - a.value);
  });

/** Every second choice is refused, as where there is no room. */
function choose(all: readonly Declared[], next: (state: State) => Declared | undefined): number[] {
  const state: State = { counts: new Map(), shown: new Set(), tried: new Set() };
  const order: number[] = [];
  for (let each = next(state); each !== undefined; each = next(state)) {
    order.push(each.node);
    state.tried.add(each.node);
    if (order.length % 3 !== 0) {
      state.shown.add(each.node);
      state.counts.set(groupOf(each), (state.counts.get(groupOf(each)) ?? 0) + 1);
    }
    state.settle?.(each);
    assert.ok(order.length <= all.length);
  }
  return order;
}

interface State {
  counts: Map<string, number>;
  shown: Set<number>;
  tried: Set<number>;
  settle?: (each: Declared) => void;
}

function plainly(all: readonly Declared[]): number[] {
  return choose(all, ({ counts, shown, tried }) => {
    let best: Declared | undefined;
    let most = 0;
    for (const each of all) {
      if (tried.has(each.node) || (each.container >= 0 && !shown.has(each.container))) continue;
      const worth = worthOf(each, (counts.get(groupOf(each)) ?? 0) + (each.container >= 0 ? 1 : 0));
      if (worth > most) [best, most] = [each, worth];
    }
    return best;
  });
}

function byHeap(all: readonly Declared[]): number[] {
  let heap: BestFirst | undefined;
  return choose(all, (state) => {
    heap ??= new BestFirst(all, worthOf, {
      chosen: (each) => state.counts.get(groupOf(each)) ?? 0,
      isOpen: ({ container }) => container < 0 || state.shown.has(container),
    });
    state.settle = (each) => heap?.settle(each);
    return heap.next();
  });
}

test('the best of what is left, each time, and the first of equals', () => {
  fc.assert(
    fc.property(definitions, (all) => assert.deepEqual(byHeap(all), plainly(all))),
    { numRuns: 300 },
  );
});
