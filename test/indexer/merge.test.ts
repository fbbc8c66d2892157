/** Small shards of many runs become one: eight of a size, the newest alone, and in turn eight of those. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeShards } from '../../src/indexer/merge.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical } from '../../src/shard/columns.js';
import type { ShardDirectory } from '../../src/shard/directory.js';
import { LexicalShard } from '../../src/shard/lexical.js';
import type { ShardEntry } from '../../src/shard/manifest.js';
import { makeDirectory } from '../support/repositories/repo.js';

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
