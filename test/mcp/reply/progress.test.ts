import assert from 'node:assert/strict';
import { test } from 'node:test';
import { throttled } from '../../../src/mcp/reply/progress.js';

test('progress goes forward only, five times a second at most, and its end is never left out', () => {
  const sent: unknown[] = [];
  let now = 0;
  const progress = throttled(
    async (params) => {
      sent.push(params);
    },
    () => now,
  );
  for (const [at, done] of [
    [0, 1],
    [50, 2],
    [199, 3],
    [200, 3],
    [210, 1],
    [420, 5],
    [430, 9],
    [431, 10],
    [700, 10],
  ]) {
    now = at;
    progress(done, 10, 'files');
  }
  assert.deepEqual(
    sent,
    [1, 3, 5, 10].map((done) => ({ progress: done, total: 10, message: 'files' })),
  );
});

test('no progress is reported to a client that has gone', async () => {
  const progress = throttled(() => Promise.reject(new Error('closed')));
  progress(1, null, 'x');
  await new Promise(setImmediate);
});

test('a total that is not known is not sent', () => {
  const sent: unknown[] = [];
  throttled(async (params) => void sent.push(params))(1, null, 'files');
  assert.deepEqual(sent, [{ progress: 1, message: 'files' }]);
});
