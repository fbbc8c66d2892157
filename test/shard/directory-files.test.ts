/** Files of a shard directory one by one: what a manifest says, which files are right, and which are removed when. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import {
  emptyManifest,
  type Manifest,
  removeAbandonedFolders,
  ShardDirectory,
  type ShardEntry,
} from '../../src/shard/directory.js';
import { encodeLexical, LEXICAL_MAGIC } from '../../src/shard/lexical-format.js';
import { buildColumns } from '../support/generated/corpus.js';
import { makeDirectory } from '../support/repositories/repo.js';

const PROFILE = '0123456789ab';
const MINUTE = 60_000;

const newDirectory = () => new ShardDirectory(join(makeDirectory(), 'state', PROFILE), PROFILE);

function addShard(directory: ShardDirectory, name: string): ShardEntry {
  const bytes = encodeLexical(buildColumns([{ path: `${name}.ts`, className: name, methods: [] }]));
  return directory.writeShard(bytes, { units: 1, documents: 1 });
}

/** Sets the time of a file so many milliseconds back. */
function age(path: string, ms: number): void {
  const then = new Date(Date.now() - ms);
  utimesSync(path, then, then);
}

test('a shard is named by its content, and its entry says what it is', () => {
  const directory = newDirectory();
  const entry = addShard(directory, 'One');
  const bytes = readFileSync(join(directory.directory, entry.file));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = `lexical-${sha256.slice(0, 16)}.bin`;
  assert.deepEqual(entry, { file, bytes: bytes.length, sha256, units: 1, documents: 1 });
  assert.deepEqual(emptyManifest('p'), {
    ...{ format: 1, profile: 'p', layout: LEXICAL_MAGIC, shards: [], notes: null, unreadable: [], complete: [] },
  });
});

test('a manifest is none, damaged, older or published, and looking at it changes nothing', () => {
  const directory = newDirectory();
  const path = join(directory.directory, 'manifest.json');
  const state = () => directory.inspectManifest().state;
  assert.equal(state(), 'none');
  const manifest = { ...emptyManifest(PROFILE), shards: [addShard(directory, 'One')], notes: 'tip', unrecorded: ['a'] };
  directory.publish(manifest);
  assert.deepEqual(directory.inspectManifest(), { state: 'published', manifest });
  directory.publish({ ...manifest, layout: 'of another version' });
  assert.deepEqual(directory.inspectManifest(), { state: 'older', manifest: emptyManifest(PROFILE) });
  directory.publish(manifest);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"tip"', '"top"'));
  assert.deepEqual([state(), existsSync(path)], ['damaged', true]);
  directory.heals = false;
  assert.deepEqual(
    [directory.readManifest(), existsSync(path)],
    [emptyManifest(PROFILE), true],
    'a check moves nothing',
  );
  // Sealed for another folder, and of another profile.
  const other = new ShardDirectory(join(makeDirectory(), 'state', 'ffffffffffff'), PROFILE);
  mkdirSync(other.directory, { recursive: true });
  writeFileSync(join(other.directory, 'manifest.json'), text);
  assert.equal(other.inspectManifest().state, 'damaged');
  writeFileSync(path, text);
  assert.equal(new ShardDirectory(directory.directory, 'ffffffffffff').inspectManifest().state, 'damaged');
  assert.equal(state(), 'published');
});

test('a manifest with a field of another kind is damaged, although this user sealed it', () => {
  const directory = newDirectory();
  const state = (change: object) => {
    directory.publish({ ...emptyManifest(PROFILE), ...change } as Manifest);
    return directory.inspectManifest().state;
  };
  const file = `lexical-${'0'.repeat(16)}.bin`;
  for (const fine of [
    { shards: [{ file, bytes: 3 }] },
    { notes: 'x' },
    { unrecorded: ['a'] },
    { failed: { by: 'x', once: [] } },
    { complete: [{}] },
  ])
    assert.equal(state(fine), 'published', JSON.stringify(fine));
  for (const wrong of [
    { format: 2 },
    { profile: 'other' },
    { layout: 7 },
    { shards: [{ file: `../${file}`, bytes: 3 }] },
    { shards: [{ file, bytes: 0.5 }] },
    {
      shards: [
        { file, bytes: 3 },
        { file: 'x', bytes: 3 },
      ],
    },
    { notes: 7 },
    { unrecorded: 'a' },
    { unreadable: {} },
    { failed: { by: 7, once: [] } },
    { failed: { by: 'x', once: 'y' } },
    { complete: null },
  ])
    assert.equal(state(wrong), 'damaged', JSON.stringify(wrong));
});

test('a folder that a link leads to is not read, and not written to', () => {
  const outside = newDirectory();
  outside.publish({ ...emptyManifest(PROFILE), notes: 'theirs' });
  const state = join(makeDirectory(), 'state');
  mkdirSync(state);
  symlinkSync(outside.directory, join(state, PROFILE));
  const linked = new ShardDirectory(join(state, PROFILE), PROFILE);
  assert.deepEqual([linked.version(), linked.inspectManifest().state], ['', 'none']);
  assert.throws(() => linked.publish(emptyManifest(PROFILE)), { code: /./ });
  assert.throws(() => linked.writeShard(Buffer.from('x'), { units: 0, documents: 0 }), { code: /./ });
  assert.equal(outside.readManifest().notes, 'theirs');
});

test('files of a manifest are all there with their lengths, or not', () => {
  const directory = newDirectory();
  const shards = [addShard(directory, 'One'), addShard(directory, 'Two')];
  assert.equal(directory.hasShards({ shards }), true);
  assert.equal(directory.hasShards({ shards: [] }), true);
  assert.equal(directory.hasShards({ shards: [shards[0], { ...shards[1], bytes: shards[1].bytes + 1 }] }), false);
  assert.equal(directory.areRight({ shards }), true);
  assert.equal(
    directory.areRight({ shards: [shards[0], { ...shards[1], sha256: '0'.repeat(64) }] }),
    true,
    'it is open',
  );
  const path = join(directory.directory, shards[1].file);
  renameSync(path, `${path}.away`);
  assert.deepEqual(
    [directory.hasShards({ shards }), new ShardDirectory(directory.directory, PROFILE).areRight({ shards })],
    [false, false],
  );
  symlinkSync(`${path}.away`, path);
  assert.equal(directory.hasShards({ shards }), false, 'a link is no file');
});

test('shards come in the order of the manifest, those that are open again as they are, and of another layout none', () => {
  const directory = newDirectory();
  const shards = [addShard(directory, 'One'), addShard(directory, 'Two')];
  const open = (of: readonly ShardEntry[], opened: ReturnType<typeof directory.openShards> = []) =>
    directory.openShards({ ...emptyManifest(PROFILE), shards: [...of] }, opened);
  const first = open(shards);
  assert.deepEqual(
    first.map(({ name }) => name),
    shards.map(({ file }) => file),
  );
  const again = open([shards[1], shards[0]], first);
  assert.deepEqual([again[0] === first[1], again[1] === first[0]], [true, true]);
  const other = directory.writeShard(Buffer.from('of another layout'), { units: 0, documents: 0 });
  assert.deepEqual(
    open([other, shards[0]]).map(({ name }) => name),
    [shards[0].file],
  );
  assert.ok(existsSync(join(directory.directory, other.file)), 'it is whole, so it stays');
  rmSync(join(directory.directory, shards[0].file));
  assert.deepEqual(
    open(shards).map(({ name }) => name),
    [shards[1].file],
  );
});

test('a publication removes shards, their vectors and damaged files that no manifest has named for ten minutes, and no others', () => {
  const directory = newDirectory();
  const [live, old] = [addShard(directory, 'One'), addShard(directory, 'Two')];
  directory.publish({ ...emptyManifest(PROFILE), shards: [live] });
  const vectorsOf = ({ file }: ShardEntry) =>
    `vectors-feedfacecafe-${file.slice('lexical-'.length, -'.bin'.length)}.bin`;
  const names = [live.file, old.file, vectorsOf(live), vectorsOf(old), `${live.file}.bad`, 'other.bin'];
  const left = (ms: number) => {
    for (const name of names) {
      const path = join(directory.directory, name);
      if (!existsSync(path)) writeFileSync(path, 'x');
      age(path, ms);
    }
    directory.publish({ ...emptyManifest(PROFILE), shards: [live] });
    return names.filter((name) => existsSync(join(directory.directory, name)));
  };
  assert.deepEqual(left(9 * MINUTE), names);
  assert.deepEqual(left(11 * MINUTE), [live.file, vectorsOf(live), 'other.bin']);
});

test('what a publication replaces is kept from then on, with its vectors, whatever their age', () => {
  const directory = newDirectory();
  const [first, second] = [addShard(directory, 'One'), addShard(directory, 'Two')];
  directory.publish({ ...emptyManifest(PROFILE), shards: [first] });
  const vectors = `vectors-feedfacecafe-${first.file.slice('lexical-'.length, -'.bin'.length)}.bin`;
  writeFileSync(join(directory.directory, vectors), 'x');
  for (const name of [first.file, vectors]) age(join(directory.directory, name), 60 * MINUTE);
  directory.publish({ ...emptyManifest(PROFILE), shards: [second] });
  const kept = readdirSync(directory.directory).filter((name) => /^(?:lexical|vectors)-/.test(name));
  assert.deepEqual(kept.sort(), [first.file, second.file, vectors].sort());
});

test('of folders of other keys the three latest stay for a month; those of the own key, and other folders, always', () => {
  const state = join(makeDirectory(), 'state');
  const DAY = 24 * 60 * MINUTE;
  const own = `${PROFILE}-aaaaaaaa`;
  const folders: [name: string, age: number][] = [
    [own, 90 * DAY],
    ['ffffffffffff-aaaaaaaa', 90 * DAY],
    ['logs', 90 * DAY],
    ['0123456789ab-bbbbbbbb', DAY],
    ['0123456789ab-cccccccc', 29 * DAY],
    ['0123456789ab-dddddddd', 31 * DAY],
    ['0123456789ab-eeeeeeee', -2 * DAY],
    ['0123456789ab-ffffffff', -DAY / 2],
  ];
  const make = (some: typeof folders) => {
    for (const [name, ms] of some) {
      mkdirSync(join(state, name), { recursive: true });
      writeFileSync(join(state, name, 'file'), 'x');
      age(join(state, name), ms);
    }
    removeAbandonedFolders(join(state, own));
    return readdirSync(state).sort();
  };
  const gone = ['0123456789ab-dddddddd', '0123456789ab-eeeeeeee'];
  const names = folders.map(([name]) => name);
  assert.deepEqual(make(folders), names.filter((name) => !gone.includes(name)).sort());
  const more = make([['0123456789ab-11111111', 0]]);
  assert.equal(more.includes('0123456789ab-cccccccc'), false, 'the fourth');
  assert.deepEqual([more.includes('0123456789ab-bbbbbbbb'), more.includes(basename(own))], [true, true]);
});
