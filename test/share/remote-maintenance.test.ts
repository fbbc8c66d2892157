/** Maintenance of a remote's notes: what is asked for, only where the ref is what was looked at, and never what is needed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeNotes } from '../../src/git/notes.js';
import { CatFileReader } from '../../src/git/objects.js';
import { type NotesSelector, pullNotes, RemoteMemory, trackingRef } from '../../src/share/pull.js';
import { pushNotes } from '../../src/share/push.js';
import { compactRemote, findRemote, removeRemote } from '../../src/share/remote-maintenance.js';
import { cloneRepo, type TestRepo } from '../support/repositories/repo.js';
import {
  blobOf,
  NOTES_REF,
  note,
  noted,
  remoteWith,
  SELECTOR,
  sharedOf,
  texts,
} from '../support/repositories/share.js';

const TAGS_REF = 'refs/notes/socraticode/tags/v1';
const ALL: NotesSelector[] = [SELECTOR, { kind: 'tags', profile: null }];
const push = async (repo: TestRepo) => pushNotes(await sharedOf(repo), 'origin', [SELECTOR]);

async function compact(repo: TestRepo, options: { dryRun?: boolean } = {}) {
  const shared = await sharedOf(repo);
  const objects = new CatFileReader(shared.repository.git);
  try {
    return await compactRemote({ ...shared, objects }, 'origin', [SELECTOR], options);
  } finally {
    objects.close();
  }
}

/** A remote whose notes have a history of two commits, and a record of a branch that is gone. */
async function worn() {
  const { remote, clone } = remoteWith(texts(3));
  const kept = [0, 1, 2].map((i) => blobOf(clone, `f${i}.txt`)).sort();
  await note(clone, kept);
  await push(clone);
  clone.git('checkout', '-q', '-b', 'topic');
  clone.commit({ 'topic.txt': 'topic\n' });
  const gone = blobOf(clone, 'topic.txt');
  clone.git('push', '-q', 'origin', 'topic');
  await note(clone, [gone]);
  await push(clone);
  clone.git('push', '-q', 'origin', ':topic');
  assert.deepEqual(noted(remote), [...kept, gone].sort());
  return { remote, clone, kept, gone };
}

test('compacting a remote keeps what its branches reach in one commit, and the local notes as they are', async () => {
  const { remote, clone, kept, gone } = await worn();
  const before = clone.git('rev-parse', NOTES_REF);
  const [planned] = await compact(clone, { dryRun: true });
  assert.deepEqual([planned.records, planned.commits], [{ kept: 3, dropped: 1 }, 2]);
  assert.equal(noted(remote).length, 4, 'a dry run changes nothing');
  const [done, ...others] = await compact(clone);
  assert.deepEqual([done.ref, done.records, others], [NOTES_REF, { kept: 3, dropped: 1 }, []]);
  assert.deepEqual([noted(remote), remote.git('rev-list', '--count', NOTES_REF)], [kept, '1']);
  assert.deepEqual([noted(clone), clone.git('rev-parse', NOTES_REF)], [[...kept, gone].sort(), before]);
  const [again] = await compact(clone);
  assert.equal(again.changed, false);
  // The compact notes count as united: pulling them brings nothing, and nothing that was dropped is lost here.
  assert.equal((await pullNotes(await sharedOf(clone), 'origin', [SELECTOR])).received, 0);
  assert.equal(remote.fsck(), '');
});

test('a remote that is pushed to at another address than it is fetched from is not compacted', async () => {
  const { remote, clone } = await worn();
  clone.git('config', 'remote.origin.pushurl', cloneRepo(remote).dir);
  await assert.rejects(compact(clone), { code: 'REMOTE_DENIED' });
  assert.equal(noted(remote).length, 4);
});

test('where the remote has commits that are not here, nothing is compacted, and the way out is named', async () => {
  const { remote, clone } = await worn();
  const other = cloneRepo(remote);
  other.commit({ 'theirs.txt': 'theirs\n' });
  // The commit of `main` is here.
  other.git('push', '-q', 'origin', 'HEAD:theirs');
  await assert.rejects(compact(clone), { code: 'BAD_ARGUMENT', hint: 'git fetch origin' });
  assert.equal(noted(remote).length, 4);
  clone.git('fetch', '-q', 'origin');
  assert.equal((await compact(clone))[0].records.dropped, 1);
});

test('a removal finds all profiles or the one that is named, and knowledge only where that is asked for', async () => {
  const { clone } = remoteWith(texts(1));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  clone.git('push', '-q', 'origin', NOTES_REF, `${NOTES_REF}:refs/notes/socraticode/syntax/ba9876543210`);
  clone.git('push', '-q', 'origin', `${NOTES_REF}:${TAGS_REF}`);
  const refs = async (options: Parameters<typeof findRemote>[2] = {}) =>
    (await findRemote(await sharedOf(clone), 'origin', options)).map(({ ref }) => ref).sort();
  const other = 'refs/notes/socraticode/syntax/ba9876543210';
  assert.deepEqual(await refs(), [NOTES_REF, other].sort());
  assert.deepEqual(await refs({ profile: 'ba9876543210' }), [other]);
  assert.deepEqual(await refs({ profile: '0' }), []);
  assert.deepEqual(await refs({ knowledge: true }), [NOTES_REF, TAGS_REF, other].sort());
});

test('a removal takes the remote ref, its tracking ref and the memory of both; records pushed again are united again', async () => {
  const { remote, clone } = remoteWith(texts(2));
  await note(clone, [blobOf(clone, 'f0.txt'), blobOf(clone, 'f1.txt')]);
  await push(clone);
  const commit = remote.git('rev-parse', NOTES_REF);
  const moves = await findRemote(await sharedOf(clone), 'origin');
  const shared = await sharedOf(clone);
  const isUnited = () => new RemoteMemory(shared.repository).isUnited(trackingRef('origin', NOTES_REF), commit);
  assert.equal(isUnited(), true);
  await removeRemote(shared, 'origin', moves);
  assert.equal(isUnited(), false);
  assert.deepEqual([noted(remote), noted(clone).length], [[], 2]);
  assert.doesNotMatch(clone.git('for-each-ref'), /refs\/notes\/remotes/);
  remote.git('update-ref', NOTES_REF, commit);
  clone.git('update-ref', '-d', NOTES_REF);
  assert.equal((await pullNotes(await sharedOf(clone), 'origin', ALL)).received, 2);
});

test('a removal of whose ref the remote says nothing is not taken for done', async () => {
  const { clone } = remoteWith(texts(1));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  await push(clone);
  const [move] = await findRemote(await sharedOf(clone), 'origin');
  // git answers for the full name.
  const short = { ...move, ref: move.ref.replace('refs/', '') };
  await assert.rejects(removeRemote(await sharedOf(clone), 'origin', [short]), { message: /no answer/ });
});

test('a ref that somebody moved meanwhile stays, and a refusal of the remote is told as one', async () => {
  const { remote, clone } = remoteWith(texts(2));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  await push(clone);
  const moves = await findRemote(await sharedOf(clone), 'origin');
  await note(clone, [blobOf(clone, 'f1.txt')]);
  await push(clone);
  await assert.rejects(removeRemote(await sharedOf(clone), 'origin', moves), { code: 'REMOTE_BUSY' });
  assert.equal(noted(remote).length, 2);
  const now = await findRemote(await sharedOf(clone), 'origin');
  writeFileSync(join(remote.dir, 'hooks', 'pre-receive'), '#!/bin/sh\necho not you >&2\nexit 1\n', { mode: 0o755 });
  await assert.rejects(removeRemote(await sharedOf(clone), 'origin', now), { code: 'REMOTE_DENIED' });
  assert.equal(noted(remote).length, 2);
  assert.match(clone.git('for-each-ref'), /refs\/notes\/remotes/);
});

test('entries of knowledge are kept when a remote is compacted, whatever became of their code', async () => {
  const { remote, clone } = remoteWith(texts(1));
  const { repository } = await sharedOf(clone);
  const gone = clone.blob('deleted long ago\n');
  for (const mark of ['a', 'b']) await writeNotes(repository, TAGS_REF, [{ target: gone, note: Buffer.from(mark) }]);
  clone.git('push', '-q', 'origin', TAGS_REF);
  const shared = await sharedOf(clone);
  const objects = new CatFileReader(repository.git);
  const [done] = await compactRemote({ ...shared, objects }, 'origin', [{ kind: 'tags', profile: null }]);
  objects.close();
  assert.deepEqual([done.records, noted(remote, TAGS_REF)], [{ kept: 1, dropped: 0 }, [gone]]);
});
