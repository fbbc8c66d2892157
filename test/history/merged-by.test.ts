/** Merges that brought commits to a branch. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeptCommit } from '../../src/history/change-log.js';
import { logOf } from '../../src/history/change-log.js';
import { mergesOf } from '../../src/history/merged-by.js';

/** `name: parents`, the oldest first. */
function history(...lines: string[]): Map<string, KeptCommit> {
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
