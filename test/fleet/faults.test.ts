/** Which faults of the store are tried again: those that other processes caused, and no others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCollision } from '../../fleet/src/engines/lance/faults.js';

test('commits of other processes are tried again, damage is not', () => {
  for (const said of [
    'Retryable commit conflict for version 12',
    'Failed to execute merge insert: Too many concurrent writers. Attempted 2 times, but failed on retry_timeout of 30.000 seconds.',
    'This Rewrite transaction was preempted by concurrent transaction',
  ])
    assert.ok(isCollision(new Error(said)), said);
  for (const said of ['file size is too small', 'No space left on device', 'panic in async runtime'])
    assert.ok(!isCollision(new Error(said)), said);
});
