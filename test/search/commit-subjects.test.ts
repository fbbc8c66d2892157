/** The index of subjects of commits scores as the formula in its documentation says, whatever the commits are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { builtinModel } from '../../src/embed/builtin/index.js';
import { wordVector } from '../../src/embed/builtin/model.js';
import { textTerms } from '../../src/extract/terms.js';
import { encodeMessages, encodeSubjects, MessageIndex, SubjectIndex } from '../../src/search/commit-subjects.js';
import { packStrings, StringTable } from '../../src/shard/lexical-format.js';
import type { LiveSet } from '../../src/shard/live-set.js';

interface Commit {
  subject: string;
  paths: string[];
}

const WORDS = ['parcel', 'island', 'retry', 'order', 'fix', 'the cart'];
const commit: fc.Arbitrary<Commit> = fc.record({
  subject: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' ')),
  paths: fc.uniqueArray(fc.constantFrom('a.js', 'b.js', 'src/ö.js', 'src/z.js', 'd'), { minLength: 1 }),
});

/** BM25 over files, straight from its definition: k1 = 1.2, b = .5, and a subject counts 1 / sqrt(n) for each of n files. */
function expected(commits: readonly Commit[], term: string, path: string): number {
  const weight = ({ paths }: Commit) => Math.max(1, Math.round(64 / Math.sqrt(paths.length))) / 64;
  const words = ({ subject }: Commit) => new Set(textTerms(subject));
  const lengthOf = (file: string) =>
    commits.filter(({ paths }) => paths.includes(file)).reduce((sum, one) => sum + words(one).size * weight(one), 0);
  const files = [...new Set(commits.flatMap(({ paths }) => paths))];
  const average = Math.max(1 / 64, files.reduce((sum, file) => sum + lengthOf(file), 0) / Math.max(1, files.length));
  const having = commits.filter((one) => words(one).has(term));
  const count = having.filter(({ paths }) => paths.includes(path)).reduce((sum, one) => sum + weight(one), 0);
  const idf = Math.log(1 + (commits.length - having.length + 0.5) / (having.length + 0.5));
  const tf = count / (0.5 + (0.5 * lengthOf(path)) / average);
  return (idf * tf) / (tf + 1.2);
}

test('scores are those of the formula, for every term and file', () => {
  fc.assert(
    fc.property(fc.array(commit, { maxLength: 12 }), (commits) => {
      const index = new SubjectIndex(encodeSubjects(commits), 'test');
      for (const term of ['parcel', 'island', 'retri', 'retry', 'order', 'cart', 'absent'])
        for (const path of ['a.js', 'b.js', 'src/ö.js', 'src/z.js', 'd', 'nowhere']) {
          const isKnown = commits.some(({ paths }) => paths.includes(path));
          const wanted = isKnown ? expected(commits, term, path) : 0;
          const got = index.scores([term])(path);
          assert.ok(Math.abs(got - wanted) < 1e-9, `${term} in ${path}: ${got}, not ${wanted}`);
        }
    }),
  );
});

test('terms of a query add up, and the order of commits is of no account', () => {
  fc.assert(
    fc.property(fc.array(commit, { minLength: 1, maxLength: 8 }), (commits) => {
      const bytes = encodeSubjects(commits);
      assert.deepEqual(encodeSubjects([...commits].reverse()), bytes);
      const index = new SubjectIndex(bytes, 'test');
      const sum = index.scores(['parcel'])('a.js') + index.scores(['island'])('a.js');
      assert.ok(Math.abs(index.scores(['parcel', 'island'])('a.js') - sum) < 1e-9);
    }),
  );
});

test('no commits say nothing, and other bytes are refused', () => {
  assert.equal(new SubjectIndex(encodeSubjects([]), 'test').scores(['parcel'])('a.js'), 0);
  assert.throws(() => new SubjectIndex(Buffer.from('something else'), 'test'), { code: 'SHARD_CORRUPT' });
});

test('commits of near meaning count for the files that they changed, in no order, and without a model none does', () => {
  const commits = [
    { subject: 'limit requests per second', paths: ['limiter.js'] },
    { subject: 'update the icon of the menu', paths: ['menu.js', 'icon.js'] },
    { subject: 'restrict the rate of requests', paths: ['limiter.js', 'rate.js'] },
  ];
  const model = builtinModel();
  const bytes = encodeSubjects(commits, model);
  assert.deepEqual(encodeSubjects([...commits].reverse(), model), bytes);
  const query = wordVector(
    model,
    textTerms('limit the rate of requests').map((term) => [term, 1]),
  );
  const near = new SubjectIndex(bytes, 'test').near(query);
  assert.ok(near('limiter.js') > near('rate.js') && near('rate.js') > near('menu.js'));
  assert.equal(near('nowhere.js'), 0);
  const without = new SubjectIndex(encodeSubjects(commits), 'test').near(query);
  assert.deepEqual(['limiter.js', 'rate.js'].map(without), [0, 0]);
});

test('messages count for the chunks whose lines their commits changed', () => {
  const lines = (path: string, first: number, last: number) => ({ path, first, last });
  const commits = [
    { subject: 'Pause a parcel', body: 'Islands wait.', lines: [lines('a.js', 3, 4)] },
    { subject: 'Retry orders', body: 'Signed-off-by: Parcel', lines: [lines('a.js', 12, 19)] },
    { subject: 'Count islands', body: '', lines: [lines('b.js', 1, 1), lines('gone.js', 1, 1)] },
    { subject: 'Move the parcel', body: '', lines: [] },
    { subject: 'Wait for all', body: '', lines: [lines('c.js', 1, 999)] },
  ];
  const bytes = encodeMessages(commits);
  assert.deepEqual(encodeMessages([...commits].reverse()), bytes);
  // Two chunks in a.js, one in b.js, and more chunks in c.js than a commit may have.
  const starts = { 'a.js': [1, 11], 'b.js': [1], 'c.js': Array.from({ length: 61 }, (_, i) => 10 * i + 1) };
  const field = new MessageIndex(bytes, 'test').fieldOf(liveOf(starts));
  const said = (word: string) => {
    const found: Record<number, number> = {};
    field.each(word, (document, tf) => {
      found[document] = (found[document] ?? 0) + tf;
    });
    return found;
  };
  assert.deepEqual(said('parcel'), { 0: 1 }, 'trailers name people, and the last commit is of no known lines');
  assert.deepEqual(said('retry'), { 1: 1 });
  assert.deepEqual(said('island'), { 0: 0.5, 2: 1 }, 'a body counts by half');
  assert.deepEqual(said('wait'), { 0: 0.5 }, 'a commit of very many chunks says nothing of any');
  assert.deepEqual(said('absent'), {});
  const words = (text: string) => textTerms(text).length;
  assert.equal(field.lengths[0], words('Pause a parcel') + words('Islands wait') / 2);
});

/** A live set of files with chunks of ten lines that start at these lines. */
function liveOf(starts: Record<string, number[]>): LiveSet {
  const lines = Object.values(starts).flat();
  const paths = Object.keys(starts);
  const files = Object.values(starts).flatMap((own, file) => own.map(() => file));
  const columns = { startLine: Uint32Array.from(lines), endLine: Uint32Array.from(lines, (line) => line + 9) };
  const unitFirst = paths.map((_, file) => files.indexOf(file));
  const unitDocuments = Object.values(starts).map(({ length }) => length);
  return {
    shards: [{ columns, unitFirst, unitDocuments }],
    bases: Uint32Array.of(0, lines.length),
    fileOf: Int32Array.from(files),
    files: {
      ...{ length: 3, shard: [0, 0, 0], unit: [0, 1, 2] },
      ...{ pathStart: [0, 1, 2, 3], table: new StringTable(packStrings(paths)) },
    },
  } as unknown as LiveSet;
}
