/** Whether an open project is still about the repository that is there. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Lifeline } from '../../src/serve/project.js';
import { Session } from '../../src/session/session.js';
import { createRepo } from '../support/repositories/repo.js';

test('settings and further object stores make it another repository; what git notes of branches does not', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const lifeline = new Lifeline(session);
  assert.equal(await lifeline.check(), 'alive');
  repo.git('config', 'branch.main.remote', 'origin');
  assert.equal(await lifeline.check(), 'alive');
  const lent = join(repo.dir, '.git/objects/info');
  mkdirSync(lent, { recursive: true });
  writeFileSync(join(lent, 'alternates'), `${join(createRepo().dir, '.git/objects')}\n`);
  assert.equal(await lifeline.check(), 'changed');
  assert.equal(await new Lifeline(session).check(), 'alive');
  repo.git('config', 'core.abbrev', '12');
  assert.equal(await new Lifeline(session).check(), 'alive', 'as it is from now on');
});
