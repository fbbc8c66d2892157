/** Writing notes: found by git, complete under races, united at any fan-out depth. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isSocraticodeError } from '../../src/base/errors.js';
import { listNotes, NOTES_PREFIX, notePath, readRef, writeNotes } from '../../src/git/notes.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo, ROUNDS, runGit, type TestRepo } from '../support/repo.js';

const REF = `${NOTES_PREFIX}/syntax/0123456789ab`;

function blobs(repo: TestRepo, count: number, prefix = 'blob'): string[] {
  return Array.from({ length: count }, (_, i) => repo.blob(`${prefix} ${i}\n`));
}

const contentOf = (repo: TestRepo, target: string) =>
  runGit(['notes', `--ref=${REF}`, 'show', target], { cwd: repo.dir }).toString('latin1');

for (const objectFormat of ['sha1', 'sha256'] as const) {
  test(`${objectFormat}: written notes are git's notes, binary and all; fsck is clean`, async () => {
    const repo = createRepo({ objectFormat });
    const repository = await openRepository(repo.dir);
    const targets = blobs(repo, 20);
    const entries = targets.map((target, i) => ({ target, note: Buffer.from([i, 0, 10, 13, 0xff, 10]) }));
    const tip = await writeNotes(repository, REF, entries);
    assert.equal(tip, repo.git('rev-parse', REF));
    assert.deepEqual([...repo.notes().keys()].sort(), [...targets].sort());
    assert.equal(contentOf(repo, targets[3]), Buffer.from([3, 0, 10, 13, 0xff, 10]).toString('latin1'));
    const { notes, foreign } = await listNotes(repository.git, tip);
    assert.deepEqual([...notes.keys()].sort(), [...targets].sort());
    assert.equal(foreign.size, 0);
    assert.equal(repo.fsck(), '');
  });
}

test('notes that git itself wrote at other depths are read, and replaced without a double', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const targets = blobs(repo, 300);
  for (const target of targets.slice(0, 5)) {
    const source = repo.blob(`by git ${target}`);
    repo.git('notes', `--ref=${REF}`, 'add', '-C', source, target);
  }
  const flat = await listNotes(repository.git, REF);
  assert.deepEqual([flat.notes.size, flat.foreign.size], [5, 5]);
  const entries = targets.slice(3).map((target) => ({ target, note: Buffer.from(`ours ${target}`) }));
  await writeNotes(repository, REF, entries, flat.foreign);
  assert.equal(contentOf(repo, targets[0]), `by git ${targets[0]}`);
  assert.equal(contentOf(repo, targets[3]), `ours ${targets[3]}`);
  assert.equal(repo.notes().size, 300);
  // Adding by hand makes git rewrite the fan-out as it likes.
  const extra = repo.blob('extra');
  repo.git('notes', `--ref=${REF}`, 'add', '-C', repo.blob('by git'), extra);
  const mixed = await listNotes(repository.git, REF);
  assert.equal(mixed.notes.size, 301);
  await writeNotes(repository, REF, [{ target: extra, note: Buffer.from('ours') }], mixed.foreign);
  assert.equal(contentOf(repo, extra), 'ours');
  assert.equal((await listNotes(repository.git, REF)).notes.size, 301);
  assert.equal(repo.fsck(), '');
});

test('entries of a notes tree that are no notes are ignored and kept', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const oid = repo.blob('x');
  repo.commitTree(
    repo.rawTree([
      { oid, name: 'README' },
      { oid, name: 'ab' },
    ]),
    REF,
  );
  const [target] = blobs(repo, 1);
  await writeNotes(repository, REF, [{ target, note: Buffer.from('n') }]);
  assert.deepEqual([...(await listNotes(repository.git, REF)).notes.keys()], [target]);
  assert.equal(repo.git('cat-file', '-p', `${REF}:README`), 'x');
});

const WRITER = fileURLToPath(new URL('../support/notes-writer.js', import.meta.url));

function runWriter(repo: TestRepo, targets: string[]): Promise<number | null> {
  const child = spawn(process.execPath, [WRITER, repo.dir, REF, ...targets], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve) => child.on('close', resolve));
}

test('two racing writers lose nothing', { timeout: 120_000 }, async () => {
  const repo = createRepo();
  const rounds = Math.max(5, ROUNDS);
  const [one, two] = [blobs(repo, 10 * rounds, 'one'), blobs(repo, 10 * rounds, 'two')];
  const codes = await Promise.all([runWriter(repo, one), runWriter(repo, two)]);
  assert.deepEqual(codes, [0, 0]);
  assert.deepEqual([...repo.notes().keys()].sort(), [...one, ...two].sort());
  assert.equal(repo.fsck(), '');
});

function lockRef(repo: TestRepo): string {
  const lock = join(repo.commonDir, `${REF}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, '');
  return lock;
}

test('a ref lock that goes away is waited for; a stale one is a clear failure that changes nothing', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const [target] = blobs(repo, 1);
  const lock = lockRef(repo);
  await assert.rejects(writeNotes(repository, REF, [{ target, note: Buffer.from('n') }]), (error) => {
    return isSocraticodeError(error, 'GIT_FAILED') && /lock/.test(error.message);
  });
  assert.equal(await readRef(repository.git, REF), null);
  assert.equal(existsSync(lock), true);
  setTimeout(() => rmSync(lock), 150);
  await writeNotes(repository, REF, [{ target, note: Buffer.from('n') }]);
  assert.equal(repo.notes().size, 1);
});

test('the path of a note', () => {
  assert.equal(notePath('abcdef0123'), 'ab/cd/ef0123');
});
