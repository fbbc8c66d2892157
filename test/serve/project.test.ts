/** Whether an open project is still about the repository that is there, and how long a question waits for its files. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Lifeline, waitForFiles } from '../../src/serve/project.js';
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

test('thousands of missing files are waited for only until the first stand, fewer until all do, and no failure is hidden', async () => {
  const never = new Promise<void>(() => {});
  const how = { spent: 3_000, isBlocked: () => false };
  let [asked, stands] = [0, 3];
  const hasFiles = () => ++asked >= stands;
  await waitForFiles(never, { isLarge: true, hasFiles }, how);
  assert.equal(asked, 3, 'nothing stood at first');
  [asked, stands] = [0, 1];
  let end = () => {};
  const indexed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const waiting = waitForFiles(indexed, { hasFiles }, how);
  end();
  await waiting;
  assert.equal(asked, 0, 'all of a smaller snapshot was there');
  await waitForFiles(never, { hasFiles: () => false }, { ...how, spent: 13_000 });
  await waitForFiles(never, { hasFiles: () => false }, { spent: 5_000, isBlocked: () => true });
  await assert.rejects(waitForFiles(Promise.reject(new Error('full')), { isLarge: true, hasFiles }, how), /full/);
});
