/** The refspec that makes a plain `git fetch` bring the notes: added once, removed alone, and seen where a mirror has it already. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pullNotes } from '../../src/share/pull.js';
import { pushNotes } from '../../src/share/push.js';
import { compare, disable, enable, readNotesFetchConfig } from '../../src/share/remote-config.js';
import type { SharedRepository } from '../../src/share/remotes.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { blobOf, NOTES_REF, note, remoteWith, SELECTOR, sharedOf, texts } from '../support/repositories/share.js';

const HEADS = '+refs/heads/*:refs/remotes/origin/*';

function mirrored(...specs: string[]): boolean {
  const config = specs.map((value) => ({ key: 'remote.origin.fetch', value }));
  return readNotesFetchConfig({ config: config as unknown as SharedRepository['config'] }, 'origin').isMirrored;
}

const specs = (repo: TestRepo) => repo.git('config', '--get-all', 'remote.origin.fetch').split('\n').filter(Boolean);

test('a refspec that overwrites the local notes is told from those that do not', () => {
  const own = '+refs/notes/socraticode/*:refs/notes/remotes/origin/socraticode/*';
  for (const spec of [
    '+refs/*:refs/*',
    'refs/notes/*:refs/notes/*',
    '+refs/notes/socraticode/*:refs/notes/socraticode/*',
    '+refs/notes/socraticode/syntax/*:refs/notes/socraticode/syntax/*',
    '+refs/notes/socraticode/syntax/0123456789ab:refs/notes/socraticode/syntax/0123456789ab',
    '+refs/notes/so*:refs/notes/so*',
  ])
    assert.equal(mirrored(HEADS, spec), true, spec);
  for (const spec of [
    HEADS,
    own,
    'refs/notes/commits:refs/notes/commits',
    '+refs/notes/socraticodeX/a:refs/notes/socraticodeX/a',
    'refs/notes/socraticode/syntax/0123456789ab',
    '+refs/notes/socraticode/*:',
    'refs/heads/*:notes/*',
    'refs/heads/*:refs/x/refs/notes/socraticode/*',
    '*:*',
    'refs/heads/x:refs/notes',
  ])
    assert.equal(mirrored(spec), false, spec);
});

test('enabling adds one line, disabling takes away that line alone, and both say whether they did', async () => {
  const repo = createRepo();
  repo.git('remote', 'add', 'origin', 'https://example.invalid/x.git');
  repo.git('config', '--add', 'remote.origin.fetch', '+refs/tags/v*:refs/tags/v*');
  const before = specs(repo);
  assert.equal(await disable(await sharedOf(repo), 'origin'), false);
  assert.equal(await enable(await sharedOf(repo), 'origin'), true);
  const { refspec, enabled } = readNotesFetchConfig(await sharedOf(repo), 'origin');
  assert.deepEqual([specs(repo), enabled], [[...before, refspec], true]);
  assert.equal(await enable(await sharedOf(repo), 'origin'), false);
  assert.equal(await disable(await sharedOf(repo), 'origin'), true);
  assert.deepEqual(specs(repo), before);
  assert.equal(readNotesFetchConfig(await sharedOf(repo), 'origin').enabled, false);
});

test('refs are compared in the order of their names, whichever side has them', async () => {
  const { clone } = remoteWith(texts(1));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  const names = ['syntax/0123456789ab', 'syntax/ffffffffffff', 'vectors/0123456789ab'];
  clone.git('update-ref', `refs/notes/socraticode/${names[2]}`, NOTES_REF);
  clone.git('update-ref', `refs/notes/remotes/origin/socraticode/${names[1]}`, NOTES_REF);
  const every = ['vectors', 'syntax'].map((kind) => ({ kind, profile: null }));
  const compared = await compare(await sharedOf(clone), 'origin', every);
  assert.deepEqual(
    compared.map(({ ref, hasLocal, hasRemote }) => [ref.slice('refs/notes/socraticode/'.length), hasLocal, hasRemote]),
    [
      [names[0], true, false],
      [names[1], false, true],
      [names[2], true, false],
    ],
  );
});

test('ahead and behind count the records of one side alone, for refs of either side', async () => {
  const { clone } = remoteWith(texts(4));
  const oids = [0, 1, 2, 3].map((i) => blobOf(clone, `f${i}.txt`));
  const counted = async () => compare(await sharedOf(clone), 'origin', [SELECTOR]);
  assert.deepEqual(await counted(), []);
  await note(clone, oids.slice(0, 3));
  assert.deepEqual(
    (await counted()).map(({ ahead, behind, hasLocal, hasRemote }) => [ahead, behind, hasLocal, hasRemote]),
    [[3, 0, true, false]],
  );
  await pushNotes(await sharedOf(clone), 'origin', [SELECTOR]);
  await note(clone, oids.slice(3));
  assert.deepEqual(
    (await counted()).map(({ ahead, behind, hasLocal, hasRemote }) => [ahead, behind, hasLocal, hasRemote]),
    [[1, 0, true, true]],
  );
  const [{ ref }] = await counted();
  clone.git('update-ref', '-d', ref);
  assert.deepEqual(await counted(), [{ ref, ahead: 0, behind: 3, hasLocal: false, hasRemote: true }]);
  const { received } = await pullNotes(await sharedOf(clone), 'origin', [SELECTOR]);
  assert.equal(received, 3);
  assert.deepEqual(await counted(), [{ ref, ahead: 0, behind: 0, hasLocal: true, hasRemote: true }]);
});
