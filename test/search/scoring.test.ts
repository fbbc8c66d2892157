/** What paths give to a score, by hand: words of file names and folders, related words, and classes that a question asks for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCorpus } from '../../src/search/create-corpus.js';
import { parseQuery } from '../../src/search/query.js';
import { rank } from '../../src/search/rank.js';
import { KINSHIP, WEIGHTS } from '../../src/search/weights.js';
import { createLiveSet } from '../../src/shard/live.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';

/** Each path has a text of its own: files of equal text are one. */
const file = (path: string, ...words: string[]): SourceFile => ({
  ...{ path, className: `Unit${Buffer.from(path).reduce((sum, byte) => sum * 3 + byte, 0)}` },
  methods: [{ name: 'doIt', words }],
});

/** Contributions of each file to the order for a question, by path. */
function explained(files: readonly SourceFile[], question: string): Map<string, Record<string, number>> {
  const { live, entries } = createLiveSet([buildShard(files)], files.map(catalogFile));
  const corpus = createCorpus(live, entries);
  const found = new Map<string, Record<string, number>>();
  for (const { file: at, explain } of rank(corpus, parseQuery(question), { limit: 50 }))
    found.set(live.files.path(at), found.get(live.files.path(at)) ?? explain);
  return found;
}

/** A part of the score of a file, as a share of its weight. */
function shareOf(files: readonly SourceFile[], question: string, path: string) {
  const explain = explained(files, question).get(path) ?? {};
  const weights = WEIGHTS.lexical[parseQuery(question).kind];
  return (name: keyof typeof weights) => (explain[name] ?? 0) / weights[name];
}

const near = (found: number, expected: number) => assert.ok(Math.abs(found - expected) < 1e-9, `${found} ${expected}`);
const QUESTION = 'where are parcels weighed';

test('a word of the file name counts whole, one of the folder for the folder, one further up for neither', () => {
  const files = [
    file('src/parcel.ts', 'parcel', 'weighed'),
    file('src/parcel/scale.ts', 'parcel', 'weighed'),
    file('parcel/deep/other.ts', 'parcel', 'weighed'),
    file('src/plain.ts', 'nothing'),
  ];
  const named = shareOf(files, QUESTION, 'src/parcel.ts');
  const inside = shareOf(files, QUESTION, 'src/parcel/scale.ts');
  const far = shareOf(files, QUESTION, 'parcel/deep/other.ts');
  assert.ok(named('fileName') > 0.2 && named('fileName') < 1, 'one of two words');
  near(inside('directory'), named('fileName'));
  for (const none of [named('directory'), inside('fileName'), far('fileName'), far('directory'), far('prefix')])
    assert.equal(none, 0);
});

test('a related word counts by its common beginning, at a discount; short or distant ones do not', () => {
  const question = 'where is authentication configured';
  const files = [
    file('src/auth.ts', 'authentication', 'configured'),
    file('src/autheny.ts', 'authentication', 'configured'),
    file('src/aut.ts', 'authentication', 'configured'),
    file('src/author.ts', 'authentication', 'configured'),
    file('src/state.ts', 'authentication', 'configured'),
  ];
  const [whole, part] = ['src/auth.ts', 'src/autheny.ts'].map((path) => shareOf(files, question, path)('prefix'));
  assert.ok(whole > 0, 'a beginning of the word');
  // The first six of seven letters are equal.
  near(part / whole, 6 / 7);
  assert.equal(shareOf(files, question, 'src/aut.ts')('prefix'), 0, `under ${KINSHIP.minLetters} letters`);
  assert.equal(shareOf(files, question, 'src/author.ts')('prefix'), 0, 'four of six letters');
  assert.equal(shareOf(files, question, 'src/state.ts')('prefix'), 0);
});

test('a file name is covered by the share of its letters that the question names', () => {
  const files = [file('src/parcel.ts', 'parcel'), file('src/parcel-gateway.ts', 'parcel'), file('src/x.ts', 'parcel')];
  const share = (path: string) => shareOf(files, QUESTION, path)('nameCoverage');
  near(share('src/parcel.ts'), 1);
  assert.ok(share('src/parcel-gateway.ts') > 0.3 && share('src/parcel-gateway.ts') < 0.6, 'six of thirteen letters');
  assert.equal(share('src/x.ts'), 0);
});

test('tests that a question asks for are not put back, unless code everywhere speaks of tests', () => {
  const code = (word: string) => Array.from({ length: 6 }, (_, i) => file(`src/part${i}.ts`, word, 'weighed'));
  const tests = [file('tests/parcel.test.ts', 'parcel', 'test', 'weighed')];
  const score = (files: SourceFile[], question: string) => {
    const parts = explained(files, question).get('tests/parcel.test.ts') ?? {};
    return parts['factor:test'];
  };
  assert.equal(score([...code('running'), ...tests], 'where is the parcel test weighed'), undefined);
  assert.ok(score([...code('running'), ...tests], 'where is the parcel weighed') < 1);
  assert.ok(
    score([...code('test'), ...tests], 'where is the parcel test weighed') < 1,
    'the repository is a test runner',
  );
});
