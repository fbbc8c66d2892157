/** What people and agents wrote, in the answers about the state of a repository. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { given, smallRepo } from '../commands/command.js';
import { cli } from '../support/processes/cli.js';

test('status and doctor tell what is written, and nothing where nothing is', async () => {
  const own = smallRepo();
  const page = async (name: string) => (await cli([name], { cwd: own.dir })).stdout;
  for (const name of ['status', 'doctor']) assert.doesNotMatch(await page(name), /knowledge/);
  await given(own, 'note', 'add', 'src/session.ts:7-10', 'tokens never expire');
  await given(own, 'task', 'create', 'expire', 'tokens', '--share');
  const line = / knowledge +notes: 1 only in this clone; tasks: 1 in 1 operation\n/;
  assert.match(await page('doctor'), line);
  assert.match((await page('status')).replaceAll('\n', '\n '), line);
  assert.doesNotMatch(await page('doctor'), /tasks\/[0-9a-f]{40}/);
});
