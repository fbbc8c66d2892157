/** What a named repository gains. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { raiseNamed } from '../../fleet/src/ask/named.js';

test('a chunk of the named repository comes before one that is a little better, and not before one that is far better', () => {
  const chunk = (file: number, score: number) => ({ document: file, file, score, explain: {} });
  const raised = raiseNamed([chunk(0, 4), chunk(1, 2), chunk(2, 1.9)], (file) => file === 2);
  assert.deepEqual(
    raised.map(({ file }) => file),
    [0, 2, 1],
  );
  assert.ok(raised[1].score > 1.9 && raised[1].explain['factor:repository'] > 1);
});
