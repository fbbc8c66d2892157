/** What a write of notes leaves behind: messages, depths, blocks, and what it does when a gc or another ref is in the way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import { GcWatch } from '../../src/git/crash-recovery.js';
import {
  importLoose,
  listNotes,
  notePath,
  notesFailure,
  readRef,
  retryWrite,
  writeNotes,
} from '../../src/git/notes.js';
import { NOTES_PREFIX, openRepository } from '../../src/git/repository.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const REF = `${NOTES_PREFIX}/syntax/0123456789ab`;
const target = (i: number) => i.toString(16).padStart(40, '0');
const entryOf = (i: number, text = `note ${i}`) => ({ target: target(i), note: Buffer.from(text) });
const messageOf = (repo: TestRepo, commit: string) => repo.git('log', '-1', '--format=%B', commit);

test('the first commit describes the profile, the others say how many blobs they have', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const first = await writeNotes(repository, REF, [entryOf(1)], { about: '{"a":"größe"}' });
  assert.equal(messageOf(repo, first), 'Index 1 blob\n\nprofile: {"a":"größe"}');
  const second = await writeNotes(repository, REF, [entryOf(2), entryOf(3)], { about: '{"a":"größe"}' });
  assert.equal(messageOf(repo, second), 'Index 2 blobs');
  assert.equal(repo.git('log', '-1', '--format=%P', second), first);
  const other = await writeNotes(repository, `${REF}0`, [entryOf(1)]);
  assert.equal(messageOf(repo, other), 'Index 1 blob');
});

test('of notes at several depths the one at our own is read, and the paths of the others are told', async () => {
  const repo = createRepo();
  const { git } = await openRepository(repo.dir);
  const [ours, flat, split] = ['ours', 'flat', 'split'].map((text) => repo.blob(text));
  const of = (oid: string, ...path: string[]): string => {
    const [name, ...rest] = path.reverse();
    let tree = repo.rawTree([{ oid, name }]);
    for (const folder of rest) tree = repo.rawTree([{ oid: tree, name: folder, mode: '40000' }]);
    return tree;
  };
  const [a, b] = ['ab', 'cd'].map((start) => start.padEnd(40, 'e'));
  const inner = (note: string, key: string) =>
    repo.git('rev-parse', `${of(note, ...notePath(key).split('/'))}:${key.slice(0, 2)}`);
  const tree = repo.rawTree([
    { oid: inner(ours, a), name: 'ab', mode: '40000' },
    { oid: flat, name: a },
    { oid: repo.rawTree([{ oid: split, name: b.slice(2) }]), name: 'cd', mode: '40000' },
    { oid: flat, name: b },
    { oid: flat, name: 'README' },
  ]);
  const { notes, foreign } = await listNotes(git, tree);
  assert.equal(notes.get(a), ours);
  assert.equal(notes.get(b), split, 'the first that is listed');
  assert.deepEqual([foreign.get(a), foreign.get(b)], [[a], [`cd/${b.slice(2)}`, b]]);
  assert.deepEqual([notes.size, foreign.size], [2, 2]);
});

test('a tree of notes that is too large says what to do; one that is missing is another failure', async () => {
  const repo = createRepo();
  const { git } = await openRepository(repo.dir);
  const tree = repo.rawTree([{ oid: repo.blob('x'), name: 'n'.repeat((1 << 20) + (1 << 17)) }]);
  const message = /^the records that came with this repository are refused: the paths/;
  await assert.rejects(listNotes(git, tree), { code: 'BAD_ARGUMENT', message, hint: /git socraticode remove/ });
  await assert.rejects(listNotes(git, '1'.repeat(40)), { code: 'GIT_FAILED' });
});

test('notes larger than a pipe holds are written byte by byte', async () => {
  const repo = createRepo();
  const { git } = await openRepository(repo.dir);
  const notes = [1, 2, 3].map((i) => ({ target: target(i), note: Buffer.alloc(300_000 + i, `${i}\n`) }));
  await writeNotes(await openRepository(repo.dir), REF, [entryOf(9), ...notes, entryOf(8)]);
  for (const { target: key, note } of notes)
    assert.ok(note.equals((await git.run(['cat-file', 'blob', `${REF}:${notePath(key)}`])).stdout));
  assert.equal(repo.git('cat-file', 'blob', `${REF}:${notePath(target(8))}`), 'note 8');
});

test('a commit whose objects a gc may have taken is taken back, and made anew', async (t) => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const kept = t.mock.method(GcWatch.prototype, 'hasRetained');
  const disturbed = t.mock.method(GcWatch.prototype, 'isDisturbed');
  const asked = t.mock.method(repository.git, 'run');
  const moves = () =>
    asked.mock.calls.map(({ arguments: [args] }) => args).filter(([command]) => command === 'update-ref');
  disturbed.mock.mockImplementationOnce(() => true);
  kept.mock.mockImplementationOnce(async () => false);
  const first = await writeNotes(repository, REF, [entryOf(1)]);
  assert.equal(await readRef(repository.git, REF), first);
  assert.equal(repo.git('rev-list', '--count', REF), '1');
  assert.deepEqual(moves()[0].slice(0, 3), ['update-ref', '-d', REF]);
  asked.mock.resetCalls();
  disturbed.mock.mockImplementationOnce(() => true);
  kept.mock.mockImplementationOnce(async () => false);
  await writeNotes(repository, REF, [entryOf(2)]);
  assert.deepEqual([repo.git('rev-list', '--count', REF), repo.git('rev-parse', `${REF}^`)], ['2', first]);
  const [[command, ref, to, from], ...rest] = moves();
  assert.deepEqual([command, ref, to, rest.length], ['update-ref', REF, first, 0]);
  assert.match(from, /^[0-9a-f]{40}$/);
});

test('while a gc is at work a failure of git is tried again, and what somebody gave up or asked wrongly is not', async (t) => {
  const repository = await openRepository(createRepo().dir);
  t.mock.method(GcWatch.prototype, 'isDisturbed', () => true);
  const attempts = async (code: 'GIT_FAILED' | 'CANCELLED' | 'BAD_ARGUMENT', failures: number) => {
    let count = 0;
    const write = async () => {
      if (++count <= failures) throw new SocraticodeError(code, 'as it is');
      return 'written';
    };
    const outcome = await retryWrite(repository, REF, write).catch((error) => error.code);
    return [outcome, count];
  };
  assert.deepEqual(await attempts('GIT_FAILED', 2), ['written', 3]);
  assert.deepEqual(await attempts('CANCELLED', 2), ['CANCELLED', 1]);
  assert.deepEqual(await attempts('BAD_ARGUMENT', 2), ['BAD_ARGUMENT', 1]);
});

test('a write that leaves the ref as it was, or without one, is a failure', async (t) => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const tip = await writeNotes(repository, REF, [entryOf(1)]);
  const { run } = repository.git;
  for (const [code, stdout] of [
    [1, ''],
    [0, `${tip}\n`],
  ] as const) {
    let reads = 0;
    t.mock.method(repository.git, 'run', async (args: string[], options: object) => {
      const found = await run.call(repository.git, args, options);
      return args[0] === 'rev-parse' && ++reads > 1 ? { ...found, code, stdout: Buffer.from(stdout) } : found;
    });
    await assert.rejects(writeNotes(repository, REF, [entryOf(reads + 2)]), { code: 'GIT_FAILED' });
    t.mock.restoreAll();
    repo.git('update-ref', REF, tip);
  }
});

test('a ref in the way of another is named with the command that removes it', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  await writeNotes(repository, REF, [entryOf(1)]);
  for (const [ref, blocker] of [
    [`${REF}/below`, REF],
    [`${NOTES_PREFIX}/syntax`, REF],
  ])
    await assert.rejects(writeNotes(repository, ref, [entryOf(1)]), {
      code: 'GIT_FAILED',
      message: `cannot create ${ref}: ${blocker} is in the way`,
      hint: `Rename or delete it: git update-ref -d ${blocker}`,
    });
});

test('a stream that git does not understand is not tried again', async (t) => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const asked = t.mock.method(repository.git, 'spawn');
  await assert.rejects(writeNotes(repository, REF, [{ target: 'ab\n', note: Buffer.from('x') }]), {
    code: 'GIT_FAILED',
  });
  assert.equal(asked.mock.calls.filter(({ arguments: [[command]] }) => command === 'fast-import').length, 1);
  assert.equal(await readRef(repository.git, REF), null);
  assert.deepEqual(
    [notesFailure('fatal: No space left on device').code, notesFailure('fatal: bad').code],
    ['DISK', 'GIT_FAILED'],
  );
});

test("a commit to which no ref points has the length of the repository's oids", async () => {
  for (const [objectFormat, length] of [
    ['sha1', 40],
    ['sha256', 64],
  ] as const) {
    const repo = createRepo({ objectFormat });
    const repository = await openRepository(repo.dir);
    const lines = ['mark :1', 'committer A <a@b> now', 'data 1', 'x', ''];
    const made = await importLoose(repository, (ref) => [Buffer.from([`commit ${ref}`, ...lines].join('\n'))]);
    assert.deepEqual([made.length, repo.git('for-each-ref')], [length, '']);
  }
});
