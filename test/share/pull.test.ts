/** Notes that a partial clone lacks, and which of two notes for one thing stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import type { RefLocks } from '../../src/git/crash-recovery.js';
import { CatFileReader } from '../../src/git/objects.js';
import type { Remote } from '../../src/git/remote.js';
import { encodeEntry } from '../../src/knowledge/entry.js';
import { operationAfter, TASKS } from '../../src/knowledge/task.js';
import { encodeSyntaxRecord } from '../../src/record/codec.js';
import { RecordStore } from '../../src/record/store.js';
import { conflictPolicyOf } from '../../src/share/conflict-policy.js';
import { fetchFirst } from '../../src/share/first-fetch.js';
import { completeNotes, pullNotes, whileBusy } from '../../src/share/pull.js';
import { pushNotes } from '../../src/share/push.js';
import { enable } from '../../src/share/remote-config.js';
import { cloneRepo } from '../support/repositories/repo.js';
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

test('every note that a partial clone lacks is asked for, be it one, and nothing is asked where none is', async () => {
  for (const count of [1, 3]) {
    const { remote, clone } = remoteWith(texts(3));
    const targets = Array.from({ length: count }, (_, i) => blobOf(clone, `f${i}.txt`));
    await note(clone, targets);
    clone.git('push', '-q', 'origin', NOTES_REF);
    const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout', '-c', 'protocol.file.allow=always');
    partial.git('fetch', '-q', 'origin', `${NOTES_REF}:${NOTES_REF}`);
    const asked: string[][] = [];
    const stub = { fetchObjects: async (oids: readonly string[]) => void asked.push([...oids]) } as unknown as Remote;
    const commit = partial.git('rev-parse', NOTES_REF);
    await completeNotes((await sharedOf(partial)).repository, stub, commit);
    assert.equal(asked.flat().length, count);
    asked.length = 0;
    await completeNotes((await sharedOf(clone)).repository, stub, clone.git('rev-parse', NOTES_REF));
    assert.deepEqual(asked, []);
  }
});

test('a pull brings the notes that a plain fetch of a partial clone left out', async () => {
  const { remote, clone } = remoteWith(texts(2));
  await note(clone, [blobOf(clone, 'f0.txt'), blobOf(clone, 'f1.txt')]);
  clone.git('push', '-q', 'origin', NOTES_REF);
  const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  await enable(await sharedOf(partial), 'origin');
  partial.git('fetch', '-q');
  const { received } = await pullNotes(await sharedOf(partial), 'origin', [SELECTOR]);
  assert.deepEqual([received, noted(partial)], [2, noted(clone)]);
});

test('a record that is whole stays before one that is not, or is of another blob', async () => {
  const oid = '7'.repeat(40);
  const bytes = encodeSyntaxRecord(oid, { skip: 'binary' });
  const { isValid } = await conflictPolicyOf(NOTES_REF);
  assert.deepEqual(
    [isValid(oid, bytes), isValid(oid, bytes.subarray(1)), isValid('8'.repeat(40), bytes)],
    [true, false, false],
  );
  const other = await conflictPolicyOf('refs/notes/socraticode/vectors/0123456789ab');
  assert.equal(other.isValid(oid, bytes), false);
});

test('an entry that is whole stays before one that is not', async () => {
  const claim = { author: { name: 'a', email: '', by: 'person' as const }, time: 1_700_000_000 };
  const body = operationAfter(null, { title: 'to do' });
  const { id, bytes } = encodeEntry(TASKS, { ...claim, body }, 'sha1');
  const { isValid } = await conflictPolicyOf('refs/notes/socraticode/tasks/v1');
  assert.deepEqual([isValid(id, bytes), isValid(id, bytes.subarray(1))], [true, false]);
});

test('only a remote that is busy is asked again, and its own failure is told in the end', async () => {
  const twice = {
    retry: async (work: () => Promise<unknown>) => (await work()) ?? (await work()),
  } as unknown as RefLocks;
  const asked = async (...failures: ('REMOTE_BUSY' | 'GIT_FAILED')[]) => {
    let count = 0;
    const fetch = async () => {
      const code = failures[count++];
      if (code !== undefined) throw new SocraticodeError(code, `${code} ${count}`);
    };
    const failure = await whileBusy(fetch, twice).catch((error: Error) => error.message);
    return [count, failure];
  };
  assert.deepEqual(await asked(), [1, undefined]);
  assert.deepEqual(await asked('REMOTE_BUSY'), [2, undefined]);
  assert.deepEqual(await asked('REMOTE_BUSY', 'REMOTE_BUSY'), [2, 'REMOTE_BUSY 2']);
  assert.deepEqual(await asked('GIT_FAILED'), [1, 'GIT_FAILED 1']);
});

test('a pull counts what each ref has gained, in the order of their names, and a second one gains nothing', async () => {
  const { remote, clone } = remoteWith(texts(3));
  const targets = [0, 1, 2].map((i) => blobOf(clone, `f${i}.txt`));
  await note(clone, targets);
  const other = NOTES_REF.replace('syntax', 'vectors');
  await note(clone, targets.slice(1));
  clone.git('update-ref', other, NOTES_REF);
  clone.git('push', '-q', 'origin', NOTES_REF, other);
  const puller = cloneRepo(remote, '-c', 'protocol.file.allow=always');
  const pull = async () => pullNotes(await sharedOf(puller), 'origin', [{ ...SELECTOR, kind: 'vectors' }, SELECTOR]);
  const first = await pull();
  assert.deepEqual(first, {
    refs: [NOTES_REF, other].map((ref) => ({ ref, records: 3 })),
    received: 6,
  });
  assert.deepEqual(noted(puller), targets.sort());
  assert.equal((await pull()).received, 0);
});

test('a notes ref that is no notes is named in our words with a way out, here and at a remote', async (t) => {
  const { remote, clone } = remoteWith(texts(1));
  const shared = await sharedOf(clone);
  const objects = new CatFileReader(shared.repository.git);
  t.after(() => objects.close());
  const store = new RecordStore(shared.repository, objects, SELECTOR.kind, `${SELECTOR.profile}`, () => {
    throw new Error('nothing is decoded');
  });
  const tree = clone.git('rev-parse', 'HEAD^{tree}');
  for (const [oid, type] of [
    [blobOf(clone, 'f0.txt'), 'blob'],
    [tree, 'tree'],
  ]) {
    clone.git('update-ref', NOTES_REF, oid);
    const here = {
      code: 'UNREADABLE_OBJECT',
      message: `${NOTES_REF} holds no notes: it points at a ${type}`,
      hint: `Delete it: git update-ref -d ${NOTES_REF}`,
    };
    for (const work of [() => store.readTip(), () => store.load(1), () => store.load()])
      await assert.rejects(work, here);
    clone.git('update-ref', '-d', NOTES_REF);
    assert.equal(await store.readTip(), null);
    remote.git('update-ref', NOTES_REF, oid);
    await note(clone, [blobOf(clone, 'f0.txt')]);
    const there = {
      code: 'UNREADABLE_OBJECT',
      message: `${NOTES_REF} at origin holds no notes: it points at a ${type}`,
      hint: new RegExp(`git push origin --delete ${NOTES_REF}$`),
    };
    await assert.rejects(pullNotes(shared, 'origin', [SELECTOR]), there);
    await assert.rejects(pushNotes(shared, 'origin', [SELECTOR]), there);
    // Nobody who asks for other notes is told.
    await pullNotes(shared, 'origin', [{ kind: 'vectors', profile: null }]);
    // A first search asks by itself, and answers all the same.
    assert.equal(await fetchFirst(await sharedOf(cloneRepo(remote)), [SELECTOR]), 0);
    clone.git('update-ref', '-d', NOTES_REF);
  }
});
