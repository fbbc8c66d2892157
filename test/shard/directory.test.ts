/** Publication: readers see the old or the new state; files that fail their checksum are never used. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeFileAtomic } from '../../src/base/atomic.js';
import { isSocraticodeError } from '../../src/base/errors.js';
import { mergeShards } from '../../src/indexer/run.js';
import { emptyManifest, type Manifest, ShardDirectory } from '../../src/shard/directory.js';
import { encodeLexical } from '../../src/shard/lexical-format.js';
import { buildColumns, type SourceFile } from '../support/generated/corpus.js';
import { makeDirectory } from '../support/repositories/repo.js';

const PROFILE = '0123456789ab';
const fileOf = (n: number): SourceFile => ({ path: `f${n}.ts`, className: `Class${n}`, methods: [] });

function newDirectory(): ShardDirectory {
  return new ShardDirectory(join(makeDirectory(), 'nested', PROFILE), PROFILE);
}

function addShard(directory: ShardDirectory, ...numbers: number[]) {
  const columns = buildColumns(numbers.map(fileOf));
  return directory.writeShard(encodeLexical(columns), {
    units: columns.units.length,
    documents: columns.documents.length,
  });
}

test('a published manifest is read back unchanged', () => {
  const directory = newDirectory();
  assert.deepEqual([directory.readManifest(), directory.version()], [emptyManifest(PROFILE), '']);
  const manifest: Manifest = {
    ...emptyManifest(PROFILE),
    shards: [addShard(directory, 1)],
    notes: 'a'.repeat(40),
    unreadable: ['b'],
  };
  directory.publish(manifest);
  assert.deepEqual(directory.readManifest(), manifest);
  const before = directory.version();
  directory.publish({ ...manifest, notes: null });
  assert.notEqual(directory.version(), before);
  assert.equal(directory.openShards(manifest).length, 1);
  assert.deepEqual(
    readdirSync(directory.directory).filter((name) => name.startsWith('.tmp')),
    [],
  );
});

const BAD_MANIFESTS = [
  ...['', '{', 'null', '[]', '{"format":2}', '{"format":1,"profile":"other","shards":[],"notes":null,"unreadable":[]}'],
  ...['{"format":1,"profile":"0123456789ab","shards":[null],"notes":null,"unreadable":[]}'],
  ...['{"format":1,"profile":"0123456789ab","shards":[{"file":"../../evil","bytes":1}],"notes":null,"unreadable":[]}'],
  ...['{"format":1,"profile":"0123456789ab","shards":{},"notes":null,"unreadable":[]}'],
  ...['{"format":1,"profile":"0123456789ab","shards":[],"notes":7,"unreadable":[]}'],
  ...['{"format":1,"profile":"0123456789ab","shards":[],"notes":null}'],
];

test('an invalid manifest is moved aside and counts as missing', () => {
  for (const text of BAD_MANIFESTS) {
    const directory = newDirectory();
    directory.publish(emptyManifest(PROFILE));
    const path = join(directory.directory, 'manifest.json');
    writeFileSync(path, text);
    assert.deepEqual(directory.readManifest(), emptyManifest(PROFILE), text);
    assert.deepEqual([existsSync(path), existsSync(`${path}.bad`)], [false, true], text);
  }
});

test('damaged and missing shards are left out, and damaged ones are moved aside', () => {
  const directory = newDirectory();
  const entries = [addShard(directory, 1), addShard(directory, 2), addShard(directory, 3)];
  const manifest = { ...emptyManifest(PROFILE), shards: entries };
  directory.publish(manifest);
  const path = join(directory.directory, entries[1].file);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(path, bytes);
  assert.deepEqual(
    directory.openShards(manifest).map((shard) => shard.name),
    [entries[0].file, entries[2].file],
  );
  assert.deepEqual([existsSync(path), existsSync(`${path}.bad`)], [false, true]);
  assert.equal(directory.openShards(manifest).length, 2);
});

test('a reader of the previous manifest keeps its files for a while, however old they are', () => {
  const directory = newDirectory();
  const old = addShard(directory, 1);
  const previous = { ...emptyManifest(PROFILE), shards: [old] };
  directory.publish(previous);
  const hourAgo = new Date(Date.now() - 3_600_000);
  const path = join(directory.directory, old.file);
  utimesSync(path, hourAgo, hourAgo);
  directory.publish({ ...previous, shards: [addShard(directory, 2)] });
  assert.equal(directory.openShards(previous).length, 1);
  utimesSync(path, hourAgo, hourAgo);
  directory.publish({ ...previous, shards: [] });
  assert.equal(existsSync(path), false);
});

test('full tiers are merged, newest last; large shards are left alone', () => {
  const directory = newDirectory();
  const large = addShard(directory, ...Array.from({ length: 400 }, (_, i) => i));
  let entries = [large];
  for (let i = 0; i < 20; i++) {
    entries = mergeShards(directory, [...entries, addShard(directory, 1_000 + i)]);
    directory.publish({ ...emptyManifest(PROFILE), shards: entries });
    assert.ok(entries.length < 12);
    assert.equal(entries[0].file, large.file);
  }
  const units = directory.openShards(directory.readManifest()).reduce((sum, shard) => sum + shard.meta.units, 0);
  assert.equal(units, 420);
});

test('writeFileAtomic leaves the old file and no temporary one when it fails', () => {
  const dir = makeDirectory();
  writeFileAtomic(join(dir, 'a'), 'one');
  writeFileAtomic(join(dir, 'a'), 'two');
  assert.equal(readFileSync(join(dir, 'a'), 'utf8'), 'two');
  assert.throws(
    () => writeFileAtomic(join(dir, 'a/b'), 'x'),
    (error) => isSocraticodeError(error, 'DISK'),
  );
  assert.throws(
    () => writeFileAtomic(join(dir, 'missing/b'), 'x'),
    (error) => isSocraticodeError(error, 'DISK'),
  );
  assert.deepEqual(readdirSync(dir), ['a']);
});

const CHANGES: Record<string, (path: string, bytes: Buffer) => void> = {
  'written in place': (path, bytes) => writeFileSync(path, bytes),
  'replaced by another file': (path, bytes) => writeFileAtomic(path, bytes),
  'written, with the time of before': (path, bytes) => {
    const { atime, mtime } = statSync(path);
    writeFileSync(path, bytes);
    utimesSync(path, atime, mtime);
  },
};

for (const [name, change] of Object.entries(CHANGES)) {
  test(`a shard is hashed once, and again when it was ${name}`, async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 10_000 });
    const directory = newDirectory();
    const manifest = { ...emptyManifest(PROFILE), shards: [addShard(directory, 1)] };
    directory.publish(manifest);
    assert.equal(directory.isKnown(manifest.shards[0]), false);
    // A process each: an open shard is not read again.
    const open = () => new ShardDirectory(directory.directory, PROFILE).openShards(manifest).length;
    assert.equal(open(), 1);
    await Promise.resolve();
    assert.ok(existsSync(join(directory.directory, 'checked.bin')));
    assert.deepEqual([directory.isKnown(manifest.shards[0]), open()], [true, 1]);
    const path = join(directory.directory, manifest.shards[0].file);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1] ^= 1;
    change(path, bytes);
    assert.deepEqual([directory.isKnown(manifest.shards[0]), open()], [false, 0]);
  });
}

test('a shard that was written just now is not taken for settled, nor one of a folder that was copied', async (t) => {
  const directory = newDirectory();
  const manifest = { ...emptyManifest(PROFILE), shards: [addShard(directory, 1)] };
  directory.publish(manifest);
  directory.openShards(manifest);
  await Promise.resolve();
  assert.equal(directory.isKnown(manifest.shards[0]), false);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 10_000 });
  new ShardDirectory(directory.directory, PROFILE).openShards(manifest);
  await Promise.resolve();
  assert.equal(directory.isKnown(manifest.shards[0]), true);
  const copy = new ShardDirectory(join(makeDirectory(), 'nested', PROFILE), PROFILE);
  cpSync(directory.directory, copy.directory, { recursive: true, preserveTimestamps: true });
  assert.equal(copy.isKnown(manifest.shards[0]), false);
});

test('a check reads a shard from disk even if this process has it open', () => {
  const directory = newDirectory();
  const manifest = { ...emptyManifest(PROFILE), shards: [addShard(directory, 1)] };
  directory.publish(manifest);
  const [open] = directory.openShards(manifest);
  const path = join(directory.directory, manifest.shards[0].file);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(path, bytes);
  directory.heals = false;
  assert.deepEqual(directory.openShards(manifest), []);
  assert.ok(existsSync(path), 'it is left where it is');
  assert.equal(open.meta.documents, manifest.shards[0].documents);
});
