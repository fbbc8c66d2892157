/** Uniting notes trees whose notes lie at several depths: what is compared, what is listed, what is judged, and what is written. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listNotes, notePath } from '../../src/git/notes.js';
import { commitNotes, notesBeyond, uniteNotes } from '../../src/git/notes-union.js';
import type { Git } from '../../src/git/process.js';
import { NOTES_PREFIX, openRepository } from '../../src/git/repository.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const REF = `${NOTES_PREFIX}/syntax/0123456789ab`;
const target = (i: number) => `${(i * 37).toString(16).padStart(4, '0')}${'0'.repeat(32)}${String(i).padStart(4, '0')}`;

/** A commit without parents whose tree holds these notes at our own depth. */
const commitOf = async (repo: TestRepo, notes: ReadonlyMap<string, string>) =>
  commitNotes(await openRepository(repo.dir), null, new Map(notes));

/** What git is asked while something runs. */
function spyOn(t: TestContext, git: Git) {
  const asked = t.mock.method(git, 'spawn');
  return () => {
    const commands = asked.mock.calls.map(({ arguments: [[command]] }) => command);
    asked.mock.resetCalls();
    return commands;
  };
}

test('trees at our own depth are compared and never listed, whatever else is in them', async (t) => {
  const repo = createRepo();
  const { git } = await openRepository(repo.dir);
  const [one, two, three] = ['one', 'two', 'three'].map((text) => repo.blob(text));
  const ours = await commitOf(
    repo,
    new Map([
      [target(1), one],
      [target(2), one],
      [target(3), one],
    ]),
  );
  const notes = await commitOf(
    repo,
    new Map([
      [target(1), one],
      [target(3), two],
      [target(4), three],
    ]),
  );
  const entries = repo
    .git('ls-tree', notes)
    .split('\n')
    .map((line) => {
      const [mode, , oid, name] = line.split(/[ \t]/);
      return { mode: mode.replace(/^0/, ''), oid, name };
    });
  const theirs = repo.rawTree([
    ...entries,
    { oid: one, name: 'README' },
    { oid: one, name: target(5), mode: '120000' },
  ]);
  const calls = spyOn(t, git);
  const lesser = [one, two].sort()[0];
  const expected = new Map([...(lesser === two ? [[target(3), two]] : []), [target(4), three]] as [string, string][]);
  const gains = await notesBeyond(git, ours, theirs);
  assert.deepEqual([gains.notes, gains.foreign.size, calls()], [expected, 0, ['diff-tree']]);
  assert.equal((await notesBeyond(git, ours, ours)).notes.size, 0);
  assert.equal((await notesBeyond(git, ours, null)).notes.size, 0);
  assert.deepEqual(calls(), []);
  const all = await notesBeyond(git, null, theirs);
  assert.deepEqual([all.notes.size, all.isClean, calls()], [3, false, ['ls-tree']]);
  assert.equal((await notesBeyond(git, null, notes)).isClean, true);
  await assert.rejects(notesBeyond(git, ours, '1'.repeat(40)), { code: 'GIT_FAILED' });
});

test('where a note lies at another depth, its path is told, and a note that both have is no gain', async () => {
  const repo = createRepo();
  const { git } = await openRepository(repo.dir);
  const [good, bad] = [repo.blob('good'), repo.blob('bad')];
  let judged = 0;
  const policy = {
    maxBytes: 4,
    isValid: (_: string, note: Uint8Array) => {
      judged++;
      return String(note) === 'good';
    },
  };
  const ours = repo.rawTree([
    { oid: good, name: target(1) },
    { oid: bad, name: target(2) },
    { oid: good, name: target(3) },
    { oid: repo.rawTree([{ oid: bad, name: target(3).slice(2) }]), name: target(3).slice(0, 2), mode: '40000' },
  ]);
  const theirs = await commitOf(
    repo,
    new Map([
      [target(1), good],
      [target(4), bad],
    ]),
  );
  const gains = await notesBeyond(git, ours, theirs, policy);
  assert.deepEqual(gains.notes, new Map([[target(4), bad]]));
  const split = `${target(3).slice(0, 2)}/${target(3).slice(2)}`;
  assert.deepEqual(
    [gains.foreign.get(target(1)), gains.foreign.get(target(3))?.sort()],
    [[target(1)], [split, target(3)].sort()],
  );
  assert.equal(judged, 0, 'without a conflict no note is read');
  // Ours wins: a note as large as allowed is valid, a missing one is not.
  const worse = await commitOf(repo, new Map([[target(1), bad]]));
  assert.equal((await notesBeyond(git, ours, worse, policy)).notes.size, 0);
  assert.equal(
    (await notesBeyond(git, ours, worse, { ...policy, maxBytes: 3 })).notes.size,
    [good, bad].sort()[0] === bad ? 1 : 0,
  );
});

test('a note that is missing, or is no blob, loses against one that is valid', async () => {
  const repo = createRepo();
  const { git } = await openRepository(repo.dir);
  const good = repo.blob('good');
  const policy = { maxBytes: 1_000, isValid: () => true };
  for (const other of ['0'.repeat(39).concat('1'), repo.rawTree([])]) {
    const [ours, theirs] = [other, good].map((oid) => repo.rawTree([{ oid, name: target(1) }]));
    assert.equal((await notesBeyond(git, ours, theirs, policy)).notes.get(target(1)), good);
    assert.equal((await notesBeyond(git, theirs, ours, policy)).notes.size, 0);
  }
});

test('a note that stood at several depths stands at our own alone after a union', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const [old, fresh] = [repo.blob('old'), repo.blob('fresh')];
  const key = target(1);
  repo.commitTree(
    repo.rawTree([
      { oid: old, name: key },
      { oid: repo.rawTree([{ oid: old, name: key.slice(2) }]), name: key.slice(0, 2), mode: '40000' },
    ]),
    REF,
  );
  const policy = { maxBytes: 100, isValid: (_: string, note: Uint8Array) => String(note) === 'fresh' };
  assert.equal(await uniteNotes(repository, REF, await commitOf(repo, new Map([[key, fresh]])), policy), 1);
  assert.equal(repo.git('ls-tree', '-r', '--format=%(objectname) %(path)', REF), `${fresh} ${notePath(key)}`);
});

test('a union moves notes to our own depth, and says how many in its message', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const [old, fresh] = [repo.blob('old'), repo.blob('fresh')];
  repo.commitTree(repo.rawTree([{ oid: old, name: target(1) }]), REF);
  const policy = { maxBytes: 100, isValid: (_: string, note: Uint8Array) => String(note) === 'fresh' };
  const theirs = await commitOf(
    repo,
    new Map([
      [target(1), fresh],
      [target(2), old],
    ]),
  );
  assert.equal(await uniteNotes(repository, REF, theirs, policy), 2);
  const { notes, foreign } = await listNotes(repository.git, REF);
  assert.deepEqual(
    [notes, foreign.size],
    [
      new Map([
        [target(1), fresh],
        [target(2), old],
      ]),
      0,
    ],
  );
  assert.equal(repo.git('log', '-1', '--format=%s', REF), 'Unite 2 notes');
  const one = await commitNotes(repository, theirs, new Map([[target(3), old]]), '{"a":1}');
  assert.equal(repo.git('log', '-1', '--format=%B%P', one), `Share 1 record\n\nprofile: {"a":1}${theirs}`);
  assert.equal(repo.git('log', '-1', '--format=%B', theirs), 'Share 2 records');
  assert.equal(repo.git('ls-tree', '-r', '--name-only', one).split('\n').length, 3);
});

test('more notes than one block holds are written whole', async () => {
  const repo = createRepo();
  const oid = repo.blob('note');
  const notes = new Map(Array.from({ length: 4_100 }, (_, i) => [i.toString(16).padStart(40, '0'), oid]));
  assert.deepEqual(
    (await listNotes((await openRepository(repo.dir)).git, await commitOf(repo, notes))).notes.size,
    4_100,
  );
});
