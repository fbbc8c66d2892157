/** Many texts through an embedder: batches, order, errors, cancellation. No test here waits for a clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BatchOptions, type EmbeddedBatch, embedInBatches } from '../../src/embed/batches.js';
import { cutText, sliceBatches } from '../../src/embed/models.js';
import type { Embedder } from '../../src/embed/provider.js';
import { bench, failsWith } from './setup.js';

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
