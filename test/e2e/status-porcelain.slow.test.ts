/** `status --porcelain`: lines that scripts and prompts read, before the first commit, with a detached HEAD and half indexed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';

test('the lines of a repository from its first commit on, as text and as JSON', async () => {
  const repo = createRepo();
  const lines = async (...args: string[]) => {
    const { stdout, code } = await cli(['status', '--porcelain', ...args], { cwd: repo.dir });
    assert.equal(code, 0);
    return stdout.split('\n');
  };
  repo.git('checkout', '-q', '-b', 'topic/one');
  const none = ['index.files 0', 'index.covered 0', 'index.writer 0', ''];
  assert.deepEqual(await lines(), ['branch.oid (initial)', 'branch.head topic/one', ...none]);

  repo.commit({ 'a.ts': 'export const a = 1;\n', 'logo.png': '\0\0' });
  const first = repo.git('rev-parse', 'HEAD').trim();
  assert.equal((await cli(['index'], { cwd: repo.dir })).code, 0);
  repo.commit({ 'b.ts': 'export const b = 1;\n' });
  const second = repo.git('rev-parse', 'HEAD').trim();
  const half = ['index.files 2', 'index.covered 1', 'index.writer 0', ''];
  assert.deepEqual(await lines(), [`branch.oid ${second}`, 'branch.head topic/one', ...half]);
  const before = ['index.files 1', 'index.covered 1', 'index.writer 0', ''];
  assert.deepEqual(await lines('--ref', 'HEAD~1'), [`branch.oid ${first}`, 'branch.head topic/one', ...before]);

  repo.git('checkout', '-q', '--detach');
  assert.equal((await lines())[1], 'branch.head (detached)');
  assert.deepEqual(JSON.parse((await lines('--json')).join('')), {
    ...{ schemaVersion: 1, ref: 'HEAD', commit: second, branch: null },
    ...{ coverage: { covered: 1, total: 2 }, writer: null },
  });
});

test('a list of files is no matter of a few lines', async () => {
  const { code, stderr } = await cli(['status', '--porcelain', '--left-out'], { cwd: createRepo().dir });
  assert.equal(code, 2);
  assert.match(stderr, /--left-out --json/);
});
