/** Clones that are not like others: shallow, bare, mirrored, SHA-256, linked work trees. Partial ones are the campaign `partial-clones`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { uniteFetched } from '../../src/session/records/bring-records.js';
import { disable, enable, pullNotes, readNotesFetchConfig } from '../../src/share/pull.js';
import { pushNotes } from '../../src/share/push.js';
import { cloneRepo, makeDirectory, runGit, TestRepo } from '../support/repositories/repo.js';
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

/** A remote with an index of all its files. */
async function indexed(count = 3, objectFormat: 'sha1' | 'sha256' = 'sha1') {
  const { remote, clone } = remoteWith(texts(count), { objectFormat });
  const blobs = Array.from({ length: count }, (_, i) => blobOf(clone, `f${i}.txt`)).sort();
  await note(clone, blobs);
  await pushNotes(await sharedOf(clone), 'origin', [SELECTOR]);
  return { remote, clone, blobs };
}

const pull = async (repo: TestRepo) => pullNotes(await sharedOf(repo), 'origin', [SELECTOR]);

test('push and pull do not deepen a shallow clone', async () => {
  const { remote, clone } = await indexed(3);
  clone.commit({ 'late.txt': 'late\n' });
  clone.git('push', '-q', 'origin', 'main');
  const shallow = cloneRepo(remote, '--depth=1');
  const boundary = () => readFileSync(join(shallow.commonDir, 'shallow'), 'utf8');
  const before = boundary();
  assert.equal((await pull(shallow)).received, 3);
  await note(shallow, [blobOf(shallow, 'late.txt')]);
  assert.equal((await pushNotes(await sharedOf(shallow), 'origin', [SELECTOR])).sent, 1);
  assert.deepEqual([boundary(), shallow.git('rev-list', '--count', 'HEAD')], [before, '1']);
  assert.equal(noted(remote).length, 4);
});

for (const objectFormat of ['sha1', 'sha256'] as const) {
  test(`${objectFormat}: bare clones and linked work trees share as well`, async () => {
    const { remote, clone, blobs } = await indexed(3, objectFormat);
    const bare = cloneRepo(remote, '--bare');
    assert.equal((await pull(bare)).received, 3);
    assert.deepEqual(noted(bare), blobs);
    const linked = new TestRepo(join(makeDirectory('linked'), 'tree'));
    clone.git('worktree', 'add', '-q', '-b', 'topic', linked.dir);
    linked.commit({ 'topic.txt': 'topic\n' });
    linked.git('push', '-q', 'origin', 'topic');
    await note(linked, [blobOf(linked, 'topic.txt')]);
    assert.equal((await pushNotes(await sharedOf(linked), 'origin', [SELECTOR])).sent, 1);
    assert.equal(noted(remote).length, 4);
  });
}

test('sharing is not enabled again in a mirror, whose fetches may overwrite notes, and a push still works', async () => {
  const { remote, clone, blobs } = await indexed(3);
  clone.commit({ 'late.txt': 'late\n' });
  clone.git('push', '-q', 'origin', 'main');
  const mirror = cloneRepo(remote, '--mirror');
  const shared = await sharedOf(mirror);
  assert.deepEqual([readNotesFetchConfig(shared, 'origin').isMirrored, await enable(shared, 'origin')], [true, false]);
  assert.deepEqual(noted(mirror), blobs);
  const late = mirror.git('rev-parse', 'HEAD:late.txt');
  await note(mirror, [late]);
  // Our own fetch follows no configured refspec: it would have thrown the new record away.
  assert.equal((await pushNotes(shared, 'origin', [SELECTOR])).sent, 1);
  assert.deepEqual(noted(remote), [...blobs, late].sort());
  assert.deepEqual(noted(mirror), noted(remote));
});

test('once sharing is enabled, a plain git fetch updates tracking refs and keeps the local notes, with --prune too', async () => {
  const { remote, clone, blobs } = await indexed(3);
  const other = cloneRepo(remote);
  const before = other.git('config', '--get-all', 'remote.origin.fetch');
  assert.equal(await enable(await sharedOf(other), 'origin'), true);
  assert.equal(await enable(await sharedOf(other), 'origin'), false);
  const local = other.blob('only here');
  await note(other, [local]);
  other.git('fetch', '-q', '--prune');
  assert.deepEqual(noted(other), [local]);
  assert.equal(await uniteFetched(await sharedOf(other), [SELECTOR]), 3);
  assert.deepEqual(noted(other), [...blobs, local].sort());
  // Without an index on the remote, fetching works as before.
  remote.git('update-ref', '-d', NOTES_REF);
  other.git('fetch', '-q', '--prune');
  assert.deepEqual(noted(other), [...blobs, local].sort());
  assert.equal(await disable(await sharedOf(other), 'origin'), true);
  assert.equal(other.git('config', '--get-all', 'remote.origin.fetch'), before);
  assert.equal(await disable(await sharedOf(clone), 'origin'), false);
});

test('push and pull work over git://', { skip: !hasDaemon() }, async (t) => {
  const { remote, blobs } = await indexed(3);
  const { url, stop } = await startDaemon(remote);
  t.after(stop);
  const dir = makeDirectory('clone');
  runGit(['clone', '-q', url, dir], { cwd: remote.dir });
  const clone = new TestRepo(dir);
  assert.equal((await pull(clone)).received, 3);
  assert.deepEqual(noted(clone), blobs);
  clone.commit({ 'late.txt': 'late\n' });
  clone.git('push', '-q', 'origin', 'main');
  await note(clone, [blobOf(clone, 'late.txt')]);
  assert.equal((await pushNotes(await sharedOf(clone), 'origin', [SELECTOR])).sent, 1);
});

function hasDaemon(): boolean {
  return existsSync(join(execPath(), 'git-daemon'));
}

function execPath(): string {
  return runGit(['--exec-path'], { cwd: '/' }).toString().trim();
}

async function startDaemon(remote: TestRepo): Promise<{ url: string; stop: () => void }> {
  const port = await freePort();
  const args = ['--reuseaddr', '--listen=127.0.0.1', `--port=${port}`, '--export-all', '--enable=receive-pack'];
  const child = spawn(join(execPath(), 'git-daemon'), [...args, `--base-path=${remote.dir}/..`], { stdio: 'ignore' });
  const url = `git://127.0.0.1:${port}/${basename(remote.dir)}`;
  for (let i = 0; i < 50 && runGit(['ls-remote', url], { cwd: '/', allowFailure: true }).length === 0; i++)
    await sleep(50);
  return { url, stop: () => child.kill() };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
