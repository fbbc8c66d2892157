/** Hooks that pre-commit offers of this repository name commands and options that exist. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadQuestions } from '../../src/questions/table.js';
import { ROOT } from './root.js';

test('every hook that pre-commit offers runs a command with options of it', async () => {
  const offered = readFileSync(new URL('.pre-commit-hooks.yaml', ROOT), 'utf8');
  const entries = [...offered.matchAll(/^ +entry: (.+)$/gm)];
  assert.equal(entries.length, 2);
  // Debian 12 has pre-commit 3.0.4, which refuses the whole file for a stage named pre-commit.
  assert.doesNotMatch(offered, /^ +stages:/m);
  const questions = await loadQuestions();
  for (const [, entry] of entries) {
    const words = entry.split(' ').slice(1);
    const question = questions.find(({ name }) => words.join(' ').startsWith(name));
    assert.ok(question, entry);
    for (const option of words.filter((word) => word.startsWith('--')))
      assert.ok(option.slice(2).replace(/-(.)/g, (_, letter) => letter.toUpperCase()) in question.params, option);
  }
});
