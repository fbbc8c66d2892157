/** A whole index run over files in memory: what it parses, writes and publishes, and what is left when it breaks off. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentProgress } from '../../src/base/progress.js';
import type { NoteEntry } from '../../src/git/notes.js';
import { PhaseTimer } from '../../src/indexer/report.js';
import { runIndex } from '../../src/indexer/run.js';
import { encodeSyntaxRecord } from '../../src/record/codec.js';
import { ShardDirectory } from '../../src/shard/directory.js';
import { findUnit } from '../../src/shard/live.js';
import type { CompleteSnapshot } from '../../src/shard/manifest.js';
import { catalogFile, materialise, type SourceFile } from '../support/generated/corpus.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { source } from './vector-fixture.js';

const [CART, ORDER, LATE] = [source('Cart', 'add', 'total'), source('Order', 'ship'), source('Late')];

/** A repository in memory. Notes have a tip, which changes with each write. */
function world() {
  const contents = new Map<string, Buffer>();
  const notes = new Map<string, Uint8Array>();
  const [batches, parsed, prepared]: [number[], string[], string[]] = [[], [], []];
  const state = { tip: null as string | null, stops: 0, listed: 0, isFull: false, snapshot: null as string | null };
  const directory = new ShardDirectory(makeDirectory('shards'), 'p');
  const store = {
    readTip: async () => state.tip,
    load: async () => void state.listed++,
    has: (oid: string) => notes.has(oid),
    read: async () => null,
    write: async (entries: NoteEntry[]) => {
      if (state.isFull) throw new Error('no space for notes');
      batches.push(entries.length);
      for (const { target, note } of entries) notes.set(target, note as Uint8Array);
      state.tip = `tip ${batches.length}`;
    },
  };
  const pool = {
    size: 2,
    rest: () => void state.stops++,
    stop: () => {},
    parse: async ({ oid }: { oid: string }) => {
      parsed.push(oid);
      const { facts } = files.get(oid) ?? assert.fail('no such file');
      return { record: encodeSyntaxRecord(oid, { facts: { typescript: facts } }), degraded: null };
    },
  };
  const files = new Map<string, ReturnType<typeof materialise>>();
  const objects = {
    info: async (oid: string) => {
      const content = contents.get(oid);
      return content === undefined ? null : { oid, type: 'blob', size: content.length };
    },
    read: async (oid: string) => {
      const content = contents.get(oid);
      return content === undefined ? null : { oid, type: 'blob', size: content.length, content };
    },
  };
  const run = (sources: SourceFile[], more: object = {}) => {
    for (const each of sources) files.set(materialise(each).oid, materialise(each));
    const context = {
      ...{ objects, store, pool, directory, oidBytes: 20, maxFileBytes: 100_000, timer: new PhaseTimer() },
      describe: () => (state.snapshot === null ? null : ({ key: state.snapshot } as CompleteSnapshot)),
      ...{ progress: silentProgress, onBadRecord: () => {}, ...more },
    };
    return runIndex(sources.map(catalogFile), context as unknown as Parameters<typeof runIndex>[1]);
  };
  const add = (...sources: SourceFile[]) => {
    for (const each of sources) contents.set(materialise(each).oid, materialise(each).bytes);
    return sources;
  };
  return { state, contents, notes, batches, parsed, prepared, directory, run, add };
}

const oidOf = (file: SourceFile) => materialise(file).oid;

test('a first run parses every blob once, writes its record, and publishes a shard that holds it', async () => {
  const { run, add, state, notes, parsed, directory } = world();
  const files = add(CART, ORDER);
  const result = await run([...files, { ...CART, path: 'copy.ts' }]);
  assert.deepEqual([result.new, parsed.length, state.stops], [2, 2, 1]);
  assert.deepEqual([...notes.keys()].sort(), files.map(oidOf).sort());
  const manifest = directory.readManifest();
  assert.deepEqual([manifest, manifest.notes, manifest.unreadable], [result.manifest, 'tip 1', []]);
  const noted = [...notes.values()].reduce((sum, { length }) => sum + length, 0);
  assert.equal(result.bytesAdded, noted + manifest.shards[0].bytes);
  for (const file of files) assert.ok(findUnit(directory.openShards(manifest), oidOf(file), 'typescript') !== null);
});

test('a run without work reads no listing of notes, parses nothing and publishes nothing', async () => {
  const { run, add, state, parsed, directory } = world();
  await run(add(CART));
  const [version, listed] = [directory.version(), state.listed];
  const { new: count, bytesAdded, shards } = await run([CART]);
  assert.deepEqual([count, bytesAdded, shards.length, parsed.length], [0, 0, 1, 1]);
  assert.deepEqual([directory.version(), state.listed, state.stops], [version, listed, 2]);
});

test('new files get a shard of their own; the old one stays, and only the new one is prepared for searches', async () => {
  const { run, add, prepared } = world();
  const first = await run(add(CART));
  const early = { afterMs: 60_000, prepare: ({ name }: { name: string }) => prepared.push(name) };
  const { manifest, new: count } = await run(add(CART, ORDER), { early });
  assert.deepEqual([count, manifest.shards.length, manifest.shards[0]], [1, 2, first.manifest.shards[0]]);
  assert.deepEqual(prepared, [manifest.shards[1].file]);
});

test('records that the notes have lost are written again, without another shard', async () => {
  const { run, add, state, notes, directory } = world();
  const { manifest } = await run(add(CART, ORDER));
  notes.delete(oidOf(CART));
  state.tip = 'somebody else wrote';
  const again = await run([CART, ORDER]);
  assert.deepEqual([again.new, again.manifest.shards], [0, manifest.shards]);
  assert.equal(again.bytesAdded, notes.get(oidOf(CART))?.length);
  assert.equal(directory.readManifest().notes, 'tip 2');
});

test('a lost record of a file that this snapshot lacks is remembered, and written when a snapshot has it again', async () => {
  const { run, add, state, notes } = world();
  await run(add(CART, ORDER));
  notes.delete(oidOf(CART));
  state.tip = 'somebody else wrote';
  assert.deepEqual((await run([ORDER])).manifest.unrecorded, [oidOf(CART)]);
  assert.ok(!notes.has(oidOf(CART)));
  assert.deepEqual((await run([CART])).manifest.unrecorded, []);
  assert.ok(notes.has(oidOf(CART)));
});

test('a blob that cannot be read is named until a run can read it', async () => {
  const { run, add, contents } = world();
  add(CART, ORDER, LATE);
  contents.delete(oidOf(CART));
  contents.delete(oidOf(LATE));
  const lost = await run([CART, ORDER, LATE]);
  assert.deepEqual([lost.new, lost.manifest.unreadable], [1, [oidOf(CART), oidOf(LATE)].sort()]);
  add(CART);
  assert.deepEqual((await run([CART, ORDER])).manifest.unreadable, [oidOf(LATE)]);
});

test('records are written 250 at a time', async () => {
  const { run, add, batches } = world();
  await run(add(...Array.from({ length: 501 }, (_, i) => source(`Class${i}`))));
  assert.deepEqual(batches, [250, 250, 1]);
});

test('a run that is cancelled keeps the records of what it parsed and publishes nothing', async () => {
  const { run, add, notes, directory } = world();
  const stop = new AbortController();
  const progress = { ...silentProgress, update: (done: number) => done === 2 && stop.abort() };
  await assert.rejects(run(add(CART, ORDER, LATE), { progress, signal: stop.signal }), { name: 'AbortError' });
  assert.equal(notes.size, 2);
  assert.deepEqual(directory.readManifest().shards, []);
});

test('a run that cannot write records fails and publishes nothing', async () => {
  const { run, add, state, directory } = world();
  state.isFull = true;
  await assert.rejects(run(add(CART)), /no space for notes/);
  assert.deepEqual(directory.readManifest().shards, []);
});

test('the last sixteen complete snapshots are known, each once, the latest last', async () => {
  const { run, add, state, directory } = world();
  add(CART);
  for (let i = 0; i < 18; i++) {
    state.snapshot = `snapshot ${i}`;
    await run([CART]);
  }
  state.snapshot = 'snapshot 5';
  await run([CART]);
  const keys = directory.readManifest().complete.map(({ key }) => Number(key.split(' ')[1]));
  assert.deepEqual(keys, [2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 5]);
  state.snapshot = null;
  await run([CART]);
  assert.equal(directory.readManifest().complete.length, 16, 'an incomplete one forgets none');
});
