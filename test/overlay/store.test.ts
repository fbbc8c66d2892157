/** Two processes that keep the same overlay: neither takes away what the other one names. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sealOf } from '../../src/base/cache.js';
import { log } from '../../src/base/log.js';
import { type KnownFile, overlayFault, readState, STATE, sealedName, sha256 } from '../../src/overlay/state-file.js';
import { OverlayStore } from '../../src/overlay/store.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical } from '../../src/shard/lexical-format.js';
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

/** Inode of each file of an overlay: a file that was written again has another one. */
const inodes = (directory: string) =>
  Object.fromEntries(readdirSync(directory).map((name) => [name, statSync(join(directory, name)).ino]));

/** What is told when something is done, by `git socraticode --verbose`. */
function told(t: TestContext): string[] {
  const lines: string[] = [];
  t.mock.method(log, 'debug', (text: string) => lines.push(text));
  return lines;
}

test('a shard is written once, and the state only when it has changed', () => {
  const { directory, ours, theirs } = twoStores();
  const shards = [ours.add(shardBytes('a'))];
  ours.save({ files: files(1), shards });
  const before = inodes(directory);
  ours.save({ files: files(2), shards });
  const { [STATE]: state, ...others } = inodes(directory);
  assert.deepEqual({ ...others, [STATE]: before[STATE] }, before);
  assert.notEqual(state, before[STATE]);
  theirs.save({ files: files(3), shards: theirs.load().shards });
  ours.save({ files: files(2), shards });
  assert.equal(readState(directory).files[0][1].at, 3, 'nothing is new here');
});

test('a process that only read a shard names it, keeps it and writes it again as its own', () => {
  const { directory, ours, theirs } = twoStores();
  const bytes = shardBytes('a');
  const { name } = ours.add(bytes);
  ours.save({ files: files(1), shards: [ours.add(bytes)] });
  const { shards } = theirs.load();
  rmSync(join(directory, name));
  theirs.save({ files: files(2), shards });
  assert.equal(overlayFault(directory), null);
  assert.deepEqual(readFileSync(join(directory, name)), bytes);
});

test('of unused shards with their vectors, old ones go, and so do young ones of this process, but not those of another', (t) => {
  const { directory, ours } = twoStores();
  const now = 1_700_000_000_000;
  t.mock.timers.enable({ apis: ['Date'], now });
  const used = ours.add(shardBytes('a'));
  const dropped = ours.add(shardBytes('b'));
  ours.save({ files: files(1), shards: [used, dropped] });
  const aged = (name: string, age: number) => {
    writeFileSync(join(directory, name), 'x');
    const written = new Date(now - age);
    utimesSync(join(directory, name), written, written);
    return name;
  };
  const vectorsOf = (shard: string) => `vectors-0123456789ab-${/[0-9a-f]{16}/.exec(shard)?.[0]}.bin`;
  const [old, young] = ['1', '2'].map((digit) => `lexical-${digit.repeat(16)}.bin`);
  const kept = [aged(young, 9_999), aged(vectorsOf(young), 9_999), aged('notes.txt', 99_999), vectorsOf(used.name)];
  aged(vectorsOf(used.name), 99_999);
  aged(old, 10_000);
  aged(vectorsOf(old), 10_000);
  aged(vectorsOf(dropped.name), 0);
  ours.save({ files: files(2), shards: [used] });
  assert.deepEqual(readdirSync(directory).sort(), [...kept, used.name, STATE, 'worktree'].sort());
  // What was dropped is not this process's any more: another one may have made the same.
  aged(dropped.name, 0);
  ours.save({ files: files(3), shards: [used] });
  assert.ok(existsSync(join(directory, dropped.name)));
});

test('of a state that names what is no shard, a damaged or a missing one nothing is used, and the reason is told', (t) => {
  const lines = told(t);
  const { directory, ours, theirs } = twoStores();
  const load = () => {
    lines.length = 0;
    return [theirs.load().shards.length, ...lines.map((line) => line.replace(/^[^:]+: |lexical-\w+/g, ''))];
  };
  assert.deepEqual(load(), [0], 'no state is nothing to tell of');
  const shard = ours.add(shardBytes('a'));
  ours.save({ files: files(1), shards: [shard] });
  assert.deepEqual(load(), [1]);
  const path = join(directory, shard.name);
  writeFileSync(path, shardBytes('b'));
  assert.deepEqual(load(), [0, '.bin fails its checksum']);
  rmSync(path);
  assert.deepEqual(load(), [0, '.bin fails its checksum']);
  writeFileSync(join(directory, 'other.bin'), shardBytes('a'));
  const named = { file: 'other.bin', sha256: sha256(shardBytes('a')) };
  const json = JSON.stringify({ ...JSON.parse(readState(directory).json), shards: [named] });
  writeFileSync(join(directory, STATE), `${json}\n${sealOf(sealedName(directory), json)}\n`);
  assert.deepEqual(load(), [0, 'not a shard: other.bin']);
});

test('where nothing is uncommitted the state is deleted with its shards, and the same changes are saved anew later', (t) => {
  const lines = told(t);
  const { directory, ours } = twoStores();
  const nothing = { files: new Map(), shards: [] };
  ours.save(nothing);
  assert.deepEqual([existsSync(directory), lines], [false, []]);
  const shards = [ours.add(shardBytes('a'))];
  ours.save({ files: files(1), shards });
  ours.save(nothing);
  assert.deepEqual([readdirSync(directory), lines], [['worktree'], []]);
  ours.save({ files: files(1), shards: [] });
  assert.deepEqual(readdirSync(directory).sort(), [STATE, 'worktree']);
  const [shard] = [ours.add(shardBytes('a'))];
  ours.save({ files: new Map(), shards: [shard] });
  assert.deepEqual([existsSync(join(directory, STATE)), overlayFault(directory)], [true, null]);
});

test('of the other folders of a profile, only overlays with a believable owner that is gone are removed', () => {
  const directory = join(makeDirectory('state'), 'profile', 'overlay-0');
  // Its own work tree is gone, too, as where one is removed while it is searched.
  const store = new OverlayStore(directory, join(directory, 'gone'));
  const owners = { 'overlay-1': 'x'.repeat(65_536), 'overlay-2': 'x'.repeat(65_537), 'my-overlay-3': 'gone' };
  for (const [name, owner] of Object.entries(owners)) {
    mkdirSync(join(dirname(directory), name), { recursive: true });
    writeFileSync(join(dirname(directory), name, 'worktree'), owner);
  }
  store.save({ files: files(1), shards: [] });
  store.save({ files: files(2), shards: [] });
  assert.deepEqual(readdirSync(dirname(directory)).sort(), ['my-overlay-3', 'overlay-0', 'overlay-2']);
  assert.equal(readState(directory).files.length, 1);
});
