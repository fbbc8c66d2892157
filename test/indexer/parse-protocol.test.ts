/** What a parser child answers is checked before it is believed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRanges } from '../../src/indexer/parse-protocol.js';

const read = (answer: unknown, size = 10) => readRanges(Buffer.from(JSON.stringify(answer)), size);

test('ranges of comments are those of the text, in order', () => {
  const nested = [
    { start: 0, end: 10 },
    { start: 0, end: 4 },
    { start: 6, end: 8 },
  ];
  assert.deepEqual(read(nested), nested);
  assert.deepEqual(read([]), []);
  const wrong = [
    [{ start: 0, end: 11 }],
    [{ start: 4, end: 2 }],
    [{ start: -1, end: 2 }],
    [{ start: 0.5, end: 2 }],
    [{ start: '0', end: 2 }],
    [nested[2], nested[1]],
    [null],
    [3],
    null,
    { start: 0, end: 1 },
  ];
  for (const answer of wrong) assert.equal(read(answer), null, JSON.stringify(answer));
  assert.equal(readRanges(Buffer.from('[{'), 10), null);
});
