/** Finished work of a long run is published at intervals that double, whatever went wrong before. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { EarlyShards } from '../../src/indexer/early-shards.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import type { ShardDirectory } from '../../src/shard/directory.js';
import type { Manifest } from '../../src/shard/manifest.js';
import { makeDirectory } from '../support/repositories/repo.js';

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
