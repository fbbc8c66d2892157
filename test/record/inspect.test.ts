/** Notes of every kind that are no records. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectRecord } from '../../src/record/inspect.js';

test('bytes that are no record are a fault in every kind, under the own profile and under others', () => {
  for (const kind of ['syntax', 'vectors', 'compiler'])
    for (const isOwn of [true, false])
      for (const bytes of [[], [0], [...Buffer.from('something else')]]) {
        const found = inspectRecord(kind, Uint8Array.from(bytes), 'a'.repeat(40), isOwn);
        assert.equal(found.ok, false, `${kind} ${isOwn} ${bytes.length}`);
      }
});
