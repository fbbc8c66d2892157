/** The line that says which commit an answer in a terminal is about. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitLine } from '../../src/cli/commit-line.js';

const COMMIT = '2c8cd3ac9'.padEnd(40, '0');
const answer = (more: object) => ({ commit: COMMIT, coverage: { covered: 1, total: 1 }, overlay: 0, ...more });

test('the ref as it was asked for, its commit, and how many uncommitted files the answer knows', () => {
  assert.equal(commitLine(answer({ ref: 'HEAD' }), 'a.ts:1\n'), 'HEAD is 2c8cd3ac9');
  assert.equal(commitLine(answer({ ref: 'refs/heads/dev' }), ''), 'dev is 2c8cd3ac9');
  assert.equal(commitLine(answer({ ref: 'HEAD', overlay: 1 }), ''), 'HEAD is 2c8cd3ac9; 1 uncommitted file included');
  assert.equal(commitLine(answer({ ref: '2c8cd3ac' }), ''), '2c8cd3ac9');
  assert.equal(commitLine(answer({ ref: 'a\x1b[2J' }), ''), 'a\\x1b[2J is 2c8cd3ac9');
});

test('no line where the text says it, or where an answer is about no commit', () => {
  assert.equal(commitLine(answer({ ref: 'HEAD' }), `HEAD (${COMMIT})`), null);
  assert.equal(commitLine(answer({ ref: 'HEAD', commit: null }), ''), null);
  assert.equal(commitLine({ ref: 'HEAD', commit: COMMIT }, ''), null);
  assert.equal(commitLine({}, ''), null);
});
