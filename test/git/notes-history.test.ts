/** The history of notes: the description of a profile is the line that begins like one, wherever else those words stand. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listNotes, notePath } from '../../src/git/notes.js';
import {
  commitDate,
  countCommits,
  diskUsage,
  locallyReachable,
  moveRefs,
  readAbout,
  squashNotes,
} from '../../src/git/notes-history.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

async function about(...messages: string[]): Promise<string | null> {
  const repo = createRepo();
  for (const message of messages) repo.git('commit', '-q', '--allow-empty', '-m', message);
  return readAbout((await openRepository(repo.dir)).git, 'HEAD');
}

test('the newest description of a history is read', async () => {
  assert.equal(
    await about('first\n\nprofile: {"chunker":1}', 'second\n\nprofile: {"chunker":2}', 'third'),
    '{"chunker":2}',
  );
  assert.equal(await about('nothing', 'at all'), null);
});

test('a line that only mentions a profile is none, before or after the description', async () => {
  const message = 'notes\n\nof the profile: {"not":1}\nprofile: {"chunker":3}\nprofile: {"second":1}';
  assert.equal(await about(message), '{"chunker":3}');
  assert.equal(await about('of the profile: {"not":1}'), null);
});

test('a description of more than 16 KiB is not read', async () => {
  assert.equal(await about(`x\n\nprofile: {"a":"${'b'.repeat(17_000)}"}`), null);
  const repo = createRepo();
  const sizeOf = async (padding: number) => {
    repo.git('commit', '-q', '--allow-empty', '-m', `x\n\nprofile: {${'b'.repeat(padding)}}`);
    return Number(repo.git('cat-file', '-s', 'HEAD'));
  };
  const around = (await sizeOf(1_000)) - 1_000;
  const { git } = await openRepository(repo.dir);
  const root = async (size: number) => {
    assert.equal(await sizeOf(size - around), size + 48);
    return (await readAbout(git, 'HEAD'))?.length ?? null;
  };
  // The second commit has a line about its parent.
  assert.equal(await root(16_384 - 48), 16_384 - 48 - around + 2);
  assert.equal(await root(16_385 - 48), null);
});

test('the commits and the date of a history are told, and no date of a commit that is not there', async () => {
  const repo = createRepo();
  // A commit that is made anew keeps the date of its author: that of the history is when it was written.
  for (const message of ['one', 'two'])
    repo.git('commit', '-q', '--allow-empty', '-m', message, '--date=2020-01-01T00:00:00Z');
  const { git } = await openRepository(repo.dir);
  assert.equal(await countCommits(git, 'HEAD'), 2);
  assert.match((await commitDate(git, 'HEAD')) ?? '', /^2024-01-02T03:04:05(?:Z|\+00:00)$/);
  assert.equal(await commitDate(git, '0'.repeat(40)), null);
});

test('all refs move, or none if one of them has moved meanwhile; null deletes', async () => {
  const repo = createRepo();
  const [one, two] = ['1', '2'].map((text) => repo.commit({ 'a.txt': text }));
  const { git } = await openRepository(repo.dir);
  for (const name of ['a', 'b']) repo.git('update-ref', `refs/x/${name}`, one);
  const move = (name: string, from: string, to: string | null) => ({ ref: `refs/x/${name}`, from, to });
  assert.match((await moveRefs(git, [move('a', one, two), move('b', two, null)])) ?? '', /refs\/x\/b/);
  assert.equal(repo.git('rev-parse', 'refs/x/a'), one);
  assert.equal(await moveRefs(git, [move('a', one, two), move('b', one, null)]), null);
  assert.deepEqual(repo.git('for-each-ref', '--format=%(objectname) %(refname)', 'refs/x'), `${two} refs/x/a`);
});

test('what refs, reflogs and the index reach is found; a missing object is an error as long as one is looked for', async () => {
  const repo = createRepo();
  const first = repo.commit({ 'a.txt': 'first' });
  repo.commit({ 'a.txt': 'second' });
  repo.git('reset', '-q', '--hard', first);
  repo.write({ 'staged.txt': 'staged' }).git('add', '.');
  const [here, reset, staged] = ['first', 'second', 'staged'].map((text) => repo.blob(text));
  const [loose, noted] = [repo.blob('loose'), repo.blob('noted')];
  repo.git(
    '-c',
    'core.logAllRefUpdates=false',
    'update-ref',
    'refs/notes/x',
    repo.git('commit-tree', '-m', 'x', repo.rawTree([{ oid: noted, name: 'n' }])),
  );
  const { git } = await openRepository(repo.dir);
  const all = [here, reset, staged];
  assert.deepEqual(await locallyReachable(git, [loose, noted, ...all]), new Set(all));
  assert.deepEqual(await locallyReachable(git, []), new Set());
  const tree = repo.git('rev-parse', `${first}^{tree}`);
  rmSync(join(repo.commonDir, 'objects', tree.slice(0, 2), tree.slice(2)));
  await assert.rejects(locallyReachable(git, [loose]), { code: 'GIT_FAILED' });
});

test('a squash has no parent, the notes that are not dropped at our own depth, and what else is in the tree', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const oid = repo.blob('note');
  const key = (i: number) => i.toString(16).padStart(40, '0');
  const split = repo.rawTree([{ oid, name: key(3).slice(2) }]);
  const from = repo.commitTree(
    repo.rawTree([
      { oid, name: key(1) },
      { oid, name: key(2) },
      { oid: split, name: key(3).slice(0, 2), mode: '40000' },
      { oid, name: 'README' },
    ]),
    'refs/notes/x',
  );
  const listing = await listNotes(repository.git, from);
  const made = await squashNotes(repository, { from, listing, drop: new Set([key(2)]), about: '{"a":"ü"}' });
  const paths = repo.git('ls-tree', '-r', '--name-only', made).split('\n');
  assert.deepEqual(paths, [notePath(key(1)), notePath(key(3)), 'README'].sort());
  assert.equal(repo.git('log', '--format=%B', made), 'Compact to 2 records\n\nprofile: {"a":"ü"}');
  // Notes at our own depth stay where they are, and are dropped there.
  const again = await listNotes(repository.git, made);
  assert.equal(again.foreign.size, 0);
  const one = await squashNotes(repository, { from: made, listing: again, drop: new Set([key(1), key(9)]) });
  assert.deepEqual(repo.git('ls-tree', '-r', '--name-only', one).split('\n'), [notePath(key(3)), 'README'].sort());
  assert.equal(repo.git('log', '--format=%B', one), 'Compact to 1 record');
  assert.equal(repo.git('for-each-ref', '--format=%(refname)'), 'refs/notes/x');
});

test('of more notes than one block holds each is dropped or kept', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const oid = repo.blob('note');
  const keys = Array.from({ length: 4_100 }, (_, i) => i.toString(16).padStart(40, '0'));
  const from = repo.commitTree(repo.rawTree(keys.map((name) => ({ oid, name }))), 'refs/notes/x');
  const drop = new Set(keys.filter((_, i) => i % 3 === 0));
  const made = await squashNotes(repository, { from, listing: await listNotes(repository.git, from), drop });
  const { notes, foreign } = await listNotes(repository.git, made);
  assert.deepEqual([[...notes.keys()], foreign.size], [keys.filter((name) => !drop.has(name)), 0]);
});

test('the size of a tree is a part of that of its history', async () => {
  const repo = createRepo();
  for (const text of ['1', '2', '3']) repo.commit({ 'a.txt': text.repeat(1_000) });
  const { git } = await openRepository(repo.dir);
  const [tree, history] = [await diskUsage(git, 'HEAD', 'tree'), await diskUsage(git, 'HEAD', 'history')];
  assert.ok(tree > 0 && history > 2 * tree, `${tree} ${history}`);
});
