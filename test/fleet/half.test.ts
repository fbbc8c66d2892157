/** Numbers of 16 bits, as Arrow stores them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Float16, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { half } from '../../fleet/src/engines/lance/rows.js';

const stored = (value: number) => vectorFromArray([value], new Float16()).get(0) as number;

test('a number of a vector is stored as the nearest of eleven bits, and nothing becomes NaN', () => {
  const component = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(component, (value) => {
      const kept = stored(half(value));
      if (Math.abs(value) < 2 ** -14) return assert.equal(kept, 0);
      assert.ok(Math.abs(kept - value) <= Math.abs(value) * 2 ** -11, `${value} becomes ${kept}`);
    }),
    { examples: [[2 ** -25], [1e-9], [-3e-8], [1 - 2 ** -12], [0.5 - 2 ** -14], [1]] },
  );
});
