/** Vectors of a provider for one snapshot: what is asked of it, what is kept, and what is left when it fails. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isSocraticodeError, SocraticodeError } from '../../src/base/errors.js';
import { silentProgress } from '../../src/base/progress.js';
import { cutText, sliceBatches } from '../../src/embed/models.js';
import type { Embedder } from '../../src/embed/provider.js';
import { hashKey, keyAt, VectorDrafts } from '../../src/indexer/vector-plan.js';
import {
  type BatchOptions,
  buildGraphs,
  type EmbeddedBatch,
  embedInBatches,
  runVectors,
  wantedGraphs,
  writeStaticRecords,
} from '../../src/indexer/vector-run.js';
import { usearch } from '../../src/shard/hnsw.js';
import { hnswPath } from '../../src/shard/lexical-format.js';
import { VectorShard, writeVectorShard } from '../../src/shard/vector-shard.js';
import { bench, failsWith } from '../embed/setup.js';
import { mixture, seeded } from '../support/generated/vectors.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { DIMENSIONS, note, numbersIn, source, textsOf, vectorOf, vectorWorld } from './vector-fixture.js';

type World = ReturnType<typeof vectorWorld>;
type Options = Partial<Parameters<typeof runVectors>[1]>;

const CART = source('Cart', 'add', 'total');
const ORDER = source('Order', 'ship');

/** A provider that numbers the texts as they come, from 1. */
function provider(more: Partial<Embedder> = {}, dimensions = DIMENSIONS) {
  const asked: string[] = [];
  const state = { made: 0, prepared: 0 };
  const embedder = {
    ...{ dimensions, maxCharacters: 1_000 },
    prepare: async () => void state.prepared++,
    embedDocuments: async (texts: readonly string[]) =>
      texts.map((text) => Float32Array.from(vectorOf(asked.push(text.split('\n')[0]))).slice(0, dimensions)),
    ...more,
  } as unknown as Embedder;
  const createEmbedder = async () => {
    state.made++;
    return embedder;
  };
  return { asked, state, createEmbedder };
}

async function run(world: World, given = provider(), options: Options = {}) {
  const result = await runVectors(world.units, {
    ...{ ...world.context, place: world.place, dimensions: DIMENSIONS, shares: true },
    ...{ createEmbedder: given.createEmbedder, batchSize: 2, concurrency: 1, limit: null, progress: silentProgress },
    ...options,
  });
  const { dimensions: _, fault, bytesAdded, unreadable, ...counts } = result;
  return { ...result, counts, asked: given.asked, ...given.state };
}

const NAMES = ['Cart', 'Cart.add', 'Cart.total', 'Order', 'Order.ship'];
const oids = (world: World) => world.units.map(({ oid }) => oid);

test('every text is embedded once, and the next run takes all from files, another machine all from notes', async () => {
  const world = vectorWorld([CART], [ORDER]);
  const first = await run(world);
  assert.deepEqual(first.asked, NAMES);
  assert.deepEqual(first.counts, { covered: 5, total: 5, embedded: 5, reused: 0, loaded: 0 });
  assert.deepEqual([first.dimensions, first.fault, first.unreadable], [DIMENSIONS, null, 0]);
  assert.deepEqual([world.written, numbersIn(world, oids(world)[1])], [oids(world), [4, 5]]);
  const again = await run(world);
  assert.deepEqual(again.counts, { covered: 5, total: 5, embedded: 0, reused: 5, loaded: 0 });
  assert.deepEqual([again.made, again.bytesAdded, world.written.length], [0, 0, 2]);
  const other = await run({ ...world, place: vectorWorld().place });
  assert.deepEqual(other.counts, { covered: 5, total: 5, embedded: 0, reused: 0, loaded: 5 });
  assert.deepEqual([other.made, world.written.length, first.bytesAdded > other.bytesAdded], [0, 2, true]);
});

test('the bytes told are those of the files and of the notes', async () => {
  const world = vectorWorld([CART]);
  const lengths: number[] = [];
  const { write } = world.context.store;
  world.context.store.write = async (entries) => {
    lengths.push(...entries.map(({ note: bytes }) => (bytes as Uint8Array).length));
    await write(entries);
  };
  const { bytesAdded } = await run(world);
  assert.equal(bytesAdded, 3 * (DIMENSIONS + 8) + lengths[0]);
});

test('a text that stands in several files is asked once, and counts as reused for the others', async () => {
  const world = vectorWorld([CART], [{ ...source('Cart', 'add', 'empty'), path: 'copy.ts' }]);
  const { asked, counts } = await run(world);
  assert.deepEqual(asked, ['Cart', 'Cart.add', 'Cart.total', 'Cart.empty']);
  assert.deepEqual(counts, { covered: 6, total: 6, embedded: 4, reused: 2, loaded: 0 });
  assert.deepEqual(
    oids(world).map((oid) => numbersIn(world, oid)),
    [
      [1, 2, 3],
      [1, 2, 4],
    ],
  );
});

test('the provider is asked up to the limit, and not at all beyond it', async () => {
  assert.deepEqual((await run(vectorWorld([CART]), provider(), { limit: 3 })).asked.length, 3);
  const beyond = await run(vectorWorld([CART]), provider(), { limit: 2 });
  assert.deepEqual([beyond.made, beyond.counts.covered, beyond.counts.total, beyond.fault], [0, 0, 3, null]);
});

test('records are written of whole blobs alone, never of a file cut by lines, and of none where nothing is shared', async () => {
  const world = vectorWorld([CART], [ORDER]);
  world.units[0].isLocal = true;
  await run(world);
  assert.deepEqual(world.written, [world.units[1].oid]);
  const alone = vectorWorld([CART]);
  assert.deepEqual([(await run(alone, provider(), { shares: false })).counts.embedded, alone.written], [3, []]);
  // All are known already, so only the plan could write them.
  await run(alone, provider(), { shares: false });
  assert.deepEqual(alone.written, []);
  await run(alone);
  assert.deepEqual(alone.written, oids(alone), 'the vectors of the files are shared later');
});

test('a blob in two languages is written when both are whole, with the languages that its note had', async () => {
  const world = vectorWorld([CART], [ORDER]);
  const [cart, order] = world.units;
  // As if both shards held the same blob, each in a language of its own.
  world.units[1] = { ...order, oid: cart.oid, language: 'tsx' };
  await note(world, cart, 7);
  const decoded = world.notes.get(cart.oid);
  assert.ok(decoded?.ok);
  decoded.record.languages.java = decoded.record.languages.typescript;
  const { counts } = await run(world);
  assert.deepEqual([counts.loaded, counts.embedded + counts.reused], [3, 2]);
  assert.deepEqual(world.written, [cart.oid]);
  assert.deepEqual(
    [numbersIn(world, cart.oid), numbersIn(world, cart.oid, 'java')],
    [
      [7, 8, 9],
      [7, 8, 9],
    ],
  );
  assert.equal(numbersIn(world, cart.oid, 'tsx').length, 2);
});

test('a blob is no whole one while a language of it lacks vectors', async () => {
  const world = vectorWorld([CART], [ORDER]);
  const [cart, order] = world.units;
  world.units[1] = { ...order, oid: cart.oid, language: 'tsx' };
  await note(world, cart, 7);
  await run(world, provider(), { limit: 0 });
  assert.deepEqual(world.written, []);
});

test('a record that cannot be used is written again', async () => {
  const world = vectorWorld([CART]);
  await note(world, world.units[0], 7, DIMENSIONS / 2);
  const { counts } = await run(world);
  assert.deepEqual([counts.embedded, world.refused.length, world.written], [3, 1, oids(world)]);
  assert.deepEqual(numbersIn(world, oids(world)[0]), [1, 2, 3]);
});

test('where only the model tells its dimensions, vectors of others are made again', async () => {
  const unknown = { dimensions: null };
  const world = vectorWorld([CART], [ORDER]);
  await note(world, world.units[0], 7);
  const same = await run(world, provider(), unknown);
  assert.deepEqual([same.counts.loaded, same.asked, same.prepared], [3, ['Order', 'Order.ship'], 1]);
  const other = vectorWorld([CART], [ORDER]);
  await note(other, other.units[0], 7);
  const grown = provider(
    {
      embedDocuments: async (texts) => texts.map(() => Float32Array.from({ length: 2 * DIMENSIONS }, () => 1)),
    },
    2 * DIMENSIONS,
  );
  const { counts, dimensions } = await run(other, grown, unknown);
  assert.deepEqual([dimensions, counts], [32, { covered: 5, total: 5, embedded: 5, reused: 0, loaded: 0 }]);
  assert.equal((await run(vectorWorld([CART]))).prepared, 0, 'configured dimensions need no question');
});

test('dimensions that change leave no vector of before in the count of those reused', async () => {
  const world = vectorWorld([CART], [ORDER]);
  const { units } = world;
  await run({ ...world, units: [units[0]] }, provider(), { shares: false });
  const embedDocuments: Embedder['embedDocuments'] = async (texts) =>
    texts.map(() => Float32Array.from({ length: 2 * DIMENSIONS }, () => 1));
  const given = provider({ embedDocuments }, 2 * DIMENSIONS);
  const { counts } = await run(world, given, { dimensions: null, shares: false });
  assert.deepEqual(counts, { covered: 5, total: 5, embedded: 5, reused: 0, loaded: 0 });
});

/** A provider that answers once, and then fails. */
function failing(error: unknown) {
  const given = provider();
  const answer = given.createEmbedder;
  let left = 1;
  return {
    ...given,
    createEmbedder: async () => {
      const embedder = await answer();
      const embedDocuments: Embedder['embedDocuments'] = async (texts) => {
        if (left-- === 0) throw error;
        return embedder.embedDocuments(texts);
      };
      return { ...embedder, embedDocuments };
    },
  };
}

test("a provider's failure is told with what was made before it, which is kept; any other failure is thrown", async () => {
  for (const code of ['EMBEDDER_DENIED', 'BAD_CONFIG', 'CANCELLED'] as const) {
    const world = vectorWorld([CART]);
    const { fault, counts } = await run(world, failing(new SocraticodeError(code, 'gone')));
    assert.deepEqual([(fault as Error).message, counts.covered, counts.embedded], ['gone', 2, 2]);
    assert.equal((await run(world)).counts.reused, 2, code);
  }
  for (const error of [new SocraticodeError('DISK', 'full'), new Error('a bug')]) {
    const world = vectorWorld([CART]);
    await assert.rejects(run(world, failing(error)), error);
    assert.equal((await run(world)).counts.reused, 2, 'kept all the same');
  }
});

test('a run that is cancelled before it begins tells what the files hold', async () => {
  const world = vectorWorld([CART]);
  const { fault, counts, unreadable } = await run(world, provider(), { signal: AbortSignal.abort() });
  assert.equal((fault as SocraticodeError).code, 'CANCELLED');
  assert.deepEqual([counts, unreadable], [{ covered: 0, total: 3, embedded: 0, reused: 0, loaded: 0 }, 0]);
});

test('chunks of a blob that cannot be read are counted; one that goes while others are embedded is left out', async () => {
  const world = vectorWorld([CART], [ORDER]);
  world.contents.delete(world.units[0].oid);
  const { unreadable, asked } = await run(world);
  assert.deepEqual([unreadable, asked], [3, ['Order', 'Order.ship']]);
  const later = vectorWorld([CART], [ORDER]);
  const given = provider({ prepare: async () => void later.contents.delete(later.units[0].oid) });
  const { counts, asked: texts } = await run(later, given, { dimensions: null });
  assert.deepEqual([counts.covered, texts], [2, ['Order', 'Order.ship']]);
});

test('a long run saves its files every half a minute, for it may be killed', async () => {
  for (const [wait, kept] of [
    [15_000, [0, 0, 0]],
    [15_001, [0, 0, 4]],
    [30_001, [0, 2, 4]],
  ] as const) {
    const world = vectorWorld([CART], [ORDER]);
    let now = 7;
    const seen: number[] = [];
    const given = provider();
    const createEmbedder = async () => {
      const embedder = await given.createEmbedder();
      const embedDocuments: Embedder['embedDocuments'] = async (texts) => {
        const drafts = new VectorDrafts(world.place, world.shards, DIMENSIONS);
        seen.push(
          world.units.reduce((sum, { shard, first, count }) => {
            return sum + Array.from({ length: count }, (_, i) => drafts.has(shard, first + i)).filter(Boolean).length;
          }, 0),
        );
        now += wait;
        return embedder.embedDocuments(texts);
      };
      return { ...embedder, embedDocuments };
    };
    await run(world, { ...given, createEmbedder }, { now: () => now, shares: false });
    assert.deepEqual(seen, kept, String(wait));
  }
});

test('progress counts the texts that were missing, and ends', async () => {
  const told: unknown[] = [];
  const progress = {
    update: (done: number, total: number) => void told.push([done, total]),
    finish: () => void told.push('end'),
  };
  await run(vectorWorld([CART]), provider(), { progress });
  assert.deepEqual(told, [[2, 3], [3, 3], 'end']);
});

test('vectors are in the files of their shards, row by row', async () => {
  const world = vectorWorld([CART], [ORDER]);
  await run(world);
  const drafts = new VectorDrafts(world.place, world.shards, null);
  assert.deepEqual(drafts.copy(0, 2, 1).rows, vectorOf(3));
  assert.deepEqual(drafts.copy(1, 0, 1).rows, vectorOf(4));
});

const LEXICAL = 'lexical-0123456789abcdef.bin';
const there = { skip: usearch() === null };

test('the setting vectors.index decides whether large shards get a graph', there, () => {
  const shards = [
    { lexical: 'large', documents: 300_000 },
    { lexical: 'small', documents: 5_000 },
  ];
  const names = (choice: 'auto' | 'exact' | 'hnsw', dimensions: number) =>
    wantedGraphs(shards, dimensions, choice).map(({ lexical }) => lexical);
  assert.deepEqual([names('hnsw', 256), names('exact', 1_024)], [['large'], []]);
  assert.deepEqual([names('auto', 256), names('auto', 1_024)], [[], ['large']]);
});

test('a graph is built once, in a worker thread, and an interrupted build is reported', there, async () => {
  const place = { directory: makeDirectory(), profile: '0123456789ab' };
  writeVectorShard(place.directory, place.profile, LEXICAL, { dimensions: 32, rows: mixture(seeded(1), 32, 5)(500) });
  const shards = [{ lexical: LEXICAL, documents: 500 }];
  const stop = AbortSignal.abort();
  await assert.rejects(buildGraphs(place, shards, silentProgress, stop), (error) =>
    isSocraticodeError(error, 'CANCELLED'),
  );
  assert.equal(existsSync(hnswPath(place.directory, place.profile, LEXICAL)), false);
  await buildGraphs(place, shards, silentProgress);
  assert.ok(existsSync(hnswPath(place.directory, place.profile, LEXICAL)));
});

describe('static records', () => {
  type World = ReturnType<typeof vectorWorld>;

  /** Vectors of every shard, numbered by their rows from 1 on; `missing` are rows of the first shard that have none. */
  function vectorsOf({ shards }: World, ...missing: number[]): VectorShard[] {
    return shards.map(({ meta: { documents } }, shard) => {
      const rows = new Int8Array(documents * DIMENSIONS);
      for (let row = 0; row < documents; row++) rows.set(vectorOf(row + 1), row * DIMENSIONS);
      const present = Uint8Array.from({ length: documents }, (_, row) => Number(shard > 0 || !missing.includes(row)));
      return new VectorShard({ dimensions: DIMENSIONS, rows, present });
    });
  }

  const write = (world: World, ...missing: number[]) =>
    writeStaticRecords(world.units, vectorsOf(world, ...missing), world.context);

  const CART = source('Cart', 'add', 'total');
  const ORDER = source('Order', 'ship');
  const LATE = source('Late');

  test('every blob gets a record of its own rows and texts, and the bytes written are told', async () => {
    const world = vectorWorld([CART, ORDER], [LATE]);
    let bytes = 0;
    const { write: kept } = world.context.store;
    world.context.store.write = async (entries) => {
      for (const entry of entries) bytes += (entry.note as Uint8Array).length;
      await kept(entries);
    };
    assert.equal(await write(world), bytes);
    assert.deepEqual(
      world.written,
      world.units.map(({ oid }) => oid),
    );
    for (const unit of world.units) {
      const expected = Array.from({ length: unit.count }, (_, i) => unit.first + i + 1);
      assert.deepEqual(numbersIn(world, unit.oid), expected);
      const decoded = world.notes.get(unit.oid);
      assert.ok(decoded?.ok);
      const { hashes } = decoded.record.languages.typescript;
      const texts = await textsOf(world, unit);
      assert.deepEqual(
        texts.map((_, i) => keyAt(hashes, i)),
        texts.map(hashKey),
      );
    }
  });

  test('a blob that has a record, was cut by lines, or lacks a vector gets none', async () => {
    for (const row of [0, 1, 2]) {
      const world = vectorWorld([CART, ORDER], [LATE]);
      const first = world.units.find(({ shard, first: at }) => shard === 0 && at === 0) ?? assert.fail();
      const last = first.count - 1;
      const others = world.units.filter((unit) => unit !== first).map(({ oid }) => oid);
      await write(world, Math.min(row, last));
      assert.deepEqual(world.written, others, `row ${row}`);
    }
    const world = vectorWorld([CART, ORDER], [LATE]);
    world.units[0].isLocal = true;
    await note(world, world.units[1], 1);
    await write(world);
    assert.deepEqual(world.written, [world.units[2].oid]);
  });

  test('a blob in two languages has both in one record, or none while one of them lacks a vector', async () => {
    const world = vectorWorld([ORDER], [LATE]);
    const [order, late] = world.units;
    world.units[1] = { ...late, oid: order.oid, language: 'tsx' };
    await write(world, 0);
    assert.deepEqual(world.written, []);
    await write(world);
    assert.deepEqual(world.written, [order.oid]);
    assert.deepEqual([numbersIn(world, order.oid), numbersIn(world, order.oid, 'tsx')], [[1, 2], [1]]);
  });

  test('a blob that cannot be read is left out, and a run that is cancelled writes nothing more', async () => {
    const world = vectorWorld([CART], [LATE]);
    world.contents.delete(world.units[0].oid);
    await write(world);
    assert.deepEqual(world.written, [world.units[1].oid]);
    const cancelled = vectorWorld([CART]);
    cancelled.context.signal = AbortSignal.abort();
    assert.equal(await write(cancelled), 0);
    assert.deepEqual(cancelled.written, []);
  });
});

/** Vectors that hold the number in a text; `before` may delay or fail a batch. */
function fakeEmbedder(before: (texts: readonly string[], signal?: AbortSignal) => unknown = () => {}): Embedder {
  const embed = async (texts: readonly string[], signal?: AbortSignal) => {
    await before(texts, signal);
    return texts.map((text) => Float32Array.of(Number(text)));
  };
  return {
    ...{ id: 'fake', dimensions: 1, maxCharacters: 1_000, costly: false },
    prepare: async () => {},
    embedDocuments: embed,
    embedQuery: async (text) => (await embed([text]))[0],
  };
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i));

async function* slowly(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) {
    await null;
    yield text;
  }
}

/** Rejects when `signal` fires, as embedders do. */
const untilAborted = (signal?: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

function collect(more: Partial<BatchOptions> = {}): { options: BatchOptions; batches: EmbeddedBatch[] } {
  const batches: EmbeddedBatch[] = [];
  return { batches, options: { batchSize: 4, concurrency: 3, onBatch: (batch) => void batches.push(batch), ...more } };
}

test('every text gets its vector and its position, from lists and streams', async () => {
  for (const source of [numbers(10), slowly(numbers(10)), new Set(numbers(10))]) {
    const { options, batches } = collect();
    assert.equal(await embedInBatches(fakeEmbedder(), source, options), 10);
    const seen = batches.flatMap(({ first, vectors }) => vectors.map((vector, i) => [first + i, vector[0]]));
    assert.deepEqual(
      seen.sort(([a], [b]) => a - b),
      numbers(10).map((text) => [Number(text), Number(text)]),
    );
    assert.deepEqual(batches.map(({ texts }) => texts.length).sort(), [2, 4, 4]);
  }
  assert.equal(await embedInBatches(fakeEmbedder(), [], collect().options), 0);
});

test('batches are delivered as they finish, one at a time', async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let inside = 0;
  const order: number[] = [];
  const onBatch = async ({ first }: EmbeddedBatch) => {
    assert.equal(++inside, 1);
    await null;
    inside--;
    order.push(first);
    if (order.length === 2) release();
  };
  const embedder = fakeEmbedder(([text]) => (text === '0' ? gate : undefined));
  await embedInBatches(embedder, numbers(12), collect({ onBatch }).options);
  assert.deepEqual(order, [4, 8, 0]);
});

test('embedInBatches runs exactly as many requests at a time as allowed', async (t) => {
  const { server, embedder } = await bench(t, 'ollama');
  await embedder.prepare();
  const { arrivals, release } = server.hold(3);
  const { options, batches } = collect({ batchSize: 1 });
  const done = embedInBatches(embedder, numbers(9), options);
  await arrivals;
  release();
  assert.equal(await done, 9);
  assert.deepEqual([server.mostAtOnce, batches.length], [3, 9]);
});

test('a source is read no further ahead than needed', async () => {
  let read = 0;
  const source = async function* () {
    for (const text of numbers(100)) {
      read++;
      yield text;
    }
  };
  let most = 0;
  const { options, batches } = collect({ batchSize: 2, concurrency: 2 });
  const watch = () => {
    most = Math.max(most, read - 2 * batches.length);
  };
  await embedInBatches(fakeEmbedder(watch), source(), options);
  // Two batches under way, one ready, one being delivered, and the text that closes a batch.
  assert.ok(most <= 11, String(most));
});

test('the first error stops the others and the source, and nothing is delivered after it', {
  timeout: 30_000,
}, async () => {
  let closed = false;
  const source = async function* () {
    try {
      yield* numbers(1_000);
    } finally {
      closed = true;
    }
  };
  let started = 0;
  const embedder = fakeEmbedder(async ([text], signal) => {
    started++;
    if (text === '4') throw new Error('first');
    await untilAborted(signal);
  });
  const { options, batches } = collect();
  await assert.rejects(embedInBatches(embedder, source(), options), /^Error: first$/);
  assert.deepEqual([batches.length, closed], [0, true]);
  assert.ok(started <= 4, String(started));
});

test('an error of the source or of the receiver ends the whole run', async () => {
  const source = async function* () {
    yield* numbers(9);
    throw new Error('source');
  };
  await assert.rejects(embedInBatches(fakeEmbedder(), source(), collect().options), /source/);
  let calls = 0;
  const onBatch = async () => {
    calls++;
    throw new Error('receiver');
  };
  await assert.rejects(embedInBatches(fakeEmbedder(), numbers(99), collect({ onBatch }).options), /receiver/);
  assert.equal(calls, 1);
});

test('cancelling ends the run before it starts, during a request, and while the source is silent', {
  timeout: 30_000,
}, async () => {
  const { options, batches } = collect({ signal: AbortSignal.abort() });
  await failsWith(embedInBatches(fakeEmbedder(), numbers(9), options), 'CANCELLED');
  const during = new AbortController();
  const embedder = fakeEmbedder((_texts, signal) => {
    queueMicrotask(() => during.abort());
    return untilAborted(signal);
  });
  await failsWith(embedInBatches(embedder, numbers(9), collect({ signal: during.signal }).options), 'CANCELLED');
  const silent = new AbortController();
  const source = async function* () {
    yield '1';
    setImmediate(() => silent.abort());
    await new Promise(() => {});
  };
  await failsWith(embedInBatches(fakeEmbedder(), source(), collect({ signal: silent.signal }).options), 'CANCELLED');
  assert.deepEqual(batches, []);
  // All batches are under way: nothing is read any more, and still the signal counts.
  const late = new AbortController();
  const waiting = fakeEmbedder((_, signal) => untilAborted(signal));
  const ended = failsWith(embedInBatches(waiting, numbers(1), collect({ signal: late.signal }).options), 'CANCELLED');
  setImmediate(() => setImmediate(() => late.abort()));
  await ended;
});

test('batches are bounded by number and by characters; one text alone may have more', () => {
  const lengths = (texts: string[], size: number, perText: number) =>
    [...sliceBatches(texts, size, perText)].map((batch) => batch.length);
  const big = 'x'.repeat(40_000);
  assert.deepEqual(lengths(numbers(7), 3, 100), [3, 3, 1]);
  assert.deepEqual(lengths([big, big, big], 9, 100_000), [1, 1, 1]);
  assert.deepEqual(lengths([big, big, big], 9, 30_000), [2, 1]);
  assert.deepEqual(lengths([big + big, '1', '2'], 9, 100_000), [1, 2]);
  assert.deepEqual(lengths([], 9, 9), []);
  assert.deepEqual([cutText('abc', 5), cutText('abc', 2), cutText('a\u{1f600}', 2)], ['abc', 'ab', 'a']);
});
