/** Pushing: records of what the remote has, nothing else, and nobody's are lost. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { listNotes, writeNotes } from '../../src/git/notes.js';
import { operationAfter, TASKS } from '../../src/knowledge/codecs.js';
import { encodeEntry, MAX_ENTRY_BYTES } from '../../src/knowledge/entry.js';
import { pushText } from '../../src/questions/share/answer.js';
import { pullNotes } from '../../src/share/pull.js';
import { type Pushed, pushNotes, revealedByNotes } from '../../src/share/push.js';
import { findRemote } from '../../src/share/remote-maintenance.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';
import {
  blobOf,
  everything,
  NOTES_REF,
  note,
  noted,
  remoteWith,
  SELECTOR,
  sharedOf,
  texts,
} from '../support/repositories/share.js';

const VECTORS_REF = NOTES_REF.replace('syntax', 'vectors');
const push = async (repo: TestRepo, name = 'origin'): Promise<Pushed> =>
  pushNotes(await sharedOf(repo), name, [SELECTOR]);
const pull = async (repo: TestRepo, name = 'origin') => pullNotes(await sharedOf(repo), name, [SELECTOR]);

test('records of a private branch are not pushed, not even in the history of the notes', async () => {
  const { remote, clone } = remoteWith(texts(3));
  const shared = [0, 1, 2].map((i) => blobOf(clone, `f${i}.txt`));
  clone.git('checkout', '-q', '-b', 'private');
  clone.commit({ 'secret.txt': 'nobody may see this\n' });
  const secret = blobOf(clone, 'secret.txt');
  const staged = clone.blob('never committed at all\n');
  await note(clone, [secret, staged], 'private');
  await note(clone, shared);
  const first = await push(clone);
  const bytes = shared.reduce((sum, oid) => sum + `note ${oid} `.length, 0);
  assert.deepEqual(first, {
    refs: [{ ref: NOTES_REF, records: 3 }],
    ...{ sent: 3, bytes, withheld: 2, unseen: 0, received: 0, attempts: 1 },
  });
  assert.deepEqual(noted(remote), [...shared].sort());
  // The remote's own note of the ref is not ours, so the history that holds the private records stayed here.
  assert.equal(everything(remote).includes('private'), false);
  assert.equal(everything(remote).includes(secret), false);
  assert.match(everything(clone), /note [0-9a-f]+ private/);
  const again = await push(clone);
  assert.deepEqual([again.sent, again.withheld, again.refs], [0, 2, []]);
  // What is withheld under two refs is one thing.
  clone.git('update-ref', VECTORS_REF, NOTES_REF);
  const both = await pushNotes(await sharedOf(clone), 'origin', [SELECTOR, { ...SELECTOR, kind: 'vectors' }]);
  assert.deepEqual([both.refs, both.withheld], [[{ ref: VECTORS_REF, records: 3 }], 2]);
  assert.equal(everything(remote).includes(secret), false);
  // Published, it is no secret any more; a tag alone is enough.
  clone.git('tag', '-a', '-m', 'v1', 'v1');
  clone.git('push', '-q', 'origin', 'v1');
  assert.deepEqual([(await push(clone)).sent, noted(remote).includes(secret)], [1, true]);
  assert.equal(remote.fsck(), '');
});

test('a dry run counts what a push would send, and leaves the remote and the local notes as they are', async () => {
  const { remote, clone } = remoteWith(texts(2));
  clone.git('checkout', '-q', '-b', 'private');
  clone.commit({ 'secret.txt': 'nobody may see this\n' });
  await note(clone, [blobOf(clone, 'f0.txt'), blobOf(clone, 'f1.txt'), blobOf(clone, 'secret.txt')]);
  const before = [remote.git('for-each-ref'), clone.git('for-each-ref')];
  const would = await pushNotes(await sharedOf(clone), 'origin', [SELECTOR], { dryRun: true });
  assert.deepEqual([would.sent, would.withheld], [2, 1]);
  assert.deepEqual([remote.git('for-each-ref'), clone.git('for-each-ref')], before);
  assert.deepEqual(await push(clone), would);
  assert.deepEqual((await pushNotes(await sharedOf(clone), 'origin', [SELECTOR], { dryRun: true })).sent, 0);
});

test('a push asks the remote for its branches and tags, and ignores stale tracking refs and its other refs', async () => {
  const { remote, clone } = remoteWith(texts(1));
  clone.git('checkout', '-q', '-b', 'topic');
  clone.commit({ 'topic.txt': 'topic\n' });
  clone.git('push', '-q', 'origin', 'topic', 'topic:refs/pull/1/head');
  remote.git('update-ref', '-d', 'refs/heads/topic');
  assert.match(clone.git('for-each-ref'), /refs\/remotes\/origin\/topic/);
  await note(clone, [blobOf(clone, 'topic.txt')]);
  assert.deepEqual([(await push(clone)).sent, noted(remote)], [0, []]);
});

test('where somebody else moved a branch, a push says that it cannot tell, and sends the rest after a fetch', async () => {
  const { remote, clone } = remoteWith(texts(1));
  clone.commit({ 'mine.txt': 'mine\n' });
  clone.git('push', '-q', 'origin', 'main');
  const teammate = cloneRepo(remote);
  teammate.commit({ 'theirs.txt': 'theirs\n' });
  teammate.git('push', '-q', 'origin', 'main');
  await note(clone, [blobOf(clone, 'mine.txt')]);
  const blind = await push(clone);
  assert.deepEqual([blind.sent, blind.withheld, blind.unseen], [0, 1, 1]);
  assert.equal(
    pushText({ remote: 'origin', status: 'up-to-date', ...blind }),
    'origin: nothing sent; 1 withheld, as no known branch or tag of origin has what it is about; this clone lacks 1 of its branches and tags: git fetch origin, then push again\n',
  );
  clone.git('fetch', '-q', 'origin');
  const seeing = await push(clone);
  assert.deepEqual([seeing.sent, seeing.withheld, seeing.unseen], [1, 0, 0]);
  // Where nothing is withheld, it does not matter which branches are not here.
  teammate.commit({ 'more.txt': 'more\n' });
  teammate.git('push', '-q', 'origin', 'HEAD:more');
  const { sent, withheld, unseen } = await push(clone);
  assert.deepEqual([sent, withheld, unseen], [0, 0, 0]);
});

test('a push counts the records that it fetched first', async () => {
  const { remote, clone } = remoteWith(texts(3));
  const other = cloneRepo(remote);
  await note(other, [blobOf(other, 'f0.txt'), blobOf(other, 'f1.txt')]);
  await push(other);
  await note(clone, [blobOf(clone, 'f2.txt')]);
  const { sent, received } = await push(clone);
  assert.deepEqual([sent, received], [1, 2]);
});

test('records of blobs in earlier commits of the remote are pushed too', async () => {
  const { remote, clone } = remoteWith({ 'a.txt': 'first\n' });
  const old = blobOf(clone, 'a.txt');
  clone.commit({ 'a.txt': 'second\n' });
  clone.git('push', '-q', 'origin', 'main');
  await note(clone, [old]);
  await push(clone);
  assert.deepEqual(noted(remote), [old]);
});

test('records pulled from one remote are pushed to another if it has their blobs', async () => {
  const { remote: first, clone } = remoteWith(texts(2));
  const second = createRepo({ bare: true });
  clone.git('remote', 'add', 'second', `file://${second.dir}`);
  clone.git('push', '-q', 'second', 'main');
  clone.commit({ 'more.txt': 'more\n' });
  clone.git('push', '-q', 'origin', 'main');
  const other = cloneRepo(first);
  await note(other, [blobOf(other, 'f0.txt'), blobOf(other, 'more.txt')]);
  await push(other);
  await pull(clone);
  const pushed = await push(clone, 'second');
  assert.deepEqual([pushed.sent, pushed.withheld], [1, 1]);
  assert.deepEqual(noted(second), [blobOf(clone, 'f0.txt')]);
});

test('of two different records of one blob, every side ends up with the smaller one', async () => {
  const { remote, clone } = remoteWith(texts(1));
  const other = cloneRepo(remote);
  const blob = blobOf(clone, 'f0.txt');
  await note(clone, [blob], 'mine');
  await note(other, [blob], 'theirs');
  await push(clone);
  await push(other);
  await pull(clone);
  const tree = (repo: TestRepo) => repo.git('rev-parse', `${NOTES_REF}^{tree}`);
  assert.deepEqual([tree(clone), tree(other)], [tree(remote), tree(remote)]);
});

test('a push that the remote refuses throws REMOTE_DENIED and leaves the local notes unchanged', async () => {
  const { remote, clone } = remoteWith(texts(1));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  writeFileSync(join(remote.dir, 'hooks', 'pre-receive'), '#!/bin/sh\necho no notes please >&2\nexit 1\n', {
    mode: 0o755,
  });
  const before = clone.git('rev-parse', NOTES_REF);
  await assert.rejects(push(clone), (error) => isSocraticodeError(error, 'REMOTE_DENIED'));
  assert.equal(clone.git('rev-parse', NOTES_REF), before);
  assert.deepEqual(noted(remote), []);
});

test('a push to a remote with a lock that stays, or a ref in the way, ends after few attempts', async () => {
  const { remote, clone } = remoteWith(texts(1));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  const lock = join(remote.dir, `${NOTES_REF}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, '');
  await assert.rejects(push(clone), (error) => {
    assert.ok(isSocraticodeError(error, 'REMOTE_BUSY'));
    assert.match(error.message, /^origin takes nothing and stays as it is/);
    return true;
  });
  rmSync(lock);
  remote.git('update-ref', `${NOTES_REF}/in/the/way`, 'main');
  await assert.rejects(push(clone), { code: 'GIT_FAILED', message: /refused the push.*in\/the\/way' exists/ });
  remote.git('update-ref', '-d', `${NOTES_REF}/in/the/way`);
  assert.equal((await push(clone)).sent, 1);
});

test('a push runs no hooks of the clone', async () => {
  const { remote, clone } = remoteWith(texts(1));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  writeFileSync(join(clone.commonDir, 'hooks', 'pre-push'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  assert.equal((await push(clone)).sent, 1);
  assert.equal(noted(remote).length, 1);
});

test("a push is refused if the remote's push address differs from its fetch address", async () => {
  const { remote, clone } = remoteWith(texts(1));
  const other = createRepo({ bare: true });
  await note(clone, [blobOf(clone, 'f0.txt')]);
  const settings: [key: string, value: string][] = [
    ['remote.origin.pushurl', other.dir],
    ['remote.origin.url', other.dir],
    [`url.${other.dir}.pushInsteadOf`, `file://${remote.dir}`],
  ];
  for (const [key, value] of settings) {
    clone.git('config', '--add', key, value);
    await assert.rejects(
      push(clone),
      (error) => isSocraticodeError(error, 'REMOTE_DENIED') && (error.hint ?? '').includes('git remote add index'),
    );
    const shared = await sharedOf(clone);
    await assert.rejects(pushNotes(shared, 'origin', [SELECTOR], { dryRun: true }), { code: 'REMOTE_DENIED' });
    await assert.rejects(findRemote(shared, 'origin'), (error) => isSocraticodeError(error, 'REMOTE_DENIED'));
    assert.deepEqual([other.git('for-each-ref'), noted(remote)], ['', []], key);
    clone.git('config', '--unset', key, value);
  }
  clone.git('config', 'remote.origin.pushurl', `file://${remote.dir}`);
  assert.equal((await push(clone)).sent, 1);
});

test('a profile description from one remote is sent to another only if it is proven', async () => {
  const { clone } = remoteWith(texts(1));
  const { repository } = await sharedOf(clone);
  const about = '{"chunker":9,"told":"in confidence"}';
  const entry = { target: blobOf(clone, 'f0.txt'), note: Buffer.from('n') };
  await writeNotes(repository, NOTES_REF, [entry], { about });
  for (const [name, describe] of [
    ['deaf', undefined],
    ['told', (profile: string) => (profile === SELECTOR.profile ? '{"chunker":9}' : null)],
  ] as const) {
    const other = createRepo({ bare: true });
    clone.git('remote', 'add', name, other.dir);
    clone.git('push', '-q', name, 'main');
    await pushNotes(await sharedOf(clone), name, [SELECTOR], { describe });
    assert.equal(everything(other).includes('in confidence'), false);
    assert.equal(everything(other).includes('{"chunker":9}'), describe !== undefined);
  }
});

const TASKS_REF = 'refs/notes/socraticode/tasks/v1';
const CLAIM = { author: { name: 'a', email: '', by: 'person' as const }, time: 1_700_000_000 };

test('each entry tells what it names; one that is damaged, too large or gone tells nothing', async () => {
  const repo = createRepo();
  const { repository } = await sharedOf(repo);
  const commit = '5'.repeat(40);
  const entries = ['one', 'two', 'three', 'four'].map((title) => {
    const links = [
      { kind: 'branch' as const, to: title },
      { kind: 'commit' as const, to: commit },
    ];
    return encodeEntry(TASKS, { ...CLAIM, body: operationAfter(null, { title, links }) }, 'sha1');
  });
  const bytes = [entries[0].bytes, entries[1].bytes, entries[2].bytes.subarray(1), Buffer.alloc(MAX_ENTRY_BYTES + 1)];
  const written = entries.map(({ id }, i) => ({ target: id, note: Buffer.from(bytes[i]) }));
  await writeNotes(repository, TASKS_REF, written);
  const { notes } = await listNotes(repository.git, TASKS_REF);
  const gone = '6'.repeat(40);
  const told = await revealedByNotes(repository.git, TASKS_REF, new Map([...notes, [gone, gone]]));
  assert.deepEqual(
    [...told].map(([id, { objects, branches }]) => [id, objects, branches]).sort(),
    [0, 1].map((i) => [entries[i].id, [commit], [['one', 'two'][i]]]).sort(),
  );
  // More than are read at once.
  const many = new Map(Array.from({ length: 513 }, (_, i) => [i.toString(16).padStart(40, '0'), gone]));
  const first = [entries[0].id, notes.get(entries[0].id) ?? ''] as const;
  assert.deepEqual(
    [...(await revealedByNotes(repository.git, TASKS_REF, new Map([...many, first]))).keys()],
    [first[0]],
  );
  assert.deepEqual(
    await revealedByNotes(repository.git, NOTES_REF, new Map([[gone, gone]])),
    new Map([[gone, { objects: [gone], branches: [] }]]),
  );
});
