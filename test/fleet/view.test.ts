/** Codecs of views: what is written is read, and nothing else is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FleetStatistics } from '../../fleet/src/ask/statistics.js';
import type { LiveView } from '../../fleet/src/ask/views.js';
import { viewKey } from '../../fleet/src/keys.js';
import { deflated, sealed } from '../../fleet/src/sealed.js';
import { decodeFacts, decodeStats, encodeFacts, encodeStats, keysOf, type ViewFile } from '../../fleet/src/view.js';
import { PATH_CLASSES } from '../../src/search/corpus.js';
import { randomFrom } from '../support/generated/random.js';
import { viewOf } from './made.js';

const segment = fc.constantFrom('src', 'a', 'b.ts', 'Größe', 'cart.ts', 'x'.repeat(90));
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const key = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
const file: fc.Arbitrary<ViewFile> = fc.record({
  key,
  language: fc.constantFrom('go', 'typescript', 'markdown'),
  paths: fc.array(path, { minLength: 1, maxLength: 3 }),
  pathClass: fc.constantFrom(...PATH_CLASSES),
  centrality: fc.float({ min: 0, max: 1, noNaN: true }),
});

test('the files of a view are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(file, { maxLength: 20 }), (files) => {
      const facts = decodeFacts(encodeFacts(files));
      assert.deepEqual(
        keysOf(facts),
        files.map((each) => each.key),
      );
      const read = files.map((_, i) => ({
        language: facts.languages[facts.language[i]],
        paths: facts.paths.slice(facts.pathStart[i], facts.pathStart[i + 1]),
        pathClass: PATH_CLASSES[facts.classes[i]],
        centrality: facts.centrality[i],
      }));
      assert.deepEqual(
        read,
        files.map(({ key: _, ...rest }) => rest),
      );
    }),
    { numRuns: 60 },
  );
});

test('statistics are read as they were written', () => {
  const df = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), { maxLength: 30 });
  fc.assert(
    fc.property(df, fc.nat(1_000), (terms, count) => {
      const stats = {
        count,
        averages: { body: 12.5, name: 1.25, enclosing: 0, path: 3 },
        df: new Map(terms.map((term, i) => [term, Math.min(count, i)])),
      };
      const read = decodeStats(encodeStats(stats));
      assert.deepEqual({ ...read, df: new Map([...read.df].sort()) }, { ...stats, df: new Map([...stats.df].sort()) });
    }),
    { numRuns: 60 },
  );
});

test('paths that no git tree has are refused', () => {
  const one = { key: 'A'.repeat(22), language: 'go', pathClass: 'source' as const, centrality: 0 };
  for (const bad of ['../x', 'a/../b', '/etc/passwd', 'a//b', 'a/./b', 'a\0b', ''])
    assert.throws(() => decodeFacts(encodeFacts([{ ...one, paths: [bad] }])), { code: 'FLEET_STORE' }, bad);
});

test('a server counts each term as the view does, whatever its beginning and its letters', async () => {
  const random = randomFrom(7);
  const letters = ['a', 'b', '_', 'é', '語', '😀'];
  const word = () => Array.from({ length: 1 + random(6) }, () => letters[random(letters.length)]).join('');
  const df = new Map(Array.from({ length: 400 }, () => [word(), 1 + random(900)]));
  const averages = { body: 1, name: 1, enclosing: 1, path: 1 };
  const row = { ...viewOf([]), family: 'any', publishedAt: 1, stats: encodeStats({ count: 1_000, averages, df }) };
  const statistics = new FleetStatistics({ readViews: async () => ({ version: '1', views: [row] }) });
  const view = { key: viewKey(row.repo, row.ref), commit: row.commit } as LiveView;
  const read = await statistics.of([view]);
  for (const [term, count] of df) assert.equal(read.df(term), count, term);
  assert.equal(read.df('zz'), 0);
});

test('damaged views are refused', () => {
  const good = encodeFacts([
    { key: 'A'.repeat(22), language: 'go', paths: ['a.go'], pathClass: 'source', centrality: 0.5 },
  ]);
  for (const bytes of [new Uint8Array(0), good.subarray(0, -1), Buffer.concat([good, good])])
    assert.throws(() => decodeFacts(bytes), { code: 'FLEET_STORE' });
  assert.throws(() => decodeStats(good), { code: 'FLEET_STORE' });
});

test('a term that begins like more than the one before it is refused, as is one that is longer than what is left', () => {
  const stats = (...terms: [shared: number, rest: number[]][]) => {
    const packed = terms.flatMap(([shared, rest]) => [shared, rest.length, ...rest, 1]);
    return sealed([1, 1, [0, 0, 0, 0], terms.length, deflated(Uint8Array.from(packed))]);
  };
  assert.deepEqual([...decodeStats(stats([0, [97, 98]], [1, [99]])).df.keys()], ['ab', 'ac']);
  assert.throws(() => decodeStats(stats([0, [97, 98]], [3, [99]])), { code: 'FLEET_STORE' });
  assert.throws(
    () => decodeStats(stats([0, [97, 98, 99]], [1, [100]], [3, [101]])),
    { code: 'FLEET_STORE' },
    'it was longer before',
  );
  assert.throws(() => decodeStats(stats([1, [97]])), { code: 'FLEET_STORE' });
});
