/** What calls among the best results add to scores: who gains, by how much, and which names tell nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callGains } from '../../src/search/calls.js';
import { CALLS } from '../../src/search/weights.js';
import type { LiveSet } from '../../src/shard/live.js';

/** Documents in files of the same number, and the documents that define each name. */
function liveSet(definitions: Record<string, number[]>, gone: number[] = []): LiveSet {
  const names = Object.keys(definitions);
  const shard = {
    names: { find: (name: string) => names.indexOf(name) },
    definitions: (index: number) => definitions[names[index]].map((document) => ({ document })),
  };
  const fileOf = Int32Array.from({ length: 30 }, (_, document) => (gone.includes(document) ? -1 : document));
  return { shards: [shard], bases: [0], fileOf } as unknown as LiveSet;
}

const best = Array.from({ length: 20 }, (_, document) => ({ document, file: document, score: 10 - document / 4 }));
const gainsOf = async (live: LiveSet, texts: Record<number, string>) =>
  Object.fromEntries(await callGains(live, best, async (document) => texts[document] ?? ''));

test('the definition that a result calls gains, and so does the chunk that uses what a result defines', async () => {
  const live = liveSet({ reservestock: [3] });
  const gains = await gainsOf(live, { 1: 'await reserveStock (cart);' });
  const [called, uses] = [CALLS.called * 0.975, CALLS.uses * 0.925];
  assert.deepEqual(gains, { 1: uses, 3: called });
  assert.deepEqual(await gainsOf(live, { 1: 'see reserveStock, which reserves' }), { 1: uses });
});

test('the best of several callers counts, shared by definitions of the name', async () => {
  const gains = await gainsOf(liveSet({ total: [12, 13] }), { 0: 'total()', 4: 'total()' });
  assert.deepEqual(gains, { 12: CALLS.called / 2, 13: CALLS.called / 2 });
});

test('names of many, names of the file itself, and definitions of other snapshots give nothing', async () => {
  const texts = { 0: 'close(); own(); gone(); id(); far()' };
  const live = liveSet({ close: [1, 2, 3, 4], own: [0], gone: [5], id: [6], far: [25] }, [5]);
  assert.deepEqual(await gainsOf(live, texts), {});
});

test('no more chunks are read than the weights say', async () => {
  const read: number[] = [];
  await callGains(liveSet({}), best, async (document) => {
    read.push(document);
    return '';
  });
  assert.deepEqual(
    read,
    best.slice(0, CALLS.read).map(({ document }) => document),
  );
});

test('definitions in many shards, as a fleet has them, count as those in one', async () => {
  const definitions: Record<string, number[]> = { total: [12, 13], reservestock: [3], id: [6], close: [1, 2, 3, 4] };
  const texts = { 0: 'total(); close(); id()', 1: 'reserveStock()', 4: 'total' };
  const shards = Array.from({ length: 40 }, (_, document) => {
    const own = Object.keys(definitions).filter((name) => definitions[name].includes(document));
    const names = { find: (name: string) => own.indexOf(name), at: (index: number) => own[index], length: own.length };
    return { names, definitions: () => [{ document: 0 }] };
  });
  const fileOf = Int32Array.from({ length: 40 }, (_, document) => document);
  const many = { shards, bases: [...shards.keys()], fileOf } as unknown as LiveSet;
  const expected = await gainsOf(liveSet(definitions), texts);
  assert.ok(Object.keys(expected).length > 0);
  assert.deepEqual(await gainsOf(many, texts), expected);
});
