/** Compaction loses nothing that is needed: whoever writes meanwhile wins, and what could come back is kept. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listNotes, writeNotes } from '../../src/git/notes.js';
import { locallyReachable, readAbout } from '../../src/git/notes-history.js';
import { NOTES_PREFIX, openRepository } from '../../src/git/repository.js';
import { compactCommit, compactRef, sizesOf } from '../../src/share/compact.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const REF = `${NOTES_PREFIX}/syntax/0123456789ab`;

async function noted(repo: TestRepo, targets: readonly string[], about?: string) {
  const repository = await openRepository(repo.dir);
  for (const target of targets)
    await writeNotes(repository, REF, [{ target, note: Buffer.from(`n ${target}`) }], undefined, about);
  return repository;
}

const tip = (repo: TestRepo) => ({ ref: REF, commit: repo.git('rev-parse', REF) });

for (const objectFormat of ['sha1', 'sha256'] as const) {
  test(`${objectFormat}: compacting drops the history and keeps records and the profile's description`, async () => {
    const repo = createRepo({ objectFormat });
    const targets = Array.from({ length: 6 }, (_, i) => repo.blob(`${i}`));
    const repository = await noted(repo, targets, '{"chunker":9}');
    const keep = new Set(targets.slice(2));
    const wanted = { reachable: async () => keep };
    const planned = await compactRef(repository, tip(repo), { ...wanted, dryRun: true });
    const all = await compactRef(repository, tip(repo), { reachable: null, dryRun: true });
    const notes = repo.notes();
    const dropped = targets.slice(0, 2).map((target) => notes.get(target) as string);
    assert.equal(all.bytes.after - planned.bytes.after, await sizesOf(repository.git, dropped));
    assert.equal(repo.git('rev-list', '--count', REF), '6');
    const done = await compactRef(repository, tip(repo), wanted);
    assert.deepEqual([done.records, done.commits, done.changed], [{ kept: 4, dropped: 2 }, 6, true]);
    assert.deepEqual([planned.records, planned.changed], [done.records, true]);
    assert.ok(done.bytes.after < done.bytes.before);
    assert.deepEqual([...repo.notes().keys()].sort(), [...keep].sort());
    assert.equal(repo.git('rev-list', '--count', REF), '1');
    assert.equal(await readAbout(repository.git, REF), '{"chunker":9}');
    assert.equal(repo.git('notes', `--ref=${REF}`, 'show', targets[3]), `n ${targets[3]}`);
    const again = await compactRef(repository, tip(repo), wanted);
    assert.deepEqual([again.changed, again.records], [false, { kept: 4, dropped: 0 }]);
    assert.equal(again.bytes.after, again.bytes.before);
    assert.equal((await compactCommit(repository, tip(repo), wanted)).to, null);
    assert.deepEqual([repo.fsck(), repo.git('for-each-ref', 'refs/socraticode')], ['', '']);
  });
}

test('a note written while the ref is compacted is not lost', async () => {
  const repo = createRepo();
  const targets = Array.from({ length: 3 }, (_, i) => repo.blob(`${i}`));
  const late = repo.blob('late');
  const repository = await noted(repo, targets);
  let written = false;
  const reachable = async (all: Iterable<string>) => {
    const kept = new Set(all);
    if (!written) await writeNotes(repository, REF, [{ target: late, note: Buffer.from('late') }]);
    written = true;
    return kept;
  };
  await compactRef(repository, tip(repo), { reachable });
  assert.deepEqual([...repo.notes().keys()].sort(), [...targets, late].sort());
  assert.equal(repo.git('rev-list', '--count', REF), '1');
});

test('a ref that moves in every attempt is said to keep changing', async () => {
  const repo = createRepo();
  const repository = await noted(repo, [repo.blob('a'), repo.blob('b')]);
  let writes = 0;
  const reachable = async (all: Iterable<string>) => {
    const kept = new Set(all);
    await writeNotes(repository, REF, [{ target: repo.blob(`late ${writes++}`), note: Buffer.from('late') }]);
    return kept;
  };
  await assert.rejects(compactRef(repository, tip(repo), { reachable }), { code: 'LOCKED', message: /kept changing/ });
});

test('a ref that another process holds for a moment is waited for', async () => {
  const repo = createRepo();
  const targets = [repo.blob('a'), repo.blob('b')];
  const repository = await noted(repo, targets);
  const held = join(repository.commonDir, `${REF}.lock`);
  writeFileSync(held, '');
  setTimeout(() => rmSync(held), 200);
  const done = await compactRef(repository, tip(repo), { reachable: null });
  assert.deepEqual([done.changed, repo.git('rev-list', '--count', REF)], [true, '1']);
});

test('compacting moves notes at other fan-out depths to ours, without duplicates', async () => {
  const repo = createRepo();
  const [a, b] = [repo.blob('a'), repo.blob('b')];
  repo.git('notes', `--ref=${REF}`, 'add', '-m', 'by git', a);
  const repository = await noted(repo, [b]);
  await compactRef(repository, tip(repo), { reachable: null });
  const { notes, foreign } = await listNotes(repository.git, REF);
  assert.deepEqual([[...notes.keys()].sort(), foreign.size], [[a, b].sort(), 0]);
  assert.equal(repo.git('notes', `--ref=${REF}`, 'show', a), 'by git');
});

test('records of blobs that a ref, a work tree, the index, a stash or a reflog reaches are kept', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'first' });
  repo.commit({ 'a.txt': 'second' });
  repo.git('tag', 'old');
  repo.git('reset', '-q', '--hard', 'HEAD^');
  repo.commit({ 'a.txt': 'third' });
  repo.git('reset', '-q', '--hard', 'HEAD^');
  repo.write({ 'a.txt': 'stashed' }).git('stash', '-q');
  repo.write({ 'a.txt': 'staged' }).git('add', '-A');
  repo.git('worktree', 'add', '-q', '--detach', `${repo.dir}-linked`, 'old');
  const linked = `${repo.dir}-linked`;
  repo.git('-C', linked, 'commit', '-q', '--allow-empty', '-m', 'x');
  const oid = (text: string) => repo.gitInput(text, 'hash-object', '-w', '--stdin');
  const needed = ['first', 'second', 'third', 'stashed', 'staged'].map(oid);
  const loose = oid('nobody needs this');
  const repository = await openRepository(repo.dir);
  assert.deepEqual(await locallyReachable(repository.git, [...needed, loose]), new Set(needed));
});

test('sizes are those of the objects as they are stored, and none cost nothing', async () => {
  const repo = createRepo();
  const oids = ['a', 'b'.repeat(5_000)].map((text) => repo.blob(text));
  const { git } = await openRepository(repo.dir);
  const stored = oids.map((oid) => Number(repo.gitInput(oid, 'cat-file', '--batch-check=%(objectsize:disk)')));
  assert.ok(stored.every((size) => size > 0));
  assert.deepEqual(await Promise.all([[], oids.slice(1), oids].map((some) => sizesOf(git, some))), [
    0,
    stored[1],
    stored[0] + stored[1],
  ]);
  assert.equal(await sizesOf(git, [...oids, '1'.repeat(40)], 'objectsize'), 5_001);
});
