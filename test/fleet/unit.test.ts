/** Units: what is uploaded is checked, and what is stored ranks as the local index does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { giveBack, unitCorpus } from '../../fleet/src/corpus.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { familyId } from '../../fleet/src/keys.js';
import { packed, sealed } from '../../fleet/src/sealed.js';
import { makeUnit, openPayload, openText, type UnitUpload } from '../../fleet/src/unit.js';
import { builtinModel } from '../../src/embed/builtin/index.js';
import { computeStaticVectors } from '../../src/indexer/static-vectors.js';
import { createCorpus } from '../../src/search/build-corpus.js';
import type { Corpus } from '../../src/search/corpus.js';
import { DenseScorer, staticQuery } from '../../src/search/dense.js';
import { scoreBm25f } from '../../src/search/lexical.js';
import { parseQuery } from '../../src/search/query.js';
import { rank } from '../../src/search/scoring.js';
import { createLiveSet, locate } from '../../src/shard/live-set.js';
import { nearest, VectorIndex } from '../../src/shard/nearest.js';
import { VectorShard } from '../../src/shard/vector-shard.js';
import { anyFiles, buildShard, catalogFile } from '../support/generated/corpus.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { PROFILE, sourceFile, storedUnit, uploadOf } from './made.js';

const PLACE = { profile: PROFILE, family: familyId('shop'), keepsText: true, now: 1 };
const CART = sourceFile('src/cart.ts', 'Cart', ['discount', 'total', 'price']);

function ranked(corpus: Corpus, vectors: VectorIndex, text: string, lexical: ReturnType<typeof scoreBm25f>): string[] {
  const query = parseQuery(text);
  const near = staticQuery(builtinModel(), vectors, lexical.terms);
  const dense = near && new DenseScorer(corpus, near);
  return rank(corpus, query, { limit: 20, dense }, lexical).map(({ document, file, score }) => {
    const { shard, local } = locate(corpus.live, document);
    return `${corpus.live.files.path(file)}:${shard.columns.startLine[local]} ${score.toFixed(3)}`;
  });
}

test('stored units rank as the local index does', () => {
  fc.assert(
    fc.property(anyFiles(6), fc.constantFrom('parse user', 'HTTPServer', 'running session'), (files, text) => {
      const shard = buildShard(files);
      const { live, entries } = createLiveSet([shard], files.map(catalogFile));
      const local = createCorpus(live, entries);
      const here = new VectorIndex(live, [computeStaticVectors(shard)]);
      const own = scoreBm25f(local, parseQuery(text).terms);
      const df = new Map(own.terms.map(({ term, df }) => [term, df]));
      const units = files.map((file, i) => {
        const { unit, record } = storedUnit(file);
        const opened = openPayload(unit.key, record.payload);
        const at = entries.findIndex(({ path }) => path === file.path);
        return { ...opened, paths: [file.path], pathClass: 'source' as const, centrality: local.centrality[at] ?? i };
      });
      local.classes.fill(0);
      const { corpus, vectors } = unitCorpus(units, local);
      const lexical = scoreBm25f(corpus, parseQuery(text).terms, { count: live.count, df: (term) => df.get(term) });
      assert.deepEqual(ranked(corpus, vectors, text, lexical).sort(), ranked(local, here, text, own).sort());
    }),
    { numRuns: 15 },
  );
});

test('rows that another question leaves behind, of any number and of any size, change no score', () => {
  const opened = (rows: number, dimensions: number) => {
    const names = Array.from({ length: rows }, (_, i) => `part${i}`);
    const { unit, record } = storedUnit(sourceFile('src/a.ts', 'A', names));
    const { lexical } = openPayload(unit.key, record.payload);
    const { documents } = lexical.meta;
    const numbers = Int8Array.from({ length: documents * dimensions }, (_, i) => ((i * 37) % 255) - 127);
    const vectors = new VectorShard({ dimensions, rows: numbers });
    return { lexical, vectors, paths: ['src/a.ts'], pathClass: 'source' as const, centrality: 0 };
  };
  const averages = { body: 1, name: 1, enclosing: 1, path: 1 };
  for (const [rows, dimensions] of [
    [1, 8],
    [3, 256],
    [40, 8],
    [2, 256],
    [5, 64],
  ]) {
    const placed = [opened(rows, dimensions), opened(rows + 1, dimensions)];
    const { corpus, vectors } = unitCorpus(placed, { averages });
    const question = Float32Array.from({ length: dimensions }, (_, i) => Math.sin(i + 1));
    const apart = new VectorIndex(
      corpus.live,
      placed.map((unit) => unit.vectors),
    );
    assert.deepEqual(nearest(vectors, question, 20), nearest(apart, question, 20));
    giveBack(vectors);
  }
});

test('a search row has the words of the file and of its path, and the vector has length 1', () => {
  const { unit, record } = storedUnit(CART);
  const words = unit.terms.split(' ');
  assert.ok(
    ['discount', 'cart', 'src'].every((word) => words.includes(word)),
    unit.terms,
  );
  assert.deepEqual([words.includes('=cart'), words.includes('=discount')], [true, false], 'what is defined is marked');
  assert.ok(words.filter((word) => word === 'cart').length > words.filter((word) => word === 'discount').length);
  assert.ok(Math.abs(Math.hypot(...unit.vector) - 1) < 1e-5);
  const bare = makeUnit(uploadOf(CART), { ...PLACE, keepsText: false });
  assert.equal(openText(unit.key, bare.record.text), null);
  const text = openText(unit.key, record.text) ?? assert.fail();
  assert.equal(text.buffer.byteLength, text.length, 'a text that is kept takes no more memory than it has bytes');
  assert.deepEqual(bare.unit.key, record.key);
});

test('an upload that is no true unit is refused', () => {
  const good = uploadOf(CART);
  const other = uploadOf(sourceFile('src/a.ts', 'A', ['x']));
  const refused: [string, Partial<UnitUpload>][] = [
    ['text of another blob', { text: other.text }],
    ['record of another blob', { record: other.record }],
    ['no record', { record: new Uint8Array(0) }],
    ['another language', { language: 'python' }],
    ['a name of every object', { language: 'toString' }],
    ['text that is not deflated', { text: Buffer.from('class Cart') }],
    ['a bomb', { text: deflateRawSync(Buffer.alloc(5 << 20)) }],
    ['a record over the limit', { record: Buffer.alloc(5 << 20) }],
  ];
  for (const [what, change] of refused)
    assert.throws(() => makeUnit({ ...good, ...change }, PLACE), { code: 'FLEET_BAD_UNIT' }, what);
});

test('random damage of an upload is refused or harmless', () => {
  const good = uploadOf(CART);
  const flips = fc.record({ part: fc.constantFrom('record' as const, 'text' as const), at: fc.nat(), bit: fc.nat(7) });
  fc.assert(
    fc.property(flips, ({ part, at, bit }) => {
      const bytes = Uint8Array.from(good[part]);
      bytes[at % bytes.length] ^= 1 << bit;
      try {
        const { unit } = makeUnit({ ...good, [part]: bytes }, PLACE);
        assert.equal(unit.key, storedUnit(CART).unit.key);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'FLEET_BAD_UNIT');
      }
    }),
    { numRuns: 300 },
  );
});

test('a damaged payload or text is noticed, wherever the bit is', () => {
  const { record, unit } = storedUnit(CART);
  fc.assert(
    fc.property(fc.nat(), fc.nat(7), fc.boolean(), (at, bit, isText) => {
      const bytes = Uint8Array.from(isText ? record.text : record.payload);
      bytes[at % bytes.length] ^= 1 << bit;
      const open: (key: string, bytes: Uint8Array) => unknown = isText ? openText : openPayload;
      assert.throws(() => open(unit.key, bytes), { code: 'FLEET_STORE' });
    }),
    { numRuns: 200 },
  );
});

test('a payload that another version wrote says so, and names the command that mends it', () => {
  const other = sealed([
    2,
    packed(Buffer.from('GSCLEX00 of another version')),
    1,
    new Uint8Array(0),
    new Uint8Array(0),
  ]);
  assert.throws(() => openPayload('key', other), {
    code: 'FLEET_STORE',
    message: /another version/,
    hint: /fleet rebuild/,
  });
});

test('a batch of units lets other work run before it is done', async () => {
  const files = Array.from({ length: 20 }, (_, i) => sourceFile(`src/f${i}.ts`, `F${i}`, [`word${i}`]));
  const intake = new FleetIntake(new MemoryEngine(PROFILE));
  const order: string[] = [];
  const batch = intake
    .units({ profile: PROFILE.id, repo: 'shop', family: 'shop', ref: 'main', units: files.map(uploadOf) })
    .then(() => order.push('batch'));
  await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  order.push('other work');
  await batch;
  assert.deepEqual(order, ['other work', 'batch']);
});
