/** Answers of a parser process: as many as jobs, in their order, whatever one of them does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerAll } from '../../src/indexer/parser-answers.js';
import type { ParseJob } from '../../src/indexer/parser-pool.js';

test('a job that fails is answered with its error, and the others as ever', async () => {
  const job = (bytes: Buffer | null, more: Partial<ParseJob> = {}) =>
    ({ oid: '1'.repeat(40), language: 'typescript', bytes, ...more }) as ParseJob;
  const text = Buffer.from('// one\nexport const a = 1; // two\n');
  const answers = await answerAll([job(text), job(null), job(text, { comments: true })]);
  assert.deepEqual(
    answers.map((answer) => ('error' in answer ? 'error' : 'record')),
    ['record', 'error', 'record'],
  );
  const [, , comments] = answers;
  assert.equal('record' in comments && JSON.parse(Buffer.from(comments.record).toString('utf8')).length, 2);
});
