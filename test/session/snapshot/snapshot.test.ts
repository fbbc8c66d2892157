/** Keys of what is kept of all branches together, and the branches of a place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectReader } from '../../../src/git/objects.js';
import { Session } from '../../../src/session/session.js';
import { type AllRefs, branchesWith, readAllRefs } from '../../../src/session/snapshot/snapshot.js';
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

test('each tree is asked once for a place, however many branches have it, and a hundred branches are named', async () => {
  const branches = Array.from({ length: 3_000 }, (_, i) => ({
    name: `b${i}`,
    commit: `c${i}`,
    tree: ['one', 'two', 'three'][i % 3],
  }));
  const all = { branches, leftOut: 0 } as unknown as AllRefs;
  const blobs = new Map([
    ['one:a.ts', 'blob'],
    ['two:a.ts', 'other'],
    ['three:a.ts', 'blob'],
    ['two:b.ts', 'rare'],
  ]);
  const asked: string[] = [];
  const objects = {
    info: async (name: string) => {
      asked.push(name);
      return blobs.has(name) ? { oid: blobs.get(name) } : null;
    },
  } as unknown as ObjectReader;
  const { refs, refsLeftOut } = await branchesWith({ path: 'a.ts', blob: 'blob' }, all, objects);
  assert.deepEqual(asked, ['one:a.ts', 'two:a.ts', 'three:a.ts']);
  assert.deepEqual([refs.length, refsLeftOut], [100, 1_900]);
  assert.deepEqual(refs.slice(0, 4), ['b0', 'b2', 'b3', 'b5']);
  const rare = await branchesWith({ path: 'b.ts', blob: 'rare' }, all, objects);
  assert.deepEqual([rare.refs.slice(0, 2), rare.refsLeftOut], [['b1', 'b4'], 900]);
  const few = { branches: branches.slice(0, 4), leftOut: 0 } as unknown as AllRefs;
  assert.deepEqual(await branchesWith({ path: 'a.ts', blob: 'blob' }, few, objects), { refs: ['b0', 'b2', 'b3'] });
});
