/** Which blobs a remote has: what alone keeps records of private branches here. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Remote } from '../../src/git/remote.js';
import { reachableBlobs } from '../../src/share/reachable.js';
import { cloneRepo } from '../support/repositories/repo.js';
import { blobOf, remoteWith, sharedOf } from '../support/repositories/share.js';

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
