/** Files that moved between two graphs: by their bytes, else by what they define. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedFiles } from '../../../src/graph/compare/correspondence.js';
import { graphOf } from '../build.js';

test('a file that moved is found by what it defines, the most alike first', () => {
  const before = graphOf({
    files: { 'a.ts': ['Cart', 'Cart.total', 'Cart.items'], 'b.ts': ['sum'], 'same.ts': ['x'] },
  });
  const after = graphOf({
    files: { 'lib/c.ts': ['Cart', 'Cart.total', 'Cart.size', 'Cart.items'], 'lib/d.ts': ['other'], 'same.ts': ['x'] },
  });
  // Literal graphs number blobs by path: none of these may be alike by its bytes.
  for (const [i, file] of after.tables.files.entries()) file.oid = `f${i}`.padStart(40, '0');
  assert.deepEqual([...movedFiles(before, after)], [['lib/c.ts', 'a.ts']]);
});

test('a file that moved with its bytes is found whatever it defines, and each file moved once', () => {
  const before = graphOf({ files: { 'empty.ts': [], 'run.ts': ['run'] } });
  const after = graphOf({ files: { 'lib/empty.ts': [], 'lib/one.ts': ['run'], 'lib/two.ts': ['run'] } });
  after.tables.files[0].oid = before.tables.files[0].oid;
  for (const i of [1, 2]) after.tables.files[i].oid = `f${i}`.padStart(40, '0');
  assert.deepEqual(
    [...movedFiles(before, after)],
    [
      ['lib/empty.ts', 'empty.ts'],
      ['lib/one.ts', 'run.ts'],
    ],
  );
});

test('of two copies of a file that is gone one moved, and the other is new', () => {
  const before = graphOf({ files: { 'old.ts': [] } });
  const after = graphOf({ files: { 'lib/one.ts': [], 'lib/two.ts': [] } });
  for (const file of after.tables.files) file.oid = before.tables.files[0].oid;
  assert.deepEqual([...movedFiles(before, after)], [['lib/one.ts', 'old.ts']]);
});

test('a file in another language is no file that moved, whatever it defines', () => {
  const names = ['Cart', 'Cart.total', 'Cart.items'];
  const before = graphOf({ files: { 'cart.py': names } });
  const after = graphOf({ files: { 'cart.rb': names, 'lib/cart.py': names } });
  for (const [i, file] of after.tables.files.entries()) file.oid = `f${i}`.padStart(40, '0');
  assert.deepEqual([...movedFiles(before, after)], [['lib/cart.py', 'cart.py']]);
  const none = graphOf({ files: { 'cart.rb': names } });
  none.tables.files[0].oid = 'f'.repeat(40);
  assert.deepEqual([...movedFiles(before, none)], []);
});
