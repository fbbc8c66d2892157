/** A whole index run over files in memory: what it parses, writes and publishes, and what is left when it breaks off. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { silentProgress } from '../../src/base/progress.js';
import type { NoteEntry } from '../../src/git/notes.js';
import { PhaseTimer } from '../../src/indexer/report.js';
import {
  carryVectors,
  EarlyShards,
  isBatchFull,
  mergeShards,
  notesKnown,
  type PlanOptions,
  planIndex,
  runIndex,
} from '../../src/indexer/run.js';
import { hashKey } from '../../src/indexer/vector-plan.js';
import { HASH_BYTES } from '../../src/record/format.js';
import { encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { type CompleteSnapshot, type Manifest, ShardDirectory, type ShardEntry } from '../../src/shard/directory.js';
import { encodeLexical, type UnitState } from '../../src/shard/lexical-format.js';
import { LexicalShard } from '../../src/shard/lexical-shard.js';
import { type CatalogFile, findUnit } from '../../src/shard/live-set.js';
import { readVectorShard, writeVectorShard } from '../../src/shard/vector-shard.js';
import { buildShard, catalogFile, materialise, type SourceFile } from '../support/generated/corpus.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { DIMENSIONS, keysOf, shardName, source, vectorOf } from './vector-fixture.js';

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
    holdsAllOf: async (tip: string | null) => tip === state.tip,
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
  const failing = new Set<string>();
  const pool = {
    size: 2,
    rest: () => void state.stops++,
    stop: () => {},
    parse: async ({ oid }: { oid: string }) => {
      parsed.push(oid);
      if (failing.has(oid)) return { failed: 'parse-timeout' as const };
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
  return { state, contents, notes, batches, parsed, failing, prepared, directory, run, add };
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

/** Blobs of each write of a run that derives a number of blobs, all of one size, at a pace. */
function writesOf(total: number, { bytes = 2_000, msEach = 2 } = {}): number[] {
  const writes: number[] = [];
  let [blobs, written] = [0, 0];
  for (let i = 0; i < total; i++) {
    blobs++;
    if (!isBatchFull({ blobs, bytes: blobs * bytes, age: blobs * msEach }, written)) continue;
    writes.push(blobs);
    written += blobs;
    blobs = 0;
  }
  return [...writes, blobs];
}

test('records are written in few batches, since each leaves a pack and git collects garbage once there are 50', () => {
  assert.deepEqual(writesOf(2_000), [250, 250, 500, 1_000, 0]);
  assert.ok(writesOf(20_000, { msEach: 5 }).length <= 14);
});

test('a killed run loses ten seconds of work at most, and large records do not pile up in memory', () => {
  assert.ok(writesOf(5_000, { msEach: 100 }).every((blobs) => blobs <= 100));
  assert.ok(writesOf(1_000, { bytes: 1 << 20 }).every((blobs) => blobs <= 32));
});

test('a run without work reads no listing of notes, parses nothing and publishes nothing', async () => {
  const { run, add, state, parsed, directory } = world();
  await run(add(CART));
  const [version, listed] = [directory.version(), state.listed];
  const { new: count, bytesAdded, shards } = await run([CART]);
  assert.deepEqual([count, bytesAdded, shards.length, parsed.length], [0, 0, 1, 1]);
  assert.deepEqual([directory.version(), state.listed, state.stops], [version, listed, 2]);
});

/** State of a file's unit in the shards. */
function stateOf(shards: readonly LexicalShard[], file: SourceFile) {
  const { shard, unit } = findUnit(shards, oidOf(file), 'typescript') ?? assert.fail('no unit');
  return shards[shard].unitState(unit);
}

test('a file whose parse failed is tried once more by the next run that has it, and not by later ones', async () => {
  const { run, add, parsed, failing, directory } = world();
  const files = add(CART, ORDER, LATE);
  for (const file of [CART, ORDER]) failing.add(oidOf(file));
  await run(files);
  failing.delete(oidOf(CART));
  // A run without these files leaves them for another one.
  await run([LATE]);
  const { manifest, shards } = await run(files);
  assert.deepEqual([parsed.length, stateOf(shards, CART), stateOf(shards, ORDER)], [5, null, 'parse-timeout']);
  assert.deepEqual([manifest.failed?.once, shards.length], [[], 2]);
  const version = directory.version();
  await run(files);
  assert.deepEqual([parsed.length, directory.version()], [5, version]);
});

test('a second failure leaves nothing behind but the knowledge of it', async () => {
  const { run, add, failing } = world();
  failing.add(oidOf(CART));
  const [first, second] = [await run(add(CART)), await run([CART])];
  assert.deepEqual([second.new, second.bytesAdded, second.shards.length], [1, 0, first.shards.length]);
});

test('another version or other limits try every file again whose parse has failed, once', async () => {
  const { run, add, parsed, failing, directory } = world();
  const files = add(CART, ORDER);
  for (const file of files) failing.add(oidOf(file));
  await run(files);
  await run(files);
  directory.publish({ ...directory.readManifest(), failed: { by: 'an older one', once: [] } });
  await run([CART]);
  assert.equal(parsed.length, 5);
  await run(files);
  assert.deepEqual(parsed.slice(5), [oidOf(ORDER)]);
  failing.clear();
  const { manifest } = await run(files);
  assert.deepEqual([parsed.length, manifest.failed?.once], [6, []]);
});

test('new files get a shard of their own; the old one stays, and only the new one is prepared for searches', async () => {
  const { run, add, prepared } = world();
  const first = await run(add(CART));
  const early = { afterMs: 60_000, prepare: ({ name }: { name: string }) => prepared.push(name) };
  const { manifest, new: count } = await run(add(CART, ORDER), { early });
  assert.deepEqual([count, manifest.shards.length, manifest.shards[0]], [1, 2, first.manifest.shards[0]]);
  assert.deepEqual(prepared, [manifest.shards[1].file]);
});

const statesIn = (directory: ShardDirectory) =>
  directory.openShards(directory.readManifest()).map((shard) => shard.unitState(0));

test('words of the first files are published before any is parsed, and what is parsed takes their place', async () => {
  const { run, add, directory } = world();
  const states: unknown[] = [];
  const progress = { update: () => states.push(statesIn(directory)), finish: () => {} };
  await run(add(CART, ORDER), { early: { afterMs: 60_000, prepare: () => {} }, progress });
  assert.deepEqual([states[0], statesIn(directory)], [['unparsed'], [null]]);
});

test('no words are published of a file above the limit; those up to it have theirs', async () => {
  const { run, add, directory } = world();
  const files = add(CART, ORDER, LATE);
  const sizes = files.map((file) => materialise(file).bytes.length).sort((a, b) => a - b);
  assert.ok(sizes[1] < sizes[2]);
  const units: number[] = [];
  const progress = {
    update: () =>
      units.push(directory.openShards(directory.readManifest()).reduce((sum, shard) => sum + shard.meta.units, 0)),
    finish: () => {},
  };
  const early = { afterMs: 60_000, prepare: () => {} };
  await run(files, { early, progress, maxFileBytes: sizes[1] });
  assert.equal(units[0], 2);
});

test('files of which a killed run has left the words are parsed by the next one', async () => {
  const { run, add, parsed, directory } = world();
  const files = add(CART, ORDER);
  const pool = { rest: () => {}, stop: () => {}, parse: () => Promise.reject(new Error('killed')) };
  await assert.rejects(run(files, { early: { afterMs: 60_000, prepare: () => {} }, pool }), /killed/);
  assert.deepEqual(statesIn(directory), ['unparsed']);
  await run(files);
  assert.deepEqual([parsed.length, statesIn(directory)], [2, [null]]);
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

const FILE: SourceFile = { path: 'src/a.ts', className: 'Cart', methods: [] };
const KNOWN = catalogFile(FILE);
const OTHER: CatalogFile = { ...KNOWN, path: 'src/b.ts', oid: 'b'.repeat(40) };
const SIZE = 1_000;

const OPTIONS: PlanOptions = {
  maxFileBytes: 100,
  hasRecord: () => true,
  hasGrammar: () => false,
  isTriedAgain: () => false,
};

function plan(files: readonly CatalogFile[], shards: readonly LexicalShard[], options: Partial<PlanOptions> = {}) {
  return planIndex(files, shards, { ...OPTIONS, ...options });
}

/** A shard that says why a blob was left out. */
function skipped(state: UnitState): LexicalShard {
  const builder = new LexicalBuilder(20);
  builder.addSkipped(KNOWN.oid, 'typescript', state, SIZE);
  return new LexicalShard(encodeLexical(builder.finish()), state);
}

test('a blob of no shard is planned once, with every language that its paths give it', () => {
  const files = [OTHER, { ...OTHER, path: 'c.tsx', language: 'tsx' }, { ...OTHER, path: 'copy.ts' }];
  assert.deepEqual(plan(files, [buildShard([FILE])]), [
    { oid: OTHER.oid, languages: ['typescript', 'tsx'], path: 'src/b.ts', sharded: false },
  ]);
});

test('a blob that is in a shard is planned only for want of its record', () => {
  const shards = [buildShard([FILE])];
  assert.deepEqual(plan([KNOWN], shards), []);
  assert.deepEqual(plan([KNOWN], shards, { hasRecord: undefined }), []);
  const [planned] = plan([KNOWN], shards, { hasRecord: () => false });
  assert.deepEqual([planned.oid, planned.sharded], [KNOWN.oid, true]);
});

test('a blob that lacks its documents in one of two languages is not called sharded, in either order', () => {
  const files = [KNOWN, { ...KNOWN, path: 'a.tsx', language: 'tsx' }];
  for (const order of [files, [...files].reverse()]) {
    const [planned, ...more] = plan(order, [buildShard([FILE])], { hasRecord: () => false });
    assert.deepEqual([planned.sharded, planned.languages.length, more], [false, 2, []]);
  }
});

test('a file that was too large is planned when the limit allows its size', () => {
  const shards = [skipped('too-large')];
  assert.deepEqual(plan([KNOWN], shards, { maxFileBytes: SIZE - 1, hasRecord: () => false }), []);
  assert.equal(plan([KNOWN], shards, { maxFileBytes: SIZE })[0].sharded, false);
});

test('a file that was cut by lines is planned when its grammar is there', () => {
  const shards = [skipped('grammar-missing')];
  assert.deepEqual(plan([KNOWN], shards, { hasRecord: () => false }), []);
  assert.equal(plan([KNOWN], shards, { hasGrammar: (language) => language === 'typescript' }).length, 1);
});

test('degraded chunks have no record to miss; files left out for their content have one', () => {
  for (const [state, isPlanned] of [
    ['binary', true],
    ['secret', true],
    ['lfs-pointer', true],
    ['parse-timeout', false],
  ] as const) {
    const planned = plan([KNOWN], [skipped(state)], { hasRecord: () => false });
    assert.deepEqual(
      planned.map(({ sharded }) => sharded),
      isPlanned ? [true] : [],
      state,
    );
  }
});

const COMPLETE = [{ ref: 'HEAD' }] as unknown as CompleteSnapshot[];
const manifest = (unrecorded: string[] = []) => ({ unrecorded, complete: COMPLETE }) as unknown as Manifest;

/** A shard of blobs that are parsed, or left out for a reason that a record keeps. */
const shard = (...oids: string[]) =>
  ({
    meta: { units: oids.length },
    unitState: () => null,
    unitOid: (unit: number) => oids[unit] ?? assert.fail('no such unit'),
  }) as unknown as LexicalShard;

const run = (tried: string[], hasRecord: ((oid: string) => boolean) | null) => ({
  tip: 'tip',
  tried: new Set(tried),
  hasRecord,
});

test('while the notes hold what the manifest says, only what was tried leaves the list', () => {
  assert.deepEqual(notesKnown(manifest(['a', 'b']), [shard('c')], run(['a'], null)), {
    notes: 'tip',
    unrecorded: ['b'],
    complete: COMPLETE,
  });
});

test('otherwise every blob of the shards is looked for, and no snapshot counts as complete if one is missing', () => {
  const has = (oid: string) => oid === 'a';
  assert.deepEqual(notesKnown(manifest(['x']), [shard('c', 'a'), shard('b', 'c')], run([], has)), {
    notes: 'tip',
    unrecorded: ['b', 'c'],
    complete: [],
  });
  assert.deepEqual(notesKnown(manifest(), [shard('a')], run([], has)), {
    notes: 'tip',
    unrecorded: [],
    complete: COMPLETE,
  });
  assert.deepEqual(notesKnown(manifest(), [shard('a', 'b')], run(['b'], has)).complete, COMPLETE);
});

test('more than a manifest lists are not listed: the next run looks at the notes again', () => {
  const many = Array.from({ length: 100_001 }, (_, i) => String(i));
  const { notes, unrecorded } = notesKnown(
    manifest(),
    [shard(...many)],
    run([], () => false),
  );
  assert.deepEqual([notes, unrecorded], [null, []]);
  const all = notesKnown(
    manifest(),
    [shard(...many.slice(1))],
    run([], () => false),
  );
  assert.deepEqual([all.notes, all.unrecorded?.length], ['tip', 100_000]);
});

const OLD = { file: 'old' };

function opened(t: TestContext) {
  const place = makeDirectory('shards');
  const published: Record<string, unknown>[] = [];
  let [now, count, isFull] = [0, 0, false];
  t.mock.method(performance, 'now', () => now);
  const directory = {
    directory: place,
    writeShard: (_: Buffer, { units }: { units: number }) => {
      if (isFull) throw new Error('no space');
      const file = `early-${++count}`;
      writeFileSync(join(place, file), '');
      return { file, units };
    },
    publish: (manifest: Record<string, unknown>) => published.push(manifest),
  } as unknown as ShardDirectory;
  const prepared: string[] = [];
  const options = { afterMs: 100, prepare: ({ name }: { name: string }) => prepared.push(name) };
  const manifest = { shards: [OLD], notes: 'tip', unrecorded: ['x'], complete: [] } as unknown as Manifest;
  const early = new EarlyShards(directory, manifest, options);
  const builder = new LexicalBuilder(20);
  const offer = (at: number) => {
    now = at;
    early.offer(builder);
    return published.length;
  };
  const fill = (digit = 'a') => builder.addSkipped(digit.repeat(40), 'c', 'binary', 7);
  const full = (is: boolean) => {
    isFull = is;
  };
  return { place, published, prepared, offer, fill, full };
}

test('nothing is published before its time, or while there is nothing', (t) => {
  const { offer, fill, published, prepared } = opened(t);
  assert.equal(offer(100), 0);
  fill();
  assert.equal(offer(99), 0);
  assert.equal(offer(100), 1);
  assert.deepEqual(published, [{ shards: [OLD, { file: 'early-1', units: 1 }], notes: null, complete: [] }]);
  assert.deepEqual(prepared, ['early-1']);
});

test('each interval is twice as long, each shard replaces the one before, and the last two stay for readers', (t) => {
  const { offer, fill, published, place } = opened(t);
  fill();
  assert.deepEqual([100, 199, 200, 399, 400, 800].map(offer), [1, 1, 2, 2, 3, 4]);
  assert.deepEqual(published.at(-1)?.shards, [OLD, { file: 'early-4', units: 1 }]);
  assert.deepEqual(
    [1, 2, 3, 4].map((i) => existsSync(join(place, `early-${i}`))),
    [false, false, true, true],
  );
});

test('a failure is tried again after the next interval', (t) => {
  const { offer, fill, full } = opened(t);
  fill();
  full(true);
  assert.deepEqual([100, 150].map(offer), [0, 0]);
  full(false);
  assert.deepEqual([199, 200].map(offer), [0, 1]);
});

describe('merge', () => {
  function shard(name: string): LexicalShard {
    const builder = new LexicalBuilder(20);
    builder.addSkipped(name.padEnd(40, '0'), 'c', 'binary', 7);
    return new LexicalShard(encodeLexical(builder.finish()), name);
  }

  /** A folder that opens any shard, apart from those that are `lost`, and says which were merged. */
  function folder(lost: string[] = [], size = 1_000) {
    const merged: string[][] = [];
    const directory = {
      directory: makeDirectory('shards'),
      readManifest: () => ({}),
      openShards: ({ shards }: { shards: ShardEntry[] }) => {
        merged.push(shards.map(({ file }) => file));
        return shards.filter(({ file }) => !lost.includes(file)).map((_, i) => shard(String(i)));
      },
      writeShard: () => ({ file: `merged-${merged.length}`, bytes: size }),
    };
    return { merged, directory: directory as unknown as ShardDirectory };
  }

  const entries = (...sizes: number[]) => sizes.map((bytes, i) => ({ file: `s${i}`, bytes }) as ShardEntry);
  const filesOf = (list: ShardEntry[]) => list.map(({ file }) => file);
  const EIGHT = [10, 10, 10, 10, 10, 10, 10, 10];

  test('seven shards stay as they are, eight of a size become one', () => {
    const { merged, directory } = folder();
    assert.deepEqual(filesOf(mergeShards(directory, entries(...EIGHT.slice(1)))), [
      's0',
      's1',
      's2',
      's3',
      's4',
      's5',
      's6',
    ]);
    assert.equal(merged.length, 0);
    assert.deepEqual(filesOf(mergeShards(directory, entries(...EIGHT))), ['merged-1']);
    assert.equal(merged[0].length, 8);
  });

  test('a shard more than eight times as large as all after it is not merged with them', () => {
    const { directory } = folder([], 80);
    assert.equal(mergeShards(directory, entries(80, ...EIGHT.slice(1))).length, 1, 'eight times: one tier');
    const small = folder([], 80);
    mergeShards(small.directory, entries(80, 1, ...EIGHT.slice(1)));
    assert.equal(small.merged[0].length, 9, 'the largest behind it counts, not the next one');
    const kept = folder([], 10);
    assert.deepEqual(filesOf(mergeShards(kept.directory, entries(81, ...EIGHT))), ['s0', 'merged-1']);
    assert.deepEqual(kept.merged[0], ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8']);
  });

  test('a merged shard completes a larger tier, which is merged in turn', () => {
    const { merged, directory } = folder([], 100);
    const seven = [100, 100, 100, 100, 100, 100, 100];
    assert.deepEqual(filesOf(mergeShards(directory, entries(...seven, ...EIGHT.map(() => 1)))), ['merged-2']);
    assert.deepEqual(
      merged.map((run) => run.length),
      [8, 8],
    );
  });

  test('where a shard cannot be opened, nothing is merged: what it held would be lost', () => {
    const { directory } = folder(['s3']);
    assert.equal(mergeShards(directory, entries(...EIGHT)).length, 8);
  });
});

describe('vector merge', () => {
  const PROFILE = '0123456789ab';
  const [CART, ORDER, LATE] = [source('Cart', 'add', 'total'), source('Order', 'ship'), source('Late')];

  interface Given {
    dimensions?: number;
    hashes?: boolean;
    /** Rows without a vector. */
    without?: number[];
  }

  /** Writes vectors whose second number is `from` for the first chunk, one more for each further one. */
  function give(directory: string, shard: LexicalShard, from: number, given: Given = {}): void {
    const { dimensions = DIMENSIONS, hashes = true, without = [] } = given;
    const { documents } = shard.meta;
    const numbers = Array.from({ length: documents }, (_, i) => from + i);
    const rows = new Int8Array(documents * dimensions);
    for (const [i, number] of numbers.entries()) rows.set(vectorOf(number).subarray(0, dimensions), i * dimensions);
    const present = Uint8Array.from(numbers, (_, i) => (without.includes(i) ? 0 : 1));
    const keys = new Uint8Array(Buffer.from(numbers.map((number) => hashKey(`text ${number}`)).join(''), 'latin1'));
    writeVectorShard(directory, PROFILE, shard.name, { dimensions, rows, present, hashes: hashes ? keys : null });
  }

  /** Of a merged shard, what each chunk of a file has: the number of its vector, or null. */
  function carried(directory: string, to: LexicalShard, file: SourceFile) {
    const shard = readVectorShard(directory, PROFILE, to.name, to.meta.documents);
    const found = findUnit([to], materialise(file).oid, 'typescript');
    assert.ok(shard !== null && shard.hashes !== null && found !== null);
    const keys = keysOf(shard.hashes, to.meta.documents);
    return Array.from({ length: to.unitDocuments[found.unit] }, (_, i) => {
      const row = to.unitFirst[found.unit] + i;
      if (!shard.has(row)) return null;
      const number = shard.rows[row * shard.dimensions + 1];
      assert.equal(keys[row], hashKey(`text ${number}`), 'its hash goes with it');
      return number;
    });
  }

  function shards(...groups: SourceFile[][]): LexicalShard[] {
    return groups.map((files, i) => buildShard(files, shardName(i)));
  }

  test('each chunk keeps its vector and hash, and one without stays without', () => {
    const directory = makeDirectory('shards');
    const [one, two, merged] = shards([CART], [ORDER, LATE], [LATE, CART, ORDER]);
    give(directory, one, 10, { without: [1] });
    give(directory, two, 20);
    carryVectors(directory, [one, two], merged);
    assert.deepEqual(carried(directory, merged, CART), [10, null, 12]);
    assert.deepEqual([...carried(directory, merged, ORDER), ...carried(directory, merged, LATE)].sort(), [20, 21, 22]);
    const file = readVectorShard(directory, PROFILE, merged.name, merged.meta.documents);
    assert.equal(file?.hashes?.length, 6 * HASH_BYTES);
  });

  test('of a file in two shards the vectors of the newer one count, as its chunks do', () => {
    const directory = makeDirectory('shards');
    const [one, two, merged] = shards([CART], [CART], [CART]);
    give(directory, one, 10);
    give(directory, two, 20);
    carryVectors(directory, [one, two], merged);
    assert.deepEqual(carried(directory, merged, CART), [20, 21, 22]);
    assert.equal(readVectorShard(directory, PROFILE, merged.name, 3)?.present, null, 'every chunk has one');
  });

  test('a part without vectors, or with those of another size, leaves its chunks without', () => {
    for (const given of [null, { dimensions: 8 }, { hashes: false }]) {
      const directory = makeDirectory('shards');
      const [one, two, merged] = shards([CART], [ORDER], [CART, ORDER]);
      give(directory, one, 10);
      if (given !== null) give(directory, two, 20, given);
      carryVectors(directory, [one, two], merged);
      assert.deepEqual(carried(directory, merged, CART), [10, 11, 12]);
      assert.deepEqual(carried(directory, merged, ORDER), [null, null]);
    }
  });

  test('vectors of the built-in model have no hashes and are not carried over', () => {
    const directory = makeDirectory('shards');
    const [one, merged] = shards([CART], [CART]);
    give(directory, one, 10, { hashes: false });
    carryVectors(directory, [one], merged);
    assert.equal(readVectorShard(directory, PROFILE, merged.name, 3), null);
  });

  test('a unit that was cut otherwise in the merged shard takes no vectors', () => {
    const directory = makeDirectory('shards');
    const [one, other] = shards([CART], [CART, ORDER]);
    give(directory, one, 10);
    const { oid } = materialise(ORDER);
    // As after a change of the rules: the blob of `one` has three chunks, that of the merged shard two.
    const cut = new Proxy(other, {
      get: (target, key) =>
        key === 'unitOid'
          ? (unit: number) => (other.unitOid(unit) === oid ? materialise(CART).oid : oid)
          : Reflect.get(target, key),
    });
    carryVectors(directory, [one], cut);
    const shard = readVectorShard(directory, PROFILE, other.name, other.meta.documents);
    assert.equal(shard?.covered, 0);
  });
});
