/** Failures with `--json`: one document on stdout, the exit status as without. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { runCli } from '../../src/cli/program.js';
import { errorSchema } from '../../src/questions/shared-output.js';
import { check } from '../support/check.js';
import { createRepo } from '../support/repositories/repo.js';
import { fakeIo } from './io.js';

async function run(words: readonly string[]): Promise<{ stdout: string; exit: number }> {
  let stdout = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      stdout += chunk;
      done();
    },
  });
  const exit = await runCli(['node', 'git-socraticode', ...words], { ...fakeIo(), stdout: stream });
  return { stdout, exit };
}

test('a failure with --json prints a document with code, message and hint, and exits with 2', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' }, 'first');
  const failures: [code: string, words: string[]][] = [
    ['EMPTY_QUERY', ['search']],
    ['UNKNOWN_REF', ['search', 'a', '--ref', 'nowhere']],
    ['BAD_ARGUMENT', ['search', 'a', '--limt', '2']],
    ['BAD_ARGUMENT', ['search', 'a', '--limit', 'x']],
    ['BAD_ARGUMENT', ['graph', 'symbol', 'nothing']],
    ['BAD_ARGUMENT', ['graph', 'symbl', 'nothing']],
  ];
  for (const [code, words] of failures) {
    const { stdout, exit } = await run([...words, '--json', '-C', repo.dir]);
    assert.equal(exit, 2, words.join(' '));
    const { error } = check(errorSchema, JSON.parse(stdout));
    assert.equal(error.code, code, words.join(' '));
    assert.notEqual(error.message, '');
    assert.notEqual(error.hint, '');
  }
});

test('a failure without --json, or with it among the words, prints no document', async () => {
  const repo = createRepo();
  for (const words of [['search'], ['search', '--', '--json']])
    assert.deepEqual(await run(['-C', repo.dir, ...words]), { stdout: '', exit: 2 });
});
