/** Patterns that take long: a search can be stopped in the midst of a file, and a file that would take minutes is given up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerGrep, grepText } from '../../../src/questions/grep/answer.js';
import type { GrepValues } from '../../../src/questions/grep/question.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { compilePattern } from '../../../src/search/grep/required-texts.js';
import { grep } from '../../../src/session/grep/grep.js';
import { Session } from '../../../src/session/session.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

test('a search that is no longer wanted ends in the midst of a file', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a\n' });
  repo.write({ 'long.txt': `${'a'.repeat(99)}\n`.repeat(40_000) });
  const session = await Session.open({ directory: repo.dir });
  const stop = new AbortController();
  const pattern = compilePattern({ pattern: '([a\\n]{1,100}){1,9}', multiline: true });
  const find: typeof pattern.find = (text, from) => {
    stop.abort();
    return pattern.find(text, from);
  };
  const options = { path: ['long.txt'], limit: 1, signal: stop.signal };
  await assert.rejects(grep(session, { ...pattern, find, steps: 1 }, options), { name: 'AbortError' });
  // In a thread of its own.
  const late = { ...options, signal: AbortSignal.timeout(300) };
  await assert.rejects(grep(session, { ...pattern, steps: 1_000_000 }, late), { name: 'TimeoutError' });
  session.close();
});

test('a file in which a pattern takes too long is given up by name, in seconds', async () => {
  const other = createRepo();
  // Each character of a random text leads RE2 to a state of its own.
  let state = 1;
  const letters = Array.from({ length: 2_000_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return 'ab'[(state >>> 16) & 1];
  }).join('');
  other.commit({ 'long.txt': `${letters}\n`, 'short.txt': `a${'b'.repeat(500)}c\n` });
  const opened = await Session.open({ directory: other.dir });
  const values = { pattern: 'a[ab]{500}(c|$)', context: 0 } as GrepValues;
  const before = performance.now();
  try {
    const response = await answerGrep(askerOf(opened), values);
    assert.deepEqual([response.total.hits, response.skipped['too-slow'], response.givenUp], [1, 1, ['long.txt']]);
    assert.equal(response.coverage.total - response.coverage.covered, 1);
    const text = grepText(response, { pen: plainPen(COMMAND_WORDS), values, isCommand: true });
    assert.match(text, /^1 file given up, where this pattern takes too long: long\.txt$/m);
  } finally {
    opened.close();
  }
  assert.ok(performance.now() - before < 20_000);
});
