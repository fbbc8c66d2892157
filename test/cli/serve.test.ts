/** The end of commands that serve. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aborted } from '../../src/cli/serve.js';

test('a signal ends what serves, also one that came while it started', async () => {
  const ending = new AbortController();
  const ended = [aborted(ending.signal)];
  ending.abort();
  ended.push(aborted(ending.signal));
  assert.deepEqual(await Promise.race([Promise.all(ended), new Promise(setImmediate)]), [undefined, undefined]);
});
