/** Compaction loses nothing that is needed: whoever writes meanwhile wins, and what could come back is kept. */
import assert from 'node:assert/strict';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listNotes, notePath, writeNotes } from '../../src/git/notes.js';
import { locallyReachable, readAbout } from '../../src/git/notes-history.js';
import { Remote } from '../../src/git/remote.js';
import { NOTES_PREFIX, openRepository } from '../../src/git/repository.js';
import { compactCommit, compactRef, reachableBlobs, sizesOf } from '../../src/share/compact.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';
import { blobOf, remoteWith, sharedOf } from '../support/repositories/share.js';

const REF = `${NOTES_PREFIX}/syntax/0123456789ab`;

async function noted(repo: TestRepo, targets: readonly string[], about?: string) {
  const repository = await openRepository(repo.dir);
  for (const target of targets)
    await writeNotes(repository, REF, [{ target, note: Buffer.from(`n ${target}`) }], { about });
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

test('notes of one commit are written anew only where something goes', async () => {
  const repo = createRepo();
  const [kept, gone] = [repo.blob('a'), repo.blob('b')];
  const repository = await openRepository(repo.dir);
  const entries = [kept, gone].map((target) => ({ target, note: Buffer.from('n') }));
  await writeNotes(repository, REF, entries);
  const before = tip(repo);
  const compact = async (...reached: string[]) => {
    const { changed, commits, records } = await compactRef(repository, tip(repo), {
      reachable: async () => new Set(reached),
    });
    return [changed, commits, records.kept, records.dropped];
  };
  assert.deepEqual([await compact(kept, gone), tip(repo)], [[false, 1, 2, 0], before]);
  assert.deepEqual(await compact(kept), [true, 1, 1, 1]);
  assert.deepEqual([...repo.notes().keys()], [kept]);
});

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

test('a single commit whose notes stand at another depth is written anew, though nothing goes', async () => {
  const repo = createRepo();
  const a = repo.blob('a');
  repo.git('notes', `--ref=${REF}`, 'add', '-m', 'by git', a);
  const repository = await openRepository(repo.dir);
  const { changed, commits, records } = await compactRef(repository, tip(repo), { reachable: null });
  assert.deepEqual([changed, commits, records], [true, 1, { kept: 1, dropped: 0 }]);
  assert.equal(repo.git('ls-tree', '-r', '--name-only', REF), notePath(a));
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

const ABSENT = 'a'.repeat(40);

test('of the wanted blobs exactly those that the tips reach are found: in their trees, in their history, below tags', async () => {
  const { clone } = remoteWith({ 'a.txt': 'first\n', 'deep/in/b.txt': 'second\n' });
  const [first, second] = [blobOf(clone, 'a.txt'), blobOf(clone, 'deep/in/b.txt')];
  clone.commit({ 'a.txt': 'third\n' });
  const third = blobOf(clone, 'a.txt');
  clone.git('tag', '-a', '-m', 'v1', 'v1');
  const tips = [clone.git('rev-parse', 'HEAD'), clone.git('rev-parse', 'v1')];
  clone.git('checkout', '-q', '-b', 'private');
  clone.commit({ 'secret.txt': 'nobody may see this\n' });
  const secret = blobOf(clone, 'secret.txt');
  const staged = clone.blob('never committed\n');
  const { repository } = await sharedOf(clone);
  const wanted = [first, second, third, secret, staged, ABSENT];
  const found = (from: string[], asked = wanted) => reachableBlobs(repository.git, from, asked);
  assert.deepEqual(await found([tips[0]]), new Set([first, second, third]));
  assert.deepEqual(await found([tips[1]]), new Set([first, second, third]));
  assert.deepEqual(await found([clone.git('rev-parse', 'HEAD~2')]), new Set([first, second]));
  // A single one that is missing must not hide behind those that are there.
  assert.deepEqual(await found([tips[0]], [third, secret]), new Set([third]));
  assert.deepEqual(await found([tips[0]], [secret]), new Set());
  assert.deepEqual(await found([]), new Set());
  assert.deepEqual(await found(tips, []), new Set());
});

test('tips that this repository lacks reach nothing, and do not keep the others from being followed', async () => {
  const { clone } = remoteWith({ 'a.txt': 'first\n' });
  const { repository } = await sharedOf(clone);
  const blob = blobOf(clone, 'a.txt');
  assert.deepEqual(await reachableBlobs(repository.git, [ABSENT], [blob]), new Set());
  assert.deepEqual(
    await reachableBlobs(repository.git, [ABSENT, clone.git('rev-parse', 'HEAD')], [blob]),
    new Set([blob]),
  );
});

test('a blob that a partial clone lacks counts: the remote has it', async () => {
  const { remote, clone } = remoteWith({ 'a.txt': 'first\n', 'b.txt': 'second\n' });
  const blobs = [blobOf(clone, 'a.txt'), blobOf(clone, 'b.txt')];
  remote.git('config', 'uploadpack.allowFilter', 'true');
  const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  const { repository } = await sharedOf(partial);
  const tips = [partial.git('rev-parse', 'HEAD')];
  assert.deepEqual(await reachableBlobs(repository.git, tips, [...blobs, ABSENT]), new Set(blobs));
});

test('only branches and tags of a remote count as public, whatever else it lists', async () => {
  const { remote, clone } = remoteWith({ 'a.txt': 'first\n' });
  const main = clone.git('rev-parse', 'HEAD');
  clone.git('checkout', '-q', '-b', 'private');
  const tips = ['notes/heads/x', 'pull/1/head', 'heads-up/x', 'x/refs/heads/y'].map((name) => {
    const commit = clone.commit({ [`${name.replaceAll('/', '-')}.txt`]: `${name}\n` });
    clone.git('push', '-q', 'origin', `HEAD:refs/${name}`);
    return commit;
  });
  clone.git('tag', '-a', '-m', 'v1', 'v1', main);
  clone.git('push', '-q', 'origin', 'v1');
  const { repository, config } = await sharedOf(cloneRepo(remote));
  const heads = await new Remote(repository, config, 'origin').listHeads();
  assert.deepEqual([...heads.branches], ['main']);
  assert.deepEqual(new Set(heads.tips), new Set([main, clone.git('rev-parse', 'v1')]));
  assert.ok(tips.every((tip) => !heads.tips.includes(tip)));
});

test('a walk that a damaged object ends is an error, unless everything was found before', async () => {
  const { clone } = remoteWith({ 'a.txt': 'first\n' });
  const first = blobOf(clone, 'a.txt');
  const tree = clone.git('rev-parse', 'HEAD^{tree}');
  clone.commit({ 'a.txt': 'second\n' });
  const second = blobOf(clone, 'a.txt');
  const damaged = join(clone.commonDir, 'objects', tree.slice(0, 2), tree.slice(2));
  chmodSync(damaged, 0o644);
  writeFileSync(damaged, 'damaged');
  const { repository } = await sharedOf(clone);
  const tips = [clone.git('rev-parse', 'HEAD')];
  assert.deepEqual(await reachableBlobs(repository.git, tips, [second]), new Set([second]));
  await assert.rejects(reachableBlobs(repository.git, tips, [first, second]), { code: 'GIT_FAILED' });
});
