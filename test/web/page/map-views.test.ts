/** Treemaps: areas are the values, and nothing overlaps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { treemap } from '../../../src/web/page/map-views.js';

const within = { x: 0, y: 0, width: 600, height: 400 };

test('areas are in proportion, inside of the whole, and apart', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 40 }), (values) => {
      const sorted = [...values].sort((a, b) => b - a);
      const rects = treemap(
        sorted.map((value) => ({ value })),
        within,
      );
      const total = sorted.reduce((sum, value) => sum + value, 0);
      rects.forEach(({ x, y, width, height }, i) => {
        assert.ok(Math.abs(width * height - (sorted[i] / total) * 240_000) < 1);
        assert.ok(x >= -0.01 && y >= -0.01 && x + width <= 600.01 && y + height <= 400.01);
        for (const other of rects.slice(0, i)) {
          const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
          const along = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
          assert.ok(across < 0.01 || along < 0.01, 'apart');
        }
      });
    }),
  );
});

test('rectangles of like values are nearly square', () => {
  for (const { width, height } of treemap(
    Array.from({ length: 24 }, () => ({ value: 1 })),
    within,
  ))
    assert.ok(Math.max(width / height, height / width) < 2);
});
