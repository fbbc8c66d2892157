/** What each gain decides between two chunks of one file whose words and meaning are much the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestChunks } from '../../src/search/rerank.js';
import type { LiveSet } from '../../src/shard/live-set.js';

const FILE = 0;
const TERMS = [{ term: 'parcel', df: 1, idf: 2 }];

/** The document that stands for a file with these chunks, which define no names; the first has the higher score. */
async function chosen(
  text: string,
  chunks: readonly { kind: string; code: string; symbol?: string }[],
  otherness = 0,
): Promise<number | undefined> {
  const shard = {
    documentKind: (local: number) => chunks[local].kind,
    documentSymbol: (local: number) => chunks[local].symbol ?? null,
    names: { find: () => -1 },
  };
  const live = { bases: [0], shards: [shard] } as unknown as LiveSet;
  const candidates = chunks.map((_, document) => ({ document, file: FILE, own: 5 - document / 10, factor: 1 }));
  const asked = { files: new Map([[FILE, candidates]]), terms: TERMS, otherness };
  const best = await bestChunks(live, { kind: 'natural', text }, asked, async (document) => chunks[document].code);
  return best.get(FILE);
}

const METHOD = { kind: 'method', code: 'send() {\n  const offset = 1;\n  parcel();\n}' };

test('imports and loose code come behind a definition, of descriptions and of changes', async () => {
  for (const kind of ['imports', 'code'])
    for (const text of ['where is it sent', 'fix how it is sent'])
      assert.equal(await chosen(text, [{ kind, code: 'import x' }, METHOD]), 1, `${kind}: ${text}`);
  assert.equal(await chosen('where is it sent', [METHOD, { kind: 'method', code: 'other() {}' }]), 0);
});

test('a description finds the chunk with its words in the first lines of code, a change does not care', async () => {
  const signature = { kind: 'method', code: '// a comment\ntake(parcel) {\n  return 1;\n}' };
  assert.equal(await chosen('where is a parcel taken', [METHOD, signature]), 1);
  assert.equal(await chosen('fix where a parcel is taken', [METHOD, signature]), 0);
});

test('a query in other words than the code’s chooses no chunk by the words that it shares with the first lines', async () => {
  const signature = { kind: 'method', code: '// a comment\ntake(parcel) {\n  return 1;\n}' };
  assert.equal(await chosen('the parcel that nobody wants', [METHOD, signature], 0), 1);
  assert.equal(await chosen('the parcel that nobody wants', [METHOD, signature], 1), 0);
  assert.equal(await chosen('the parcel that nobody wants', [{ kind: 'imports', code: 'import x' }, METHOD], 1), 1);
});

test('unit tests below the code come behind it, unless they are asked for', async () => {
  for (const symbol of ['tests', 'tests.sends_parcels', 'parcel_tests.sends', 'tests_of_parcels.sends']) {
    const unit = { ...METHOD, symbol };
    for (const text of ['where is it sent', 'fix how it is sent'])
      assert.equal(await chosen(text, [unit, METHOD]), 1, `${symbol}: ${text}`);
    assert.equal(await chosen('test that it is sent', [unit, METHOD]), 0, symbol);
  }
  for (const symbol of ['testament.sends', 'latest.sends', 'Parcel.tests'])
    assert.equal(await chosen('where is it sent', [{ ...METHOD, symbol }, METHOD]), 0, symbol);
});
