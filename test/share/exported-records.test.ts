/** `profiles` lists what is there, wherever it lies: notes, remotes' notes, exports in a tree, shards. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeNotes } from '../../src/git/notes.js';
import { CatFileReader } from '../../src/git/objects.js';
import { localStateDirectory } from '../../src/git/repository.js';
import { MAX_PORTABLE_BYTES } from '../../src/record/portable.js';
import { directorySource, listProfiles } from '../../src/share/exported-records.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { NOTES_REF, note, SELECTOR, sharedOf } from '../support/repositories/share.js';

async function listed(repo: TestRepo, tree: string | null = null) {
  const { repository } = await sharedOf(repo);
  const objects = new CatFileReader(repository.git);
  try {
    return await listProfiles(repository, objects, tree);
  } finally {
    objects.close();
  }
}

test('a repository without an index has no profiles', async () => {
  assert.deepEqual(await listed(createRepo()), []);
});

test('notes are counted with their bytes, date and description; a remote is named as such; knowledge is no profile', async () => {
  const repo = createRepo();
  const oids = ['a', 'b'].map((text) => repo.blob(text));
  const { repository } = await sharedOf(repo);
  const entries = oids.map((target) => ({ target, note: Buffer.from(`note ${target}`) }));
  await writeNotes(repository, NOTES_REF, entries, { about: '{"chunker":9}' });
  repo.git('update-ref', `refs/notes/remotes/origin/socraticode/syntax/${SELECTOR.profile}`, NOTES_REF);
  repo.git('update-ref', 'refs/notes/socraticode/tags/v1', NOTES_REF);
  const [profile, ...others] = await listed(repo);
  assert.deepEqual(others, []);
  assert.deepEqual([profile.kind, profile.profile, profile.about], ['syntax', SELECTOR.profile, '{"chunker":9}']);
  const places = profile.places.map(({ where, name, records }) => [where, name, records]);
  assert.deepEqual(places.sort(), [
    ['notes', NOTES_REF, 2],
    ['remote', `refs/notes/remotes/origin/socraticode/syntax/${SELECTOR.profile}`, 2],
  ]);
  const sizes = repo.gitInput(
    `${[...repo.notes(NOTES_REF).values()].join('\n')}\n`,
    'cat-file',
    '--batch-check=%(objectsize:disk)',
  );
  const bytes = sizes.split('\n').reduce((sum, size) => sum + Number(size), 0);
  assert.ok(bytes > 0);
  for (const place of profile.places) {
    assert.equal(place.bytes, bytes);
    assert.match(place.date ?? '', /^\d{4}-\d\d-\d\dT/);
  }
});

test('files of shards count for the profile whose vectors they are, and all others for the syntax', async () => {
  const repo = createRepo();
  const { repository } = await sharedOf(repo);
  const state = localStateDirectory(repository);
  const directory = join(state, SELECTOR.profile as string);
  mkdirSync(directory, { recursive: true });
  mkdirSync(join(state, 'not-a-profile'), { recursive: true });
  writeFileSync(join(state, 'not-a-profile', 'x.bin'), 'xxxx');
  const owner = 'feedfacecafe';
  writeFileSync(join(directory, 'lexical.bin'), '12345');
  writeFileSync(join(directory, 'graph.bin'), '12');
  symlinkSync('nowhere', join(directory, 'link.bin'));
  writeFileSync(join(directory, `vectors-${owner}-0123456789abcdef.bin`), '1234567');
  writeFileSync(join(directory, `vectors-${owner}-fedcba9876543210.hnsw`), '123');
  const found = (await listed(repo)).map(({ kind, profile, places }) => ({ kind, profile, places }));
  const place = { where: 'shards', name: directory, records: null, date: null };
  assert.deepEqual(found, [
    { kind: 'syntax', profile: SELECTOR.profile, places: [{ ...place, bytes: 7 }] },
    { kind: 'vectors', profile: owner, places: [{ ...place, bytes: 10 }] },
  ]);
});

test('profiles stand in the order of kinds and names, each with the first description that was found', async () => {
  const repo = createRepo();
  const { repository } = await sharedOf(repo);
  const target = repo.blob('a');
  const refs = ['vectors/0123', 'syntax/ffff', 'syntax/0123'].map((name) => `refs/notes/socraticode/${name}`);
  for (const ref of refs)
    await writeNotes(repository, ref, [{ target, note: Buffer.from('n') }], { about: `{"of":"${ref.slice(-4)}"}` });
  const tracked = 'refs/notes/remotes/origin/socraticode/syntax/0123';
  await writeNotes(repository, tracked, [{ target, note: Buffer.from('n') }], { about: '{"of":"origin"}' });
  const found = await listed(repo);
  assert.deepEqual(
    found.map(({ kind, profile, about, places }) => [kind, profile, about, places.map(({ where }) => where)]),
    [
      ['syntax', '0123', '{"of":"origin"}', ['remote', 'notes']],
      ['syntax', 'ffff', '{"of":"ffff"}', ['notes']],
      ['vectors', '0123', '{"of":"0123"}', ['notes']],
    ],
  );
});

test('an export in the tree is listed with the bytes of its files, and none where the tree has none', async () => {
  const repo = createRepo();
  repo.commit({
    [`.socraticode/syntax/${SELECTOR.profile}/0.cbor`]: '12345',
    [`.socraticode/syntax/${SELECTOR.profile}/1.cbor`]: '123',
    [`.socraticode/syntax/${SELECTOR.profile}/README.md`]: 'not counted',
    '.socraticode/other/0123/0.cbor': 'of no kind',
  });
  await note(repo, [repo.blob('a')]);
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  const [profile, ...others] = await listed(repo, tree);
  assert.deepEqual(others, []);
  const exported = profile.places.find(({ where }) => where === 'tree');
  assert.deepEqual([exported?.bytes, exported?.records, exported?.date], [8, null, null]);
  assert.equal(exported?.name, `${tree.slice(0, 12)}:.socraticode/syntax/${SELECTOR.profile}`);
  // A branch of this name is no tree that was asked for.
  repo.git('branch', 'null');
  const without = (await listed(repo)).flatMap(({ places }) => places.map(({ where }) => where));
  assert.deepEqual(without, ['notes']);
});

test('folders of no profile push out none of the 100 profiles of an export in a tree', async () => {
  const repo = createRepo();
  const others = Array.from({ length: 110 }, (_, i) => `.socraticode/other/${i.toString(16).padStart(4, '0')}/0.cbor`);
  const own = `.socraticode/syntax/${SELECTOR.profile}/0.cbor`;
  repo.commit(Object.fromEntries([...others, own].map((path) => [path, 'x'])));
  const found = await listed(repo, repo.git('rev-parse', 'HEAD^{tree}'));
  assert.deepEqual(
    found.map(({ kind, profile }) => [kind, profile]),
    [['syntax', SELECTOR.profile]],
  );
});

test('a file that is too large is refused alone, wherever it is in the order', async () => {
  const directory = makeDirectory('export');
  const recordSet = { kind: 'syntax', profile: SELECTOR.profile as string };
  const folder = join(directory, recordSet.kind, recordSet.profile);
  mkdirSync(folder, { recursive: true });
  for (const digit of ['0', '1', '2']) writeFileSync(join(folder, `${digit}.cbor`), digit);
  truncateSync(join(folder, '1.cbor'), MAX_PORTABLE_BYTES + 1);
  const { files, refused } = await directorySource(directory).files(recordSet);
  assert.deepEqual([files.map(({ name }) => name), refused], [['0.cbor', '2.cbor'], 1]);
});

test('a directory of exports is read up to 100 profiles, and a profile up to a GiB or as many files as there are names', async () => {
  const directory = makeDirectory('export');
  const profiles = Array.from({ length: 101 }, (_, i) => i.toString(16).padStart(4, '0'));
  for (const profile of profiles) mkdirSync(join(directory, 'syntax', profile), { recursive: true });
  const source = directorySource(directory);
  assert.deepEqual(
    (await source.recordSets()).map(({ profile }) => profile),
    profiles.slice(0, 100),
  );
  const folder = join(directory, 'syntax', profiles[0]);
  // Sparse files: they take no space.
  const names = Array.from({ length: 34 }, (_, i) => `${(i + 16).toString(16)}.cbor`);
  for (const [i, name] of names.entries()) {
    writeFileSync(join(folder, name), '');
    truncateSync(join(folder, name), i < 32 ? MAX_PORTABLE_BYTES : 33 - i);
  }
  const { files, refused } = await source.files({ kind: 'syntax', profile: profiles[0] });
  // The last one is empty, so it fits.
  assert.deepEqual([files.map(({ name }) => name), refused], [names.filter((_, i) => i !== 32), 1]);
});
