/** Commands that look after a store: what each reports and changes. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  answerDrop,
  answerFsck,
  answerInit,
  answerMaintain,
  answerRebuild,
  answerStatus,
  answerToken,
} from '../../../fleet/src/answers/store.js';
import { FleetIntake } from '../../../fleet/src/intake.js';
import { openEngine } from '../../../fleet/src/open.js';
import { makeDirectory } from '../../support/repositories/repo.js';
import { commitId, numberedFile, PROFILE, uploadOf, viewOf } from '../made.js';

const asker = { signal: new AbortController().signal } as never;

test('a store is made once, tells what it has, is checked, maintained, made anew, and forgets a repository', async () => {
  const at = pathToFileURL(makeDirectory('fleet')).href;
  const made = await answerInit(asker, { at });
  assert.deepEqual(made, { schemaVersion: 1, at, profile: made.profile, action: 'init', created: true });
  assert.deepEqual((await answerInit(asker, { at })).created, false);
  const profile = { ...PROFILE, id: made.profile };
  const intake = new FleetIntake(await openEngine(at, profile));
  for (const [number, about] of [
    [1, { repo: 'shop' }],
    [1, { repo: 'shop', ref: 'next' }],
    [2, { repo: 'bank' }],
  ] as const) {
    const file = numberedFile(number);
    const view = viewOf([file], { ...about, profile: profile.id });
    await intake.units({ ...view, units: [uploadOf(file)] });
    assert.deepEqual(await intake.view(view), { outcome: 'published' });
  }
  const gone = viewOf([], { repo: 'shop', ref: 'next', profile: profile.id, commit: '', previous: commitId('a') });
  await intake.view(gone);
  await intake.close();

  const status = await answerStatus(asker, { at });
  assert.deepEqual([status.action, status.repositories, status.refs, status.maintainer], ['status', 2, 2, null]);
  assert.deepEqual([status.tables?.unit.rows, status.tables?.record.rows, status.tables?.view.rows], [2, 2, 3]);
  assert.deepEqual(
    [status.tables?.unit.unindexed, status.tables?.record.unindexed, status.tables?.view.unindexed],
    [2, 2, 0],
  );
  assert.ok(Object.values(status.tables ?? {}).every(({ bytes }) => (bytes ?? 0) > 0));
  const { schemaVersion: _, at: __, profile: ___, ...checked } = await answerFsck(asker, { at });
  assert.deepEqual(checked, { action: 'fsck', checked: 2, damaged: [], faults: [] });

  const { maintained } = await answerMaintain(asker, { at, now: true });
  assert.deepEqual([maintained?.orphans, maintained?.optimized], [0, true]);
  // The deleted branch goes once a second has passed.
  const refs = 2 - (maintained?.tombstones ?? 0);
  const after = await answerStatus(asker, { at });
  assert.match(after.maintainer?.holder ?? '', /\S/);
  assert.ok(Date.parse(after.maintainer?.until ?? '') > Date.now());
  assert.deepEqual([after.tables?.unit.unindexed, after.tables?.record.unindexed], [0, 0]);

  const { dropped } = await answerDrop(asker, { at, repo: 'shop' });
  assert.deepEqual(dropped, { repo: 'shop', refs });
  const { rebuilt } = await answerRebuild(asker, { at });
  assert.deepEqual([rebuilt?.copied, rebuilt?.left, rebuilt?.switched], [1, [], true]);
  const last = await answerStatus(asker, { at });
  assert.deepEqual([last.repositories, last.refs, last.tables?.unit.rows], [1, 1, 1]);
});

test('tokens are added for a name, listed with what they may, and revoked; nobody else has one', async () => {
  const tokens = join(makeDirectory('tokens'), 'tokens.json');
  const added = await answerToken(asker, {
    action: 'add',
    tokens,
    name: 'ci',
    read: ['acme/*'],
    publish: ['acme/shop'],
  });
  assert.match(added.token ?? '', /^[0-9a-f]{64}$/);
  const ci = { name: 'ci', read: ['acme/*'], publish: ['acme/shop'] };
  assert.deepEqual([added.action, added.file, added.tokens], ['add', tokens, [ci]]);
  await answerToken(asker, { action: 'add', tokens, name: 'all' });
  const listed = await answerToken(asker, { action: 'list', tokens });
  assert.deepEqual([listed.tokens.length, 'token' in listed], [2, false]);
  await assert.rejects(answerToken(asker, { action: 'add', tokens }), { code: 'BAD_ARGUMENT', message: /added\?$/ });
  await assert.rejects(answerToken(asker, { action: 'revoke', tokens }), {
    code: 'BAD_ARGUMENT',
    message: /revoked\?$/,
  });
  const revoked = await answerToken(asker, { action: 'revoke', tokens, name: 'all' });
  assert.deepEqual(revoked.tokens, [ci]);
});
