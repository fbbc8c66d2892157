/** The index of subjects of commits scores as the formula in its documentation says, whatever the commits are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { builtinModel } from '../../src/embed/builtin/index.js';
import { wordVector } from '../../src/embed/builtin/model.js';
import { textTerms } from '../../src/extract/terms.js';
import { encodeSubjects, SubjectIndex } from '../../src/search/commit-subjects.js';

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
