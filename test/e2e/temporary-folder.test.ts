/** Questions that need a temporary folder, where there is none. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';

test('without a temporary folder the next step is to name one', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const first = 1;\n' });
  repo.git('branch', 'other');
  const gone = join(repo.dir, 'gone');
  const { code, stderr } = await cli(['conflicts'], { cwd: repo.dir, env: { TMPDIR: gone } });
  assert.equal(code, 2);
  assert.match(stderr, /no temporary folder can be made in \S*gone \(ENOENT\)\n {2}Set TMPDIR to a directory/);
});
