/** Kept commits of a branch: names, the newest stay, races and repeated requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FleetIntake } from '../../fleet/src/intake.js';
import { keptName, keptOf } from '../../fleet/src/keys.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { commitId, PROFILE, viewOf } from './made.js';

test('a kept commit has a name that no branch can have, and tells its branch', () => {
  assert.equal(keptName('release/1', commitId('a')), 'release/1@{aaaaaaaaaaaa}');
  assert.equal(keptOf('release/1@{aaaaaaaaaaaa}'), 'release/1');
  for (const name of ['main', 'a@b', '@{aa}', 'main@{x}']) assert.equal(keptOf(name), null);
});

test('of commits that are published in one second the last ones stay', async () => {
  const intake = new FleetIntake(new MemoryEngine(PROFILE), { now: () => 1_000 });
  for (const digit of ['1', '2', '3', '4', '5']) {
    const previous = digit === '1' ? '' : commitId(`${Number(digit) - 1}`);
    await intake.view(viewOf([], { repo: 'shop', ref: 'main', commit: commitId(digit), previous, keep: 2 }));
  }
  const refs = await intake.refs({ profile: PROFILE.id, repo: 'shop', family: 'shop' });
  assert.deepEqual(
    refs.map(({ ref }) => ref),
    ['main', 'main@{444444444444}', 'main@{555555555555}'],
  );
});

test('the newest stay, whatever is repeated, and only those of the same branch of the same repository', async () => {
  const engine = new MemoryEngine(PROFILE);
  let seconds = 1_000;
  const intake = new FleetIntake(engine, { now: () => seconds * 1_000 });
  const publish = async (repo: string, ref: string, digit: string, previous: string) => {
    seconds++;
    const commits = { commit: commitId(digit), previous: previous && commitId(previous) };
    assert.deepEqual(await intake.view(viewOf([], { repo, ref, ...commits, keep: 2 })), { outcome: 'published' });
  };
  await publish('shop', 'main', '1', '');
  await publish('shop', 'main', '2', '1');
  await publish('shop', 'next', '2', '');
  await publish('bank', 'main', '2', '');
  await publish('shop', 'main', '3', '2');
  const about = { profile: PROFILE.id, repo: 'shop', family: 'shop', ref: 'main' };
  assert.equal(await intake.keep({ ...about, commit: commitId('3'), keep: 2 }), true);
  assert.equal(await intake.keep({ ...about, commit: commitId('2'), keep: 9 }), false, 'another is published');
  const refsOf = async (repo: string) => (await intake.refs({ ...about, repo })).map(({ ref }) => ref);
  assert.deepEqual(await refsOf('shop'), [
    'main',
    'main@{222222222222}',
    'main@{333333333333}',
    'next',
    'next@{222222222222}',
  ]);
  assert.deepEqual(await refsOf('bank'), ['main', 'main@{222222222222}']);
  assert.equal((await intake.refs(about)).filter(({ isDefault }) => isDefault).length, 2, 'kept ones are no default');
  // A branch that goes back to a kept commit makes it the newest again.
  await publish('shop', 'main', '2', '3');
  await publish('shop', 'main', '4', '2');
  assert.deepEqual((await refsOf('shop')).slice(0, 3), ['main', 'main@{222222222222}', 'main@{444444444444}']);
});
