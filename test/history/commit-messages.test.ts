/** Pull requests and issues that messages name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentionsIn } from '../../src/history/commit-messages.js';

const told = (subject: string, body = '') => mentionsIn({ subject, body }).map(({ kind, text }) => `${kind} ${text}`);

test('numbers, trailers and addresses are found, each once', () => {
  assert.deepEqual(told('Merge pull request #12 from ann/fix'), ['pull #12']);
  assert.deepEqual(told('Round half up (#123)', 'Closes #98, GH-7\n\nFixes: #98\nSee merge request shop/web!5'), [
    'pull #123',
    'issue #98',
    'unknown GH-7',
    'pull shop/web!5',
  ]);
  assert.deepEqual(
    told(
      'x',
      'https://github.com/a/b/pull/4 and https://gitlab.com/a/b/-/issues/5, https://bugs.example/show_bug.cgi?id=6',
    ),
    [
      'pull https://github.com/a/b/pull/4',
      'issue https://gitlab.com/a/b/-/issues/5',
      'issue https://bugs.example/show_bug.cgi?id=6',
    ],
  );
});

test('words that only look like numbers of issues are none', () => {
  assert.deepEqual(told('color #ff0000a, C#7b, page#12, &#64; 100!7x abc#1'), []);
});

test('a hostile message takes linear time', () => {
  const start = process.cpuUsage();
  for (const text of ['https://'.repeat(2_000), 'a/'.repeat(8_000), '#1'.repeat(8_000), `${'a.'.repeat(8_000)}#`])
    mentionsIn({ subject: text, body: text });
  assert.ok(process.cpuUsage(start).user < 1_000_000);
});
