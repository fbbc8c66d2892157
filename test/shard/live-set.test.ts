/** The files of a snapshot among the units of several shards, and what a merge of the shards leaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeLexical } from '../../src/shard/lexical-format.js';
import { LexicalShard } from '../../src/shard/lexical-shard.js';
import { createLiveSet, documentsOf, findUnit, locate, lookUpUnit } from '../../src/shard/live-set.js';
import { mergeLexical, unionEntries } from '../../src/shard/merge.js';
import { buildShard, catalogFile, materialise, type SourceFile } from '../support/generated/corpus.js';

/** Files of two chunks each, the class and its method. */
const file = (name: string, path = `${name}.ts`): SourceFile => ({
  ...{ path, className: name },
  methods: [{ name: `run${name}`, words: ['common', `only${name}`] }],
});
const [A, B, C, D] = ['Aa', 'Bb', 'Cc', 'Dd'].map((name) => file(name));
const SHARDS = [buildShard([A, B], 'old'), buildShard([B, C], 'new')];
const oid = (source: SourceFile) => materialise(source).oid;

test('a blob is found in the newest shard that has it, as its language or none', () => {
  const found = (source: SourceFile, language: string | null) => findUnit(SHARDS, oid(source), language);
  assert.deepEqual(
    [A, B, C, D].map((source) => found(source, 'typescript')?.shard),
    [0, 1, 1, undefined],
  );
  assert.equal(found(A, 'java'), null);
  assert.equal(found(A, null), null, 'no unit of these was told by its content');
  const looked = lookUpUnit(SHARDS, catalogFile(B));
  assert.deepEqual(
    [looked?.shard, looked?.state, looked?.size, looked?.isIncomplete, looked?.isGenerated],
    [1, null, materialise(B).bytes.length, false, false],
  );
});

test('a live set has a file for each content, with all its paths, and documents of others belong to none', () => {
  const copy = { ...catalogFile(A), path: 'copy/a.ts' };
  const catalog = [catalogFile(B), catalogFile(A), copy, catalogFile(D), catalogFile(C)];
  const { live, entries } = createLiveSet(SHARDS, catalog);
  const { files } = live;
  assert.deepEqual(
    Array.from({ length: files.length }, (_, i) => [files.path(i), ...files.paths(i), files.oid(i), files.language(i)]),
    [
      ['Bb.ts', 'Bb.ts', oid(B), 'typescript'],
      ['Aa.ts', 'Aa.ts', 'copy/a.ts', oid(A), 'typescript'],
      ['Cc.ts', 'Cc.ts', oid(C), 'typescript'],
    ],
  );
  assert.deepEqual(
    entries.map(({ path }) => path),
    ['Bb.ts', 'Aa.ts', 'Cc.ts'],
  );
  assert.deepEqual([[...live.bases], live.count], [[0, 4, 8], 6]);
  const ranges = [0, 1, 2].map((each) => documentsOf(live, each));
  const owners = Array.from({ length: 8 }, (_, document) =>
    ranges.findIndex(({ first, end }) => first <= document && document < end),
  );
  assert.deepEqual([...live.fileOf], owners);
  assert.equal(owners.filter((owner) => owner === -1).length, 2, 'the older unit of one blob');
  for (const { first, end } of ranges) assert.equal(end - first, 2);
  for (let document = 0; document < 8; document++) {
    const { shard, local } = locate(live, document);
    assert.deepEqual([shard, local], [SHARDS[document >> 2], document % 4]);
  }
  const some = createLiveSet(SHARDS, catalog, ({ path }, unit) => path !== 'Aa.ts' && unit.shard === 0);
  assert.deepEqual(
    some.entries.map(({ path }) => path),
    ['copy/a.ts'],
  );
});

/** What a shard says of a term or a name: the blob and the symbol of each document. */
function said(shard: LexicalShard, term: string): string[] {
  const found: string[] = [];
  const unitOf = (document: number) =>
    Array.from({ length: shard.meta.units }, (_, unit) => unit).find(
      (unit) => shard.unitFirst[unit] <= document && document < shard.unitFirst[unit] + shard.unitDocuments[unit],
    ) as number;
  const index = shard.findTerm(term);
  if (index >= 0)
    shard.eachPosting(index, (document, body, name, enclosing) => {
      found.push(
        `${shard.unitOid(unitOf(document)).slice(0, 4)} ${shard.documentSymbol(document)} ${body} ${name} ${enclosing}`,
      );
    });
  return found;
}

test('a merge keeps the newest unit of each blob, with the postings that it had, and can drop blobs', () => {
  const merged = new LexicalShard(encodeLexical(mergeLexical(SHARDS)), 'merged');
  const whole = buildShard([A, B, C], 'whole');
  assert.deepEqual([merged.meta.units, merged.meta.documents], [3, 6]);
  for (const term of ['common', 'onlybb', 'aa', 'runcc', 'none', 'run']) {
    assert.deepEqual(said(merged, term).sort(), said(whole, term).sort(), term);
  }
  const names = (shard: LexicalShard) =>
    Array.from({ length: shard.names.length }, (_, i) => `${shard.names.at(i)} ${shard.definitions(i).length}`);
  assert.deepEqual(names(merged), names(whole));
  assert.ok(names(merged).length > 3);
  const kept = new LexicalShard(encodeLexical(mergeLexical(SHARDS, (each) => each !== oid(B))), 'kept');
  assert.deepEqual(
    [kept.meta.units, said(kept, 'onlybb'), names(kept).some((name) => /bb/i.test(name))],
    [2, [], false],
  );
  const first = said(merged, 'common').map((line) => line.slice(0, 4));
  assert.deepEqual(
    first,
    [A, B, C].map((source) => oid(source).slice(0, 4)),
    'in the order of shards',
  );
});

test('entries of sorted tables are united in the order of their bytes', () => {
  const tables = SHARDS.map(({ terms }) => terms);
  const all = [...unionEntries(tables)];
  const texts = tables.map((table) => Array.from({ length: table.length }, (_, i) => table.at(i)));
  const wanted = [...new Set(texts.flat())].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(
    all.map(({ entry }) => entry),
    wanted,
  );
  for (const { entry, indexes } of all)
    assert.deepEqual(
      indexes,
      texts.map((list) => list.indexOf(entry)),
    );
  assert.deepEqual([...unionEntries([])], []);
});
