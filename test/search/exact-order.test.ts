/** Where text as typed puts a chunk, against scores worked out by hand; and which texts of a query are looked for as typed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCorpus } from '../../src/search/build-corpus.js';
import { asTyped, exactTexts, squeezed } from '../../src/search/exact.js';
import type { RankedChunk } from '../../src/search/scoring.js';
import { createLiveSet, locate } from '../../src/shard/live-set.js';
import { buildShard, catalogFile, materialise, type SourceFile } from '../support/generated/corpus.js';

const file = (path: string, className: string, ...words: string[]): SourceFile => ({
  ...{ path, className },
  methods: [{ name: `do${className}`, words }],
});
/** Two chunks each: the class, and its method with the words. */
const FILES = [
  file('a.ts', 'Alpha', 'out', 'of', 'stock'),
  file('b.ts', 'Beta', 'stock', 'out', 'of'),
  file('c.ts', 'Gamma', 'Out', 'OF', 'Stock', 'stock', 'stock'),
  file('d.ts', 'Delta', 'nothing'),
];

function shop(files = FILES) {
  const { live, entries } = createLiveSet([buildShard(files)], files.map(catalogFile));
  const texts = new Map(files.map((each) => [materialise(each).oid, materialise(each).bytes]));
  const read: number[] = [];
  const textOf = async (document: number) => {
    read.push(document);
    const { shard, local } = locate(live, document);
    const bytes = texts.get(live.files.oid(live.fileOf[document]));
    return String(bytes?.subarray(shard.columns.start[local], shard.columns.end[local]));
  };
  return { corpus: createCorpus(live, entries), textOf, read };
}

const chunk = (document: number, score: number, defines?: string): RankedChunk => ({
  ...{ document, file: document >> 1, score, explain: { bm25: score } },
  ...(defines === undefined ? {} : { defines }),
});
const brief = (chunks: readonly RankedChunk[]) => chunks.map(({ document, score }) => [document, score]);
const NONE = { phrases: [], lines: [], keepsDefinitions: false };

test('chunks without the phrase go, those with it keep their scores, and further ones come behind by what words say', async () => {
  const { corpus, textOf, read } = shop();
  const told: number[] = [];
  const ahead = async (documents: readonly number[]) => void told.push(...documents);
  const options = { ...NONE, phrases: ['Out  of stock'], textOf, ahead };
  const found = await asTyped(corpus, [chunk(3, 9), chunk(1, 5), chunk(6, 2)], options);
  assert.deepEqual(
    found.map(({ document }) => document),
    [1, 5],
  );
  assert.deepEqual(found[0], chunk(1, 5));
  const [, further] = found;
  assert.equal(further.file, 2);
  assert.ok(further.score > 0 && further.score <= 5);
  assert.deepEqual(further.explain, { bm25: further.score });
  // What was ranked is told first, and nothing is read that was not told.
  assert.deepEqual(told.slice(0, 3), [3, 1, 6]);
  assert.ok(read.every((document) => told.includes(document)));
});

test('all phrases are asked for, and a filter holds for what the ranking had not', async () => {
  const { corpus, textOf } = shop();
  const find = async (phrases: string[], accept?: (document: number) => boolean) =>
    (await asTyped(corpus, [], { ...NONE, phrases, textOf, accept })).map(({ document }) => document).sort();
  assert.deepEqual(await find(['out of', 'of stock']), [1, 5]);
  assert.deepEqual(await find(['out of', 'stock out']), [3]);
  assert.deepEqual(await find(['out of'], (document) => document !== 3), [1, 5]);
  assert.deepEqual(await find(['out of nothing']), [], 'there is nothing to fall back on');
});

test('without a ranked chunk the best of what words find has the score 1', async () => {
  const { corpus, textOf } = shop();
  const found = await asTyped(corpus, [], { ...NONE, phrases: ['out of stock'], textOf });
  assert.equal(found[0].score, 1);
  assert.ok(found[1].score < 1);
});

test('chunks gain the top score for the share of lines that they hold, in the order that comes of it', async () => {
  const { corpus, textOf } = shop();
  const lines = ['out of stock', 'doAlpha'];
  const found = await asTyped(corpus, [chunk(6, 8), chunk(3, 4)], { ...NONE, lines, textOf });
  // Only the method of Alpha has all words. It has both lines; the others have none.
  assert.deepEqual(
    brief(found),
    [
      [6, 8],
      [1, 8],
      [3, 4],
    ].sort(([a, x], [b, y]) => y - x || a - b),
  );
  assert.deepEqual(found.find(({ document }) => document === 1)?.explain, { exact: 8 });
  const half = await asTyped(corpus, [chunk(6, 8), chunk(1, 3)], {
    ...NONE,
    lines: ['out of stock', 'absent'],
    textOf,
  });
  assert.deepEqual(brief(half), [
    [6, 8],
    [1, 7],
  ]);
  assert.deepEqual(half[1].explain, { bm25: 3, exact: 4 });
  assert.deepEqual(half[0], chunk(6, 8));
});

test('a definition of the name that was asked for gains as much as a chunk with all of it, where the query is a name', async () => {
  const { corpus, textOf } = shop();
  const ranked = [chunk(6, 8, 'Delta'), chunk(1, 3)];
  const scores = async (keepsDefinitions: boolean) =>
    brief(await asTyped(corpus, ranked, { ...NONE, lines: ['out of stock'], keepsDefinitions, textOf }));
  assert.deepEqual((await scores(true)).slice(0, 2), [
    [6, 16],
    [1, 11],
  ]);
  assert.deepEqual((await scores(false)).slice(0, 2), [
    [1, 11],
    [6, 8],
  ]);
});

test('chunks of equal scores are in the order of their files and places', async () => {
  const { corpus, textOf } = shop();
  const ranked = [5, 2, 4, 1].map((document) => chunk(document, 2));
  const found = await asTyped(corpus, ranked, { ...NONE, lines: ['absent'], textOf });
  assert.deepEqual(
    brief(found).map(([document]) => document),
    [1, 2, 4, 5],
  );
});

test('without a text to look for, the ranking stays, and nothing is read', async () => {
  const { corpus, textOf, read } = shop();
  const ranked = [chunk(2, 1), chunk(1, 2)];
  assert.deepEqual(await asTyped(corpus, ranked, { ...NONE, textOf }), ranked);
  assert.deepEqual(read, []);
});

test('a literal is no part of a longer one, in any case; code is found within a line', async () => {
  const holds = async (line: string, text: string) => {
    const { corpus } = shop();
    const [first] = await asTyped(corpus, [chunk(0, 1)], { ...NONE, lines: [line], textOf: async () => text });
    return first.score > 1;
  };
  for (const text of ['5000ms', 'wait 5000MS;', '=5000ms', '15000ms 5000ms', '5000ms.'])
    assert.ok(await holds('5000ms', text), text);
  for (const text of ['15000ms', '5000msec', '5000ms_', '1.5000ms', '5000 ms', ''])
    assert.ok(!(await holds('5000ms', text)), text);
  assert.ok(await holds('2.10', 'of 2.10.'));
  assert.ok(!(await holds('2.10', 'of 2.10.3')));
  assert.ok(await holds('a.b(', 'xa.b(c)'));
  assert.ok(!(await holds('a.B(', 'a.b(c)')));
});

test('a name of several parts and a route are looked for by their bytes, and so are the parts of a message', () => {
  const namesOf = (text: string) => exactTexts({ text, kind: 'natural' }).names ?? [];
  for (const name of [
    'Type::CONSTANT',
    'documents.move',
    'get_user_by_id',
    'getUserById',
    '/api/users/:id',
    'GET /api/users',
  ])
    assert.deepEqual(namesOf(name), [name]);
  for (const text of ['sessions', 'Sessions', 'two words', '5000ms']) assert.deepEqual(namesOf(text), [], text);
  assert.deepEqual(namesOf("cannot open the file 'a.txt': no such file or directory"), [
    'cannot open the file',
    'no such file or directory',
  ]);
  assert.deepEqual(exactTexts({ text: 'how is a file opened', kind: 'question' }).names, undefined);
});

test('a name with separators among up to three words is looked for by its bytes, however many chunks have more of the words', async () => {
  const textsOf = (text: string) => exactTexts({ text, kind: 'natural' });
  for (const text of ['endpoint own.password', 'where is own.password?', 'who uses own.password, own.name'])
    assert.equal(textsOf(text).names?.[0], 'own.password', text);
  assert.deepEqual(textsOf('handler of /api/users/:id').names, ['/api/users/:id']);
  for (const text of [
    'call own.password(x) here',
    'if own.password is empty, the form of users shows nothing',
    'a.b = c',
  ])
    assert.equal(textsOf(text).isAmongWords, undefined, text);

  const others = Array.from({ length: 40 }, (_, i) =>
    file(`pages/p${i}.ts`, `Endpoint${i}`, 'endpoint', 'endpoint', 'password', 'own', `endpoint${i}`),
  );
  const { corpus, textOf } = shop([file('routes.ts', 'Routes', 'own.password', 'one', 'two', 'three'), ...others]);
  const ranked = [chunk(3, 8), chunk(5, 4)];
  const [first] = await asTyped(corpus, ranked, { ...NONE, ...textsOf('endpoint own.password'), textOf });
  assert.equal(corpus.live.files.path(first.file), 'routes.ts');
  // A definition counts though its text does not hold the whole name.
  const { corpus: own, textOf: ownText } = shop();
  const [defined] = await asTyped(own, [chunk(6, 8)], { ...NONE, ...textsOf('class of b.Beta'), textOf: ownText });
  assert.equal(own.live.files.path(defined.file), 'b.ts');
});

test('a route or a name of one common word is found among many chunks that have more of the word', async () => {
  const others = Array.from({ length: 40 }, (_, i) =>
    file(`pages/p${i}.ts`, `Page${i}`, 'password', 'password', 'own', 'own', `page${i}`),
  );
  for (const name of ['/password', 'own.password', 'own/password']) {
    const { corpus, textOf } = shop([
      file('routes.ts', 'Routes', name, 'own', 'one', 'two', 'three', 'four'),
      ...others,
    ]);
    const [first] = await asTyped(corpus, [], { ...NONE, names: [name], textOf });
    assert.equal(corpus.live.files.path(first.file), 'routes.ts', name);
  }
});

test('places and paths of a query; in a sentence a path has a folder', () => {
  const found = (text: string) => {
    const { places, paths, isWhole } = exactTexts({ text });
    return { places, paths, isWhole };
  };
  const NOTHING = { places: undefined, paths: undefined, isWhole: undefined };
  assert.deepEqual(found('src/b/index.ts'), { ...NOTHING, paths: ['src/b/index.ts'], isWhole: true });
  assert.deepEqual(found('./index.ts'), { ...NOTHING, paths: ['index.ts'], isWhole: true });
  assert.deepEqual(found('what does src/b/index.ts export'), { ...NOTHING, paths: ['src/b/index.ts'] });
  assert.deepEqual(found('where is package.json read'), NOTHING);
  assert.deepEqual(found('panicked at src/store.rs:220:9').places, [{ path: 'src/store.rs', line: 220 }]);
});

/** Of each file the second chunk is its method, with the words. */
const method = (path: string, className: string, name: string, ...words: string[]): SourceFile => ({
  ...{ path, className },
  methods: [{ name, words }],
});
const NAMED = [
  method('a.ts', 'Alpha', 'getUserById'),
  method('b.ts', 'Beta', 'get_user_by_id'),
  method('c.ts', 'Gamma', 'other', 'get_user_by_id'),
];

test('a definition with the very bytes of a name comes before its cousins, which gain half; uses gain nothing', async () => {
  const { corpus, textOf } = shop(NAMED);
  const ranked = [chunk(1, 8), chunk(3, 6), chunk(5, 4)];
  const options = { ...NONE, names: ['get_user_by_id'], keepsDefinitions: true, textOf };
  assert.deepEqual(brief(await asTyped(corpus, ranked, options)), [
    [3, 14],
    [1, 12],
    [5, 4],
  ]);
  const accept = (document: number) => document !== 3;
  const filtered = await asTyped(corpus, [chunk(1, 8), chunk(5, 4)], { ...options, accept, top: 8 });
  assert.deepEqual(brief(filtered), [
    [1, 12],
    [5, 4],
  ]);
});

test('without a definition of the very name its uses come before definitions of its cousins', async () => {
  const { corpus, textOf } = shop([NAMED[0], file('b.ts', 'Beta', 'nothing'), NAMED[2]]);
  const ranked = [chunk(1, 8), chunk(5, 4)];
  const options = { ...NONE, names: ['get_user_by_id'], keepsDefinitions: true, textOf };
  assert.deepEqual(brief(await asTyped(corpus, ranked, options)), [
    [5, 12],
    [1, 8],
  ]);
});

test('of definitions of a qualified name those below its qualifier come first', async () => {
  const { corpus, textOf } = shop([method('a.ts', 'Alpha', 'move'), method('b.ts', 'Beta', 'move')]);
  const ranked = [chunk(1, 5), chunk(3, 4)];
  const options = { ...NONE, names: ['Beta.move'], keepsDefinitions: true, textOf };
  assert.deepEqual(brief(await asTyped(corpus, ranked, options)), [
    [3, 9],
    [1, 7.5],
  ]);
});

test('the chunk at a place and the best chunk of a path come first, above all else', async () => {
  const { corpus, textOf } = shop();
  const ranked = [chunk(6, 8), chunk(3, 4), chunk(2, 3)];
  const first = async (own: object) =>
    (await asTyped(corpus, ranked, { ...NONE, ...own, textOf })).map((each) => each.document);
  assert.deepEqual(await first({ paths: ['b.ts'] }), [3, 6, 2]);
  assert.deepEqual(await first({ paths: ['c.ts'] }), [4, 6, 3, 2]);
  const { shard, local } = locate(corpus.live, 5);
  const line = shard.columns.startLine[local];
  assert.deepEqual(await first({ places: [{ path: '/home/x/src/c.ts', line }] }), [5, 6, 3, 2]);
  assert.deepEqual(await first({ places: [{ path: 'c.ts', line: 9_000 }] }), [6, 3, 2]);
  assert.deepEqual(await first({ places: [{ path: 'z.ts', line: 1 }] }), [6, 3, 2]);
});

test('a phrase that occurs nowhere counts as words, and the answer is told; alone it leaves nothing', async () => {
  const { corpus, textOf } = shop();
  const ranked = [chunk(6, 8), chunk(1, 4)];
  const ask = async (phrases: string[], isWhole = false) => {
    const told: string[] = [];
    const asWords = (list: readonly string[]) => void told.push(...list);
    const found = await asTyped(corpus, ranked, { ...NONE, phrases, isWhole, asWords, textOf });
    return [found.map((each) => each.document), told];
  };
  assert.deepEqual(await ask(['no such phrase']), [[6, 1], ['no such phrase']]);
  assert.deepEqual(await ask(['out of stock', 'no such phrase']), [[1, 5], ['no such phrase']]);
  assert.deepEqual(await ask(['no such phrase'], true), [[], ['no such phrase']]);
  assert.deepEqual(await ask(['out of stock'], true), [[1, 5], []]);
});

test('a phrase in a sentence raises the chunks that have it by its share of the letters, and leaves the others', async () => {
  const { corpus, textOf } = shop();
  const ranked = [chunk(6, 8), chunk(1, 4)];
  const ask = async (text: string) => {
    const told: string[] = [];
    const asWords = (list: readonly string[]) => void told.push(...list);
    const found = await asTyped(corpus, ranked, { ...NONE, ...exactTexts({ text }), asWords, textOf });
    return [found.map(({ document, explain }) => [document, explain.exact]), told];
  };
  const text = 'the cart opens slowly because "out of stock" is shown twice';
  const share = exactTexts({ text }).mentions?.get('out of stock') ?? 0;
  assert.ok(Math.abs(share - 12 / text.length) < 0.01);
  assert.deepEqual(await ask(text), [
    [
      [6, undefined],
      [1, share * 8],
      [5, share * 8],
    ],
    [],
  ]);
  assert.deepEqual(await ask('the cart opens slowly because "no such phrase" is shown twice'), [
    [
      [6, undefined],
      [1, undefined],
    ],
    ['no such phrase'],
  ]);
});

test('a phrase is a condition next to three words, and is only mentioned next to more', () => {
  const of = (text: string) => {
    const { phrases, mentions } = exactTexts({ text });
    return [phrases, [...(mentions?.keys() ?? [])]];
  };
  assert.deepEqual(of('where is the "out of stock" message shown to customers'), [['out of stock'], []]);
  assert.deepEqual(of('the cart always shows "out of stock" after reloading'), [[], ['out of stock']]);
  assert.deepEqual(of('the cart always shows "one" and “two parts” after reloading'), [[], ['one', 'two parts']]);
});

test('phrases, lines and literals of a query', () => {
  const texts = (text: string) => exactTexts({ text });
  const phrases = (...all: string[]) => ({ phrases: all, lines: [] });
  const lines = (...all: string[]) => ({ phrases: [], lines: all });
  assert.deepEqual(texts('find " out of " and "in stock"'), phrases('out of', 'in stock'));
  assert.deepEqual(texts('a "--" b'), phrases());
  assert.deepEqual(texts('a "x" b'), phrases());
  assert.deepEqual(texts('a.b("two words")'), lines('a.b("two words")'));
  assert.deepEqual(texts('the "two words" of a.b('), phrases('two words'));
  assert.deepEqual(texts('  if (a) {\n  }\n  if ( a ) {\n  b();'), lines('if(a){', 'b();'));
  assert.deepEqual(texts('timeout is exactly 5000ms'), lines('5000ms'));
  assert.deepEqual(texts('the timeout is exactly 5000ms'), phrases());
  assert.deepEqual(texts('5000ms 5000ms 3px'), lines('5000ms', '3px'));
  assert.deepEqual(texts('sessions'), phrases());
  const many = Array.from({ length: 60 }, (_, i) => `call${i}();`);
  assert.deepEqual(texts(many.join('\n')), lines(...many.slice(0, 50)));
  assert.equal(squeezed(' a  b ( c ,d )\n\te '), 'a b(c,d)e');
});
