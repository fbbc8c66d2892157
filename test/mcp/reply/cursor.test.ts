import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSocraticodeError } from '../../../src/base/errors.js';
import { checkCommit, hashQuestion, readCursor, shortCommit, writeCursor } from '../../../src/mcp/reply/cursor.js';

const QUESTION = hashQuestion('codebase_search', { query: 'x' });
const isRefused = (error: unknown) => isSocraticodeError(error, 'BAD_ARGUMENT') && /cursor/.test(error.hint);

test('a cursor comes back as it was written', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom('', '1a2b3c4d5'), (skip, commit) => {
      const cursor = { skip, question: QUESTION, commit };
      assert.deepEqual(readCursor(writeCursor(cursor), QUESTION), cursor);
    }),
  );
});

test('nothing else is a cursor', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), (text) => {
      assert.throws(() => readCursor(text, QUESTION), isRefused);
    }),
  );
  for (const [skip, commit] of [
    ['-1', ''],
    ['1e9', ''],
    ['9999999', ''],
    ['NaN', ''],
    ['1', '../../x'],
    ['1', 'A'.repeat(9)],
  ]) {
    const forged = Buffer.from(`${skip}.${QUESTION}.${commit}`).toString('base64url');
    assert.throws(() => readCursor(forged, QUESTION), isRefused, `${skip} ${commit}`);
  }
});

test('a cursor belongs to one question, whatever the order of arguments, the budget and the cursor', () => {
  const same = hashQuestion('codebase_search', { limit: 5, query: 'x', maxTokens: 900, cursor: 'c', ref: undefined });
  assert.equal(same, hashQuestion('codebase_search', { query: 'x', limit: 5 }));
  const others = [
    hashQuestion('codebase_search', { query: 'y' }),
    hashQuestion('codebase_search', { query: 'x', ref: 'main' }),
    hashQuestion('codebase_history', { query: 'x' }),
  ];
  const cursor = writeCursor({ skip: 5, question: QUESTION, commit: '' });
  for (const other of others) assert.throws(() => readCursor(cursor, other), isRefused);
});

test('a page of another commit than the one before is refused', () => {
  const commit = shortCommit('1a2b3c4d5e6f');
  const cursor = { skip: 1, question: QUESTION, commit };
  checkCommit(cursor, commit);
  assert.throws(() => checkCommit(cursor, 'fffffffff'), isRefused);
});
