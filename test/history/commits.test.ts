/** Pull requests and issues that messages name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CachedCommit, logOf, mentionsIn, mergesOf } from '../../src/history/change-log.js';

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

/** `name: parents`, the oldest first. */
function history(...lines: string[]): Map<string, CachedCommit> {
  return new Map(
    lines.map((line, time) => {
      const [commit, ...parents] = line.split(/:? +/).filter(Boolean);
      const empty = { author: '', email: '', subject: commit, body: '', files: 0, paths: [], renames: [] };
      return [commit.replace(':', ''), { ...empty, commit: commit.replace(':', ''), parents, time, authored: time }];
    }),
  );
}

test('a commit belongs to the first merge on the line of first parents that has it', () => {
  const kept = history('a:', 'b: a', 'x: a', 'y: x', 'm: b y', 'z: y', 'inner: z m', 'n: m inner');
  const log = logOf(kept, { tip: 'n', maxCommits: 100, shallow: new Set() });
  const merges = [...mergesOf(log)].map(([commit, { commit: merge }]) => `${commit} by ${merge}`).sort();
  assert.deepEqual(merges, ['inner by n', 'x by m', 'y by m', 'z by n']);
});
