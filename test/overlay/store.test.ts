/** Two processes that keep the same overlay: neither takes away what the other one names. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { sealOf } from '../../src/base/sealed.js';
import { type KnownFile, overlayFault, readState, STATE, sealedName } from '../../src/overlay/state-file.js';
import { OverlayStore } from '../../src/overlay/store.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical } from '../../src/shard/columns.js';
import { makeDirectory } from '../support/repositories/repo.js';

const files = (at: number) =>
  new Map<string, KnownFile>([
    ['a.ts', { oid: 'a'.repeat(40), content: '', at, size: 1, mtime: '1', ctime: '1', inode: '1' }],
  ]);

/** A shard of one blob that is not indexed. */
function shardBytes(digit: string): Buffer {
  const builder = new LexicalBuilder(20);
  builder.addSkipped(digit.repeat(40), 'c', 'binary', 7);
  return encodeLexical(builder.finish());
}

function twoStores(): { directory: string; ours: OverlayStore; theirs: OverlayStore } {
  const directory = join(makeDirectory('state'), 'profile', 'overlay-0');
  return { directory, ours: new OverlayStore(directory, directory), theirs: new OverlayStore(directory, directory) };
}

test('a process writes its shard again if another process has removed it', () => {
  const { directory, ours, theirs } = twoStores();
  const [first, second, third] = ['a', 'b', 'c'].map(shardBytes);
  const kept = ours.add(first);
  ours.save({ files: files(1), shards: [kept] });
  assert.equal(theirs.load().shards.length, 1);
  theirs.save({ files: files(2), shards: [theirs.add(second)] });
  assert.equal(existsSync(join(directory, kept.name)), false);
  ours.save({ files: files(3), shards: [kept, ours.add(third)] });
  assert.equal(overlayFault(directory), null);
  assert.equal(new OverlayStore(directory, directory).load().shards.length, 2);
});

test('a young shard of another process is not removed', () => {
  const { directory, ours, theirs } = twoStores();
  const [first, second, third] = ['a', 'b', 'c'].map(shardBytes);
  const fresh = ours.add(first);
  ours.save({ files: files(1), shards: [fresh] });
  const path = join(directory, fresh.name);
  theirs.save({ files: files(2), shards: [theirs.add(second)] });
  assert.ok(existsSync(path));
  const past = new Date(Date.now() - 60_000);
  utimesSync(path, past, past);
  theirs.save({ files: files(3), shards: [theirs.add(third)] });
  assert.equal(existsSync(path), false);
  assert.equal(overlayFault(directory), null);
});

test('a shard is written though a damaged file has its name', () => {
  const { directory, ours } = twoStores();
  const shard = ours.add(shardBytes('a'));
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, shard.name), 'half of');
  ours.save({ files: files(1), shards: [shard] });
  assert.equal(overlayFault(directory), null);
});

test('the state of another version of the format is not read', () => {
  const { directory, ours, theirs } = twoStores();
  ours.save({ files: files(1), shards: [ours.add(shardBytes('a'))] });
  const json = JSON.stringify({ ...JSON.parse(readState(directory).json), format: '0 older' });
  writeFileSync(join(directory, STATE), `${json}\n${sealOf(sealedName(directory), json)}\n`);
  assert.equal(readState(directory).files.length, 1, 'it is sealed');
  assert.deepEqual([theirs.load(), overlayFault(directory)], [{ files: new Map(), shards: [] }, null]);
});

test('each save removes the overlays of work trees that were deleted meanwhile', () => {
  const { directory, ours } = twoStores();
  const gitDir = makeDirectory('worktree');
  const other = join(dirname(directory), 'overlay-1');
  const young = join(dirname(directory), 'overlay-2');
  const theirs = new OverlayStore(other, gitDir);
  theirs.save({ files: files(1), shards: [theirs.add(shardBytes('a'))] });
  mkdirSync(young);
  ours.save({ files: files(1), shards: [] });
  assert.ok(existsSync(other));
  rmSync(gitDir, { recursive: true });
  ours.save({ files: files(2), shards: [] });
  assert.deepEqual([existsSync(other), existsSync(young), overlayFault(directory)], [false, true, null]);
});

test('a named pipe in place of the owner of another overlay is not opened', {
  skip: process.platform === 'win32',
}, () => {
  const { directory, ours } = twoStores();
  const other = join(dirname(directory), 'overlay-1');
  mkdirSync(other, { recursive: true });
  execFileSync('mkfifo', [join(other, 'worktree')]);
  ours.save({ files: files(1), shards: [] });
  assert.deepEqual([existsSync(other), overlayFault(directory)], [true, null]);
});
