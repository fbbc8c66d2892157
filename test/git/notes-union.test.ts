/** Uniting notes trees: what is written, whatever a stranger put into a tree. That it is a union is the campaign `unions`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notePath, readRef, writeNotes } from '../../src/git/notes.js';
import { commitNotes, notesBeyond, uniteNotes } from '../../src/git/notes-union.js';
import { NOTES_PREFIX, openRepository } from '../../src/git/repository.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const REF = `${NOTES_PREFIX}/syntax/0123456789ab`;

const target = (i: number) => `${(i * 37).toString(16).padStart(4, '0')}${'0'.repeat(32)}${String(i).padStart(4, '0')}`;

/** A commit without parents whose tree holds these notes at our own depth. */
async function commitOf(repo: TestRepo, notes: ReadonlyMap<string, string>): Promise<string> {
  return commitNotes(await openRepository(repo.dir), null, new Map(notes));
}

const treeOf = (repo: TestRepo, commit: string) => repo.git('rev-parse', `${commit}^{tree}`);

test('a union without gains writes nothing, and a missing ref becomes theirs', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const theirs = await commitOf(repo, new Map([[target(1), repo.blob('one')]]));
  assert.equal(await uniteNotes(repository, REF, theirs), 1);
  assert.equal(await readRef(repository.git, REF), theirs);
  assert.equal(await uniteNotes(repository, REF, theirs), 0);
  await writeNotes(repository, REF, [{ target: target(2), note: Buffer.from('two') }]);
  const ours = await readRef(repository.git, REF);
  assert.equal(await uniteNotes(repository, REF, theirs), 0);
  assert.equal(await readRef(repository.git, REF), ours);
});

test('a rewound or squashed history removes no note', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const [one, two] = [repo.blob('one'), repo.blob('two')];
  await uniteNotes(repository, REF, await commitOf(repo, new Map([1, 2].map((i) => [target(i), one]))));
  const squashed = await commitOf(repo, new Map([[target(3), two]]));
  assert.equal(await uniteNotes(repository, REF, squashed), 1);
  assert.equal((await notesBeyond(repository.git, null, REF)).notes.size, 3);
  assert.match(repo.git('log', '--format=%P', '-1', REF), new RegExp(`^[0-9a-f]+ ${squashed}$`));
});

test('only notes are taken from a hostile tree', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const oid = repo.blob('good');
  const [good, link, exec, gitlink] = [target(1), target(2), target(3), target(4)];
  const theirs = repo.commitTree(
    repo.rawTree([
      { oid, name: good },
      { oid, name: link, mode: '120000' },
      { oid, name: exec, mode: '100755' },
      { oid: repo.commit(), name: gitlink, mode: '160000' },
      { oid, name: '../evil' },
      { oid, name: '.git' },
      { oid, name: 'ab\ncd' },
      { oid: repo.rawTree([{ oid, name: 'nested' }]), name: 'ab', mode: '40000' },
    ]),
    'refs/heads/theirs',
  );
  for (const ours of [[], [{ target: target(9), note: Buffer.from('ours') }]]) {
    const ref = `${REF}${ours.length}`;
    if (ours.length > 0) await writeNotes(repository, ref, ours);
    assert.equal(await uniteNotes(repository, ref, theirs), 1);
    const paths = repo.git('ls-tree', '-r', '--name-only', ref).split('\n');
    assert.deepEqual(paths, [notePath(good), ...ours.map((entry) => notePath(entry.target))].sort());
  }
});

test('concurrent unions lose no note', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const commits = await Promise.all([1, 2, 3, 4].map((i) => commitOf(repo, new Map([[target(i), repo.blob(`${i}`)]]))));
  await Promise.all(commits.map((commit) => uniteNotes(repository, REF, commit)));
  assert.equal((await notesBeyond(repository.git, null, REF)).notes.size, 4);
});

test('a commit for a remote leaves no ref behind', async () => {
  const repo = createRepo({ objectFormat: 'sha256' });
  const key = repo.blob('annotated');
  const commit = await commitOf(repo, new Map([[key, repo.blob('note')]]));
  assert.equal(repo.git('for-each-ref'), '');
  assert.equal(repo.git('cat-file', '-p', `${commit}:${notePath(key)}`), 'note');
});

test('a note at another depth is weighed against ours, and both of theirs against each other', async () => {
  const repo = createRepo();
  const { git } = await openRepository(repo.dir);
  const policy = { maxBytes: 100, isValid: (_: string, note: Uint8Array) => String(note) === 'good' };
  const [good, bad] = [repo.blob('good'), repo.blob('bad')];
  const flat = repo.rawTree([{ oid: good, name: target(1) }]);
  const ours = await commitOf(repo, new Map([[target(1), bad]]));
  assert.deepEqual((await notesBeyond(git, ours, flat, policy)).notes, new Map([[target(1), good]]));
  const both = repo.rawTree([
    { oid: repo.git('rev-parse', `${ours}:${target(1).slice(0, 2)}`), name: target(1).slice(0, 2), mode: '40000' },
    { oid: good, name: target(1) },
  ]);
  assert.deepEqual((await notesBeyond(git, null, both, policy)).notes, new Map([[target(1), good]]));
});

test('a valid note beats a smaller invalid one, from both sides and at any depth', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const policy = { maxBytes: 100, isValid: (_: string, note: Uint8Array) => String(note).startsWith('good') };
  const long = 'x'.repeat(200);
  const bad = Array.from({ length: 20 }, (_, i) => repo.blob(i % 2 === 0 ? `bad ${i}` : `good ${i} ${long}`)).sort();
  const good = [1, 2].map((i) => repo.blob(`good ${i}`)).sort();
  const a = await commitOf(repo, new Map([target(1), target(2)].map((key) => [key, bad[0]])));
  const b = await commitOf(
    repo,
    new Map([
      [target(1), good[0]],
      [target(2), bad[1]],
      [target(3), good[1]],
    ]),
  );
  const c = await commitOf(
    repo,
    new Map([
      [target(1), good[1]],
      [target(2), bad[2]],
    ]),
  );
  const expected = treeOf(
    repo,
    await commitOf(
      repo,
      new Map([
        [target(1), good[0]],
        [target(2), bad[0]],
        [target(3), good[1]],
      ]),
    ),
  );
  for (const [i, order] of [
    [a, b, c],
    [c, b, a],
    [b, a, c],
    [a, c, b, a],
  ].entries()) {
    for (const commit of order) await uniteNotes(repository, `${REF}${i}`, commit, policy);
    assert.equal(treeOf(repo, `${REF}${i}`), expected);
  }
  // What a push offers: the remote has the bad one.
  assert.deepEqual([...(await notesBeyond(repository.git, a, b, policy)).notes.keys()].sort(), [target(1), target(3)]);
  assert.equal((await notesBeyond(repository.git, b, a, policy)).notes.has(target(1)), false);
});
