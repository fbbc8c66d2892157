/** Removal of records, here and on a remote: it also forgets which of the remote's commits are united. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { localStateDirectory } from '../../../src/git/repository.js';
import { findRemovable, removeAll } from '../../../src/questions/remove/answer.js';
import { uniteFetched } from '../../../src/session/records/bring-records.js';
import { trackingRefspec } from '../../../src/share/pull.js';
import { pushNotes } from '../../../src/share/push.js';
import { findRemote, removeRemote } from '../../../src/share/remote-maintenance.js';
import {
  blobOf,
  NOTES_REF,
  note,
  noted,
  remoteWith,
  SELECTOR,
  sharedOf,
  texts,
} from '../../support/repositories/share.js';

/** A clone that has pushed a record, and remembers that the remote's commit is united. */
async function pushed() {
  const { remote, clone } = remoteWith(texts(1));
  const record = blobOf(clone, 'f0.txt');
  await note(clone, [record]);
  const shared = await sharedOf(clone);
  await pushNotes(shared, 'origin', [SELECTOR]);
  const fetchAndUnite = async () => {
    clone.git('fetch', '-q', 'origin', trackingRefspec('origin'));
    return uniteFetched(shared, [SELECTOR]);
  };
  assert.equal(await fetchAndUnite(), 0);
  return { remote, clone, shared, record, fetchAndUnite };
}

test('records of a profile that was removed here come back with the next fetch', async () => {
  const { clone, shared, record, fetchAndUnite } = await pushed();
  await removeAll(shared.repository, await findRemovable(shared.repository, { profile: SELECTOR.profile ?? '' }));
  assert.equal(clone.git('for-each-ref', 'refs/notes'), '');
  assert.equal(await fetchAndUnite(), 1);
  assert.deepEqual(noted(clone), [record]);
});

test('a commit that was removed from the remote and pushed again is united again', async () => {
  const { remote, clone, shared, record, fetchAndUnite } = await pushed();
  const commit = remote.git('rev-parse', NOTES_REF);
  await removeRemote(shared, 'origin', await findRemote(shared, 'origin'));
  clone.git('update-ref', '-d', NOTES_REF);
  remote.git('update-ref', NOTES_REF, commit);
  assert.equal(await fetchAndUnite(), 1);
  assert.deepEqual(noted(clone), [record]);
});

const OTHER = 'ba9876543210';
const PROFILE = SELECTOR.profile ?? '';

/** A repository with records of two profiles, knowledge, and files of local state: each path has that many bytes. */
async function filled() {
  const { clone } = remoteWith(texts(1));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  const shared = await sharedOf(clone);
  const [commit, state] = [clone.git('rev-parse', NOTES_REF), localStateDirectory(shared.repository)];
  const refs = [
    `refs/notes/socraticode/vectors/${OTHER}`,
    'refs/notes/socraticode/notes/shared',
    `refs/notes/remotes/origin/socraticode/syntax/${PROFILE}`,
  ];
  for (const ref of refs) clone.git('update-ref', ref, commit);
  const files = {
    [`${PROFILE}-0123abcd/shard`]: 10,
    [`${PROFILE}-0123abcd/vectors-${OTHER}-1`]: 20,
    [`${PROFILE}/deep/er`]: 5,
    [`${OTHER}-0123abcd/shard`]: 7,
    [`x${PROFILE}/shard`]: 3,
  };
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(state, path)), { recursive: true });
    writeFileSync(join(state, path), Buffer.alloc(bytes));
  }
  const find = async (what: Parameters<typeof findRemovable>[1]) => {
    const { refs: found, paths } = await findRemovable(shared.repository, what);
    const names = found.map(({ ref }) => ref.replace(/^refs\/notes\//, ''));
    return { refs: names.sort(), paths: paths.map(({ path, bytes }) => [path.slice(state.length + 1), bytes]) };
  };
  return { clone, shared, state, find };
}

test('a ref of ours that is only another name of some ref is found, too', async () => {
  const { clone, shared } = await filled();
  const alias = `refs/notes/socraticode/syntax/${'b'.repeat(12)}`;
  clone.git('symbolic-ref', alias, 'refs/heads/main');
  const { refs } = await findRemovable(shared.repository);
  assert.ok(refs.some(({ ref }) => ref === alias));
});

test('of a profile, its records here and those fetched go, its folders, and its vectors in the folders of others', async () => {
  const { find } = await filled();
  assert.deepEqual(await find({ profile: PROFILE }), {
    refs: [`remotes/origin/socraticode/syntax/${PROFILE}`, `socraticode/syntax/${PROFILE}`],
    paths: [
      [PROFILE, 5],
      [`${PROFILE}-0123abcd`, 30],
    ],
  });
  assert.deepEqual(await find({ profile: OTHER }), {
    refs: [`socraticode/vectors/${OTHER}`],
    paths: [
      [`${OTHER}-0123abcd`, 7],
      [`${PROFILE}-0123abcd/vectors-${OTHER}-1`, 20],
    ],
  });
  assert.deepEqual(await find({ profile: 'ffffffffffff' }), { refs: [], paths: [] });
});

test('without a profile all state goes, and what people wrote only if that is asked for', async () => {
  const { clone, shared, state, find } = await filled();
  const index = await find({});
  assert.deepEqual(index.paths, [['', 45]]);
  assert.ok(!index.refs.includes('socraticode/notes/shared'), index.refs.join());
  assert.ok((await find({ knowledge: true })).refs.includes('socraticode/notes/shared'));
  // A link is removed, not what it leads to.
  const outside = join(clone.dir, 'kept');
  mkdirSync(outside);
  symlinkSync(outside, join(state, 'link'));
  await removeAll(shared.repository, await findRemovable(shared.repository));
  assert.deepEqual([existsSync(state), existsSync(outside)], [false, true]);
  assert.equal(clone.git('for-each-ref', '--format=%(refname)', 'refs/notes'), 'refs/notes/socraticode/notes/shared');
});

test('a ref that moved in the meantime is not removed, nor is anything else', async () => {
  const { clone, shared, state } = await filled();
  const found = await findRemovable(shared.repository, {});
  await note(clone, [blobOf(clone, 'f0.txt')], 'newer');
  await assert.rejects(removeAll(shared.repository, found), { code: /^(?:CONFLICT|GIT_FAILED|LOCKED)$/ });
  assert.ok(existsSync(state));
  assert.equal(clone.git('for-each-ref', 'refs/notes').split('\n').length, 4);
});
