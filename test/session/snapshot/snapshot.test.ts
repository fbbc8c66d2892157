/** Keys of what is kept of all branches together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Session } from '../../../src/session/session.js';
import { readAllRefs } from '../../../src/session/snapshot/snapshot.js';
import { createRepo } from '../../support/repositories/repo.js';

test('what is kept of all branches is of their trees, of HEAD and of the settings: a change of any makes another key', async () => {
  const repo = createRepo();
  const first = repo.commit({ 'a.ts': '1\n' });
  repo.git('branch', 'side');
  const second = repo.commit({ 'a.ts': '2\n' });
  const keys = new Map<string, string>();
  const isNew = async (state: string) => {
    const session = await Session.open({ directory: repo.dir });
    const { origin } = await readAllRefs(session);
    session.close();
    const known = keys.get(origin.key);
    keys.set(origin.key, known ?? state);
    return known ?? true;
  };
  assert.equal(await isNew('as it was'), true);
  assert.equal(await isNew('asked again'), 'as it was');
  repo.git('branch', 'same', second);
  assert.equal(await isNew('a branch of the same tree'), 'as it was');
  repo.commit({ 'a.ts': '3\n' });
  repo.git('branch', '-f', 'same', first);
  assert.equal(await isNew('HEAD moved on, and the other trees are the same'), true);
  repo.git('config', 'socraticode.maxFileBytes', '5000');
  assert.equal(await isNew('other settings'), true);
  repo.git('config', '--unset', 'socraticode.maxFileBytes');
  repo.git('branch', '-f', 'side', second);
  assert.equal(await isNew('another branch moved on'), true);
});
