/** Equal chunks are one result with every place; chunks that merely look equal stay apart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectReader } from '../../src/git/objects.js';
import { collapse, RecentBlobs } from '../../src/search/collapse.js';
import type { RankedChunk } from '../../src/search/scoring.js';
import { createLiveSet, documentsOf, type LiveSet, locate } from '../../src/shard/live-set.js';
import { buildShard, catalogFile, materialise, type SourceFile } from '../support/generated/corpus.js';
import { pathsOf } from '../support/results.js';

const source = (path: string, className: string, ...words: string[][]): SourceFile => ({
  ...{ path, className },
  methods: words.map((list) => ({ name: 'run', words: list })),
});

/** The live set of files in shards, a reader of their blobs, and all chunks ranked in order. */
function setUp(...shards: SourceFile[][]) {
  const files = shards.flat();
  const { live } = createLiveSet(
    shards.map((each) => buildShard(each)),
    files.map(catalogFile),
  );
  const blobs = new Map(files.map((file) => [materialise(file).oid, materialise(file).bytes]));
  const read = async (oid: string) => ({ oid, type: 'blob' as const, size: 0, content: blobs.get(oid) as Buffer });
  const ranked: RankedChunk[] = [];
  for (let file = 0; file < live.files.length; file++) {
    const { first, end } = documentsOf(live, file);
    for (let document = first; document < end; document++) {
      ranked.push({ document, file, score: 100 - document, explain: { bm25: 1 } });
    }
  }
  return { live, ranked, objects: { read } as unknown as ObjectReader };
}

const run = ({ live, ranked, objects }: ReturnType<typeof setUp>, limit = 100, whole?: number) =>
  collapse(ranked, { live, objects, limit, whole, showsPath: () => true });

const [FIRST, SECOND] = [
  source('a.ts', 'First', ['parse', 'user']),
  source('b.ts', 'Second', ['parse', 'user'], ['server']),
];

for (const [name, shards] of [
  ['one shard', [[FIRST, SECOND]]],
  ['two shards', [[FIRST], [SECOND]]],
] as const) {
  test(`equal chunks of different blobs are one result: ${name}`, async () => {
    const results = await run(setUp(...shards.map((files) => [...files])));
    assert.deepEqual(
      results.map(({ content }) => content),
      ['class First', 'def run parse user', 'class Second', 'def run server'],
    );
    const [, twin] = results;
    assert.deepEqual([twin.path, twin.startLine, pathsOf(twin)], ['a.ts', 2, ['a.ts', 'b.ts']]);
    assert.deepEqual(twin.places, [{ path: 'b.ts', startLine: 2, endLine: 2 }]);
    assert.equal(results[0].places, undefined);
  });
}

test('a first result is the whole definition that it is a part of, if that is short, and its other parts are no results', async () => {
  const set = setUp([source('a.ts', 'First', ['parse'], ['user'], ['server']), source('b.ts', 'Second', ['cart'])]);
  const contents = async (whole?: number, limit?: number) =>
    (await run(set, limit, whole)).map(({ content }) => content);
  const parts = ['def run parse', 'def run user', 'def run server'];
  assert.deepEqual(await contents(), ['class First', ...parts, 'class Second', 'def run cart']);
  assert.deepEqual(await contents(3), ['class First', parts.join('\n'), 'class Second', 'def run cart']);
  assert.deepEqual(await contents(2), await contents(), 'a longer one stays in parts');
  assert.deepEqual(await contents(3, 3), ['class First', parts.join('\n'), 'class Second'], 'and the list is full');
  const [, whole] = await run(set, 3, 3);
  assert.deepEqual([whole.startLine, whole.endLine], [2, 4]);
});

test('a copy beyond the limit still counts as a place', async () => {
  const set = setUp([FIRST, SECOND]);
  const results = await run(set, 2);
  assert.deepEqual([results.length, pathsOf(results[1])], [2, ['a.ts', 'b.ts']]);
});

test('equal hashes of different texts stay two results', async () => {
  const set = setUp([FIRST, SECOND]);
  setHashes(set.live, set.ranked, 7);
  const results = await run(set);
  const texts = results.map(({ content }) => content);
  assert.ok(texts.includes('class First') && texts.includes('class Second') && texts.includes('def run server'));
  for (const { content, places } of results) if (content?.startsWith('class')) assert.equal(places, undefined);
});

function setHashes(live: LiveSet, ranked: readonly RankedChunk[], hash: number): void {
  for (const { document } of ranked) {
    const { shard, local } = locate(live, document);
    shard.columns.hash[local] = hash;
  }
}

test('blank lines at the end of a chunk are not shown, lines before it are', async () => {
  const set = setUp([FIRST]);
  const content = Buffer.concat([materialise(FIRST).bytes, Buffer.from('\n\n')]);
  const { shard, local } = locate(set.live, set.ranked[1].document);
  shard.columns.end[local] = content.length;
  shard.columns.endLine[local] += 2;
  const objects = { read: async () => ({ content }) } as unknown as ObjectReader;
  const [, last] = await run({ ...set, objects });
  assert.deepEqual([last.content, last.startLine, last.endLine], ['def run parse user', 2, 2]);
});

test('a blob that is gone gives a place without text rather than a failure', async () => {
  const set = setUp([source('gone.ts', 'Gone')]);
  const objects = { read: async () => null } as unknown as ObjectReader;
  const [result] = await run({ ...set, objects });
  assert.deepEqual([result.path, result.startLine, result.content], ['gone.ts', 1, '']);
});

test('context is that many lines on both sides, and ends with the file', async () => {
  const words = ['one', 'two', 'three', 'four'].map((word) => [word]);
  const set = setUp([source('a.ts', 'Only', ...words)]);
  const withContext = async (context: number) => {
    const results = await collapse(set.ranked, { ...set, limit: 9, showsPath: () => true, context });
    return results.map(({ contentLine, content }) => [contentLine, content?.split('\n').length]);
  };
  // Five chunks of one line each.
  assert.deepEqual(await withContext(1), [
    [undefined, 2],
    [1, 3],
    [2, 3],
    [3, 3],
    [4, 2],
  ]);
  assert.deepEqual(await withContext(2), [
    [undefined, 3],
    [1, 4],
    [1, 5],
    [2, 4],
    [3, 3],
  ]);
});

test('an empty first line is a line of context', async () => {
  const set = setUp([FIRST]);
  const content = Buffer.concat([Buffer.from('\n'), materialise(FIRST).bytes]);
  const { shard } = locate(set.live, set.ranked[0].document);
  for (const { document } of set.ranked) {
    const { local } = locate(set.live, document);
    for (const column of ['start', 'end', 'startLine', 'endLine'] as const) shard.columns[column][local] += 1;
  }
  const objects = { read: async () => ({ content }) } as unknown as ObjectReader;
  const [first] = await collapse(set.ranked, { ...set, objects, limit: 9, showsPath: () => true, context: 5 });
  assert.deepEqual([first.startLine, first.contentLine], [2, 1]);
  assert.equal(first.content, '\nclass First\ndef run parse user');
});

test('an explained result says where it came from, with a score of six decimals; others have three', async () => {
  const { live, ranked, objects } = setUp([FIRST]);
  const explained = async (explain: Record<string, number>) => {
    const chunk = { ...ranked[0], score: 0.1234567, explain };
    const [result] = await collapse([chunk], { live, objects, limit: 1, showsPath: () => true, explain: true });
    return result;
  };
  for (const [name, source] of [
    ...[
      ['bm25', 'lexical'],
      ['exact', 'lexical'],
      ['definition', 'definition'],
      ['fileName', 'path'],
      ['directory', 'path'],
    ],
    ...[
      ['prefix', 'path'],
      ['rank:vectors', 'semantic'],
      ['similarity', 'semantic'],
    ],
  ]) {
    const result = await explained({ [name]: 1, centrality: 1 });
    assert.deepEqual([result.score, result.sources], [0.123457, [source]], name);
  }
  assert.deepEqual((await explained({ centrality: 1 })).sources, []);
  const [plain] = await collapse([{ ...ranked[0], score: 0.1234567 }], {
    ...{ live, objects, limit: 1, showsPath: () => true },
  });
  assert.deepEqual([plain.score, plain.sources, plain.explain], [0.123, undefined, undefined]);
});

test('a blob is read from git once for several questions, and that of an uncommitted file each time', async () => {
  const read: string[] = [];
  const objects = {
    read: async (oid: string) => {
      read.push(oid);
      return { oid, type: 'blob' as const, content: Buffer.from(oid) };
    },
  };
  const blobs = new RecentBlobs();
  for (const uncommitted of [[], ['b'], ['a']])
    for (const oid of ['a', 'b'])
      assert.equal(String((await blobs.over(objects, new Set(uncommitted)).read(oid))?.content), oid);
  assert.deepEqual(read, ['a', 'b', 'b', 'a']);
});

test('a text at several paths is shown under one that the filter accepts, and the others are told', async () => {
  const file = source('a.ts', 'First', ['parse', 'user']);
  const paths = ['a.ts', 'b.ts', 'c.ts'];
  const entries = paths.map((path) => ({ ...catalogFile(file), path }));
  const { live } = createLiveSet([buildShard([file])], entries);
  const { objects } = setUp([file]);
  const ranked: RankedChunk[] = [{ document: 0, file: 0, score: 1, explain: {} }];
  for (const [wanted, ...others] of [paths, ['b.ts', 'a.ts', 'c.ts'], ['c.ts', 'a.ts', 'b.ts']]) {
    const [result] = await collapse(ranked, { live, objects, limit: 1, showsPath: (path) => path === wanted });
    assert.deepEqual([result.path, result.places?.map(({ path }) => path)], [wanted, others]);
  }
});
