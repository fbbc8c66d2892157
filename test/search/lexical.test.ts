/** Text of a query as typed: quoted phrases must occur, and code comes first where it stands. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createCorpus } from '../../src/search/build-corpus.js';
import type { MessageField } from '../../src/search/commit-subjects.js';
import { exactTexts, squeezed } from '../../src/search/exact.js';
import { scoreBm25f, scoreCorrected, Vocabulary } from '../../src/search/lexical.js';
import { parseQuery } from '../../src/search/query.js';
import { createLiveSet } from '../../src/shard/live-set.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';
import { Process } from '../support/in-process/search.js';
import { createRepo } from '../support/repositories/repo.js';

const repo = createRepo();
repo.commit({
  'a.ts': 'export function retry(limit: number) {\n  // gives up when the stock is out\n  return limit;\n}\n',
  'b.ts': 'export function order(stock: Stock) {\n  throw new Error("Out of   stock");\n}\n',
  'c.ts': 'export function check(color: Color, item: Item) {\n  if (color === Color.RED) item.paint( color, 1 );\n}\n',
  'd.ts': 'export enum Color {\n  RED,\n}\nexport class Item {\n  paint(color: Color, item: number) {}\n}\n',
  'e.ts':
    'export const red = 1;\nexport function paint(item: Item, color: Color) {\n  return [item, color, color, item];\n}\n',
});
repo.commit({
  'wait.ts': 'export class Wait {\n  maxTimeMS = 5000;\n  ms(ms: Ms) {\n    return ms;\n  }\n}\n',
  'doc/upgrade.md': '# Upgrade\n\nThe timeout is now 5000ms, and the\noldest server that works is 2.10.\n',
  'doc/other.md': '# Other\n\nThe timeout of 15000ms came with 2.10.3, with 2 of 10 servers.\n',
});
let shop: Process;
before(async () => {
  shop = await Process.open(repo);
});
after(() => shop.close());

const paths = async (query: string) => (await shop.search(query)).results.map(({ path }) => path);

describe('a question in other words than the code has', () => {
  const gallery = createRepo();
  gallery.commit({
    'scale.ts': 'export function scale(image: Image, height: number) {\n  return image.resize(height);\n}\n',
    'tree.ts': 'export function walk(directory: string) {\n  return readdir(directory);\n}\n',
    'cart.ts': 'export function total(lines: Line[]) {\n  return lines.reduce(sum);\n}\n',
  });
  let process: Process;
  before(async () => {
    process = await Process.open(gallery);
  });
  after(() => process.close());
  const first = async (query: string, mode?: 'lexical') => {
    const { results, told = [] } = await process.search(query, { mode });
    return { path: results[0]?.path, alike: told.filter((line) => line.startsWith('also searched for')) };
  };

  test('is answered by words of the same meaning, and the answer names them', async () => {
    const { path, alike } = await first('make somebody’s picture fit the page');
    assert.equal(path, 'scale.ts');
    assert.match(alike.join(), /\bimage\b[^;]* \("picture"\)/);
    assert.equal((await first('wander through every folder')).path, 'tree.ts');
    assert.deepEqual((await first('wander through every folder', 'lexical')).alike, []);
  });

  test('keeps to its own words where the code has them, and for a name or two words', async () => {
    for (const query of ['scale image to height, no picture', 'picture', 'picture folder'])
      assert.deepEqual((await first(query)).alike, [], query);
  });

  test('a trace is found by its places: nothing is said of words in it that no file has', async () => {
    const trace = 'wander: picture vanished\n  at folder (src/scale.ts:2) in 0xc0ffee00';
    const { results, told = [], corrections = {} } = await process.search(trace);
    assert.equal(results[0].path, 'scale.ts');
    assert.deepEqual([told, corrections], [[], {}]);
  });

  test('a word of the dictionary is no misspelling of a word that looks like it', async () => {
    const { corrections = {} } = await process.search('which lined paper shows a picture');
    assert.ok(!('picture' in corrections));
  });
});

test('a phrase in quotes occurs in every result, however it is spaced and in any case', async () => {
  assert.deepEqual(await paths('"out of stock"'), ['b.ts']);
  assert.deepEqual(await paths('order "out of stock"'), ['b.ts']);
  assert.deepEqual(await paths('"stock out of"'), []);
  assert.ok((await paths('out of stock')).length > 1);
});

test('the answer says what became of phrases, words and filters', async () => {
  const told = async (query: string, options = {}) => (await shop.search(query, options)).told;
  assert.deepEqual(await told('order "out of stock"'), ['the quotes left out 1 of the best results']);
  assert.deepEqual(await told('where is the order "sold out" thrown'), [
    'no file has "sold"',
    'no result has "sold out" as quoted; searched for the words',
  ]);
  assert.ok((await paths('where is the order "sold out" thrown')).length > 0);
  assert.deepEqual(await told('"stock out of"'), [
    'no result has "stock out of" as quoted; without quotes its words are searched',
  ]);
  assert.deepEqual(await told('order zebra'), ['no file has "zebra"']);
  assert.deepEqual(await told('stock', { path: ['wait.ts'] }), ['filters by path left out 2 of the best results']);
  assert.equal(await told('order'), undefined);
});

test('a path, a place and a message come first', async () => {
  assert.equal((await paths('doc/other.md'))[0], 'doc/other.md');
  assert.equal((await paths('thread panicked at src/b.ts:2:9 in the paint of an item'))[0], 'b.ts');
  assert.equal((await paths('item: The timeout of 15000ms came with 2.10.3'))[0], 'doc/other.md');
});

test('code comes first where it stands as typed', async () => {
  assert.equal((await paths('item.paint(color, 1)'))[0], 'c.ts');
  assert.equal((await paths('if (color === Color.RED)'))[0], 'c.ts');
  assert.equal((await paths('export function check(color: Color, item: Item) {\n    nothing here'))[0], 'c.ts');
});

test('a definition of the name that was asked for stays above its uses', async () => {
  assert.equal((await paths('Color.RED'))[0], 'd.ts');
});

test('a number with its unit, or a version, comes first where it stands as typed', async () => {
  assert.equal((await paths('5000ms'))[0], 'doc/upgrade.md');
  assert.equal((await paths('timeout of 5000MS'))[0], 'doc/upgrade.md');
  assert.equal((await paths('2.10'))[0], 'doc/upgrade.md');
  assert.equal((await paths('2.10.3'))[0], 'doc/other.md');
  assert.deepEqual(exactTexts({ text: 'why is the timeout 5000ms and not longer' }), { phrases: [], lines: [] });
});

test('quotes inside of code ask for no phrase', () => {
  assert.deepEqual(exactTexts({ text: 'log("two words")' }), { phrases: [], lines: ['log("two words")'] });
  assert.deepEqual(exactTexts({ text: 'why "two words" here' }), { phrases: ['two words'], lines: [] });
  assert.deepEqual(exactTexts({ text: 'where are sessions stored?' }), { phrases: [], lines: [] });
  assert.equal(squeezed('  a ( b,\n c )'), 'a(b,c)');
});

const file = (path: string, className: string, ...words: string[]): SourceFile => ({
  ...{ path, className },
  methods: [{ name: 'doIt', words }],
});
const FILES = [
  file('src/a.ts', 'Alpha', 'parcel', 'weighed', 'parcels', 'panel'),
  file('src/b.ts', 'Beta', 'weighed'),
  file('src/c.ts', 'Gamma', 'parsley'),
];
const { live, entries } = createLiveSet([buildShard(FILES)], FILES.map(catalogFile));
const corpus = createCorpus(live, entries);

/** `words`: what resembles a word that no document has, the nearest first. */
const corrected = (query: string, words: Record<string, string[]>) =>
  scoreCorrected(corpus, parseQuery(query), {
    similar: async (term: string) => words[term] ?? [],
  } as unknown as Vocabulary);

test('a word stands for its two nearest at most, and the other words of the query stay', async () => {
  const { query, corrections, lexical } = await corrected('parcal weighed', { parcal: ['parcel', 'panel', 'parslei'] });
  assert.deepEqual(corrections, { parcal: ['parcel', 'panel'] });
  assert.deepEqual(query.terms, ['parcel', 'panel', 'weigh']);
  assert.deepEqual(
    lexical.terms.map(({ term }) => term),
    ['parcel', 'panel', 'weigh'],
  );
});

test('what is told of a word names it as it was typed, not the stem that was searched for', async () => {
  const { query, corrections } = await corrected('Parcals weighed', { parcal: ['parcel'] });
  assert.deepEqual(corrections, { Parcals: ['parcel'] });
  assert.deepEqual(query.terms, ['parcel', 'weigh']);
  assert.deepEqual((await corrected('parcel Zebras zebras', {})).absent, ['zebras']);
  assert.deepEqual((await corrected('parcel weighed', {})).corrections, {});
});

test('an unknown identifier is told of, and nothing stands for it although a word resembles it', async () => {
  const { query, corrections } = await corrected('parcelsWeighed', { parcelsweighed: ['parcel'] });
  assert.deepEqual(corrections, { parcelsWeighed: [] });
  assert.ok(query.terms.includes('parcelsweighed'));
});

test('words of a phrase that no document has count as no term of the query', async () => {
  const parsed = { ...parseQuery('parcel weighed'), phrasal: ['parcelweigh', 'parsley'] };
  const { lexical } = await scoreCorrected(corpus, parsed, { similar: async () => [] } as unknown as Vocabulary);
  assert.deepEqual(
    lexical.terms.map(({ term }) => term),
    ['parcel', 'weigh', 'parsley'],
  );
});

test('a query in other words than the code’s is told from one in its words, and from a translated one', async () => {
  const othernessOf = async (words: string, english?: string) => {
    const parsed = { ...parseQuery(words), english };
    const { lexical } = await scoreCorrected(corpus, parsed, { similar: async () => [] } as unknown as Vocabulary);
    return lexical.otherness ?? 0;
  };
  const words = 'parcel lawyer grandmother umbrella';
  assert.equal(await othernessOf(words), 1);
  assert.equal(await othernessOf(words, words), 0);
  assert.equal(await othernessOf('parcel'), 0);
});

test('messages of commits count for their chunks, but make no query one in the code’s words', async () => {
  const lengths = new Float64Array(live.fileOf.length).fill(1);
  const said = ['lawyer', 'grandmother', 'umbrella'];
  const messages: MessageField = { lengths, average: 1, each: (word, visit) => said.includes(word) && visit(0, 1) };
  const score = async (isWith: boolean, english?: string) => {
    const parsed = { ...parseQuery('parcel lawyer grandmother umbrella'), english };
    const unlike = { similar: async () => [] } as unknown as Vocabulary;
    const { lexical, absent } = await scoreCorrected(corpus, parsed, unlike, isWith ? { messages } : {});
    return { first: lexical.scores[0], others: lexical.scores.slice(1), otherness: lexical.otherness, absent };
  };
  const [without, having, again] = [await score(false), await score(true), await score(true)];
  assert.ok(having.first > without.first);
  assert.deepEqual([having.others, having.otherness], [without.others, 1]);
  assert.deepEqual([without.absent, having.absent], [said, []]);
  assert.deepEqual(again, having, 'nothing is left of the query before');
  const translated = await score(true, 'parcel lawyer');
  assert.equal(translated.first, (await score(false, 'parcel lawyer')).first, 'a translated question has none of them');
});

describe('vocabulary', () => {
  const file = (path: string, className: string, ...words: string[]): SourceFile => ({
    ...{ path, className },
    methods: [{ name: 'm', words }],
  });
  const [SHORT, LONG] = ['lorry', 'kilogrammkilogrammkilogr'];
  const FILES = [
    file('a.ts', 'Aa', 'parlor', 'parkor', SHORT, LONG, 'depot9x', 'warehous'),
    file('b.ts', 'Bb', 'parcor', 'lor'),
  ];
  const OTHER = file('c.ts', 'Cc', 'parfor');
  const similar = (word: string) =>
    new Vocabulary(
      createLiveSet([buildShard([OTHER, FILES[0]]), buildShard([FILES[1]])], FILES.map(catalogFile)).live,
    ).similar(word);

  test('words at one error are found, those of the snapshot alone, in the order of letters', async () => {
    assert.deepEqual(await similar('parxor'), ['parcor', 'parkor', 'parlor']);
    // The nearest is first: here it is the word itself.
    assert.deepEqual(await similar('parkor'), ['parkor', 'parcor', 'parlor']);
  });

  test('from eight letters on two errors are allowed, below one', async () => {
    assert.deepEqual(await similar('wareaaus'), ['warehous']);
    assert.deepEqual(await similar('warehxx'), []);
    assert.deepEqual(await similar('pxrlxr'), []);
  });

  test('words of fewer than five letters or more than twenty-four, and identifiers, resemble nothing', async () => {
    assert.deepEqual(await similar('lorrx'), [SHORT]);
    assert.deepEqual(await similar('lorr'), []);
    assert.deepEqual(await similar(`${LONG.slice(0, -1)}x`), [LONG]);
    assert.deepEqual(await similar(`${LONG}x`), []);
    assert.deepEqual(await similar('depot9y'), []);
  });
});

test('of the synonyms of a word the first eight that the snapshot has count', () => {
  const present = Array.from({ length: 12 }, (_, i) => `w${'abcdefghijkl'[i].repeat(4)}`);
  const files = present.map((word) => file(`${word}.ts`, 'Other', word));
  const set = createLiveSet([buildShard(files)], files.map(catalogFile));
  const many = createCorpus(set.live, set.entries);
  const words = ['wmissing', ...present];
  const { terms } = scoreBm25f(many, ['absent'], undefined, { synonymsOf: () => ({ words, part: 0.5 }) });
  assert.deepEqual(terms[0].synonyms, present.slice(0, 8));
});
