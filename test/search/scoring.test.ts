/** What paths give to a score, by hand: words of file names and folders, related words, and classes that a question asks for. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCorpus } from '../../src/search/build-corpus.js';
import type { DenseFeatures, DenseScorer } from '../../src/search/dense.js';
import { scoreBm25f } from '../../src/search/lexical.js';
import { parseQuery } from '../../src/search/query.js';
import { aboveShare, type RankedChunk, rank, startRanking } from '../../src/search/scoring.js';
import { CLASS_FACTOR, FILE, KINSHIP, OTHER_WORDS, WEIGHTS } from '../../src/search/weights.js';
import { createLiveSet } from '../../src/shard/live-set.js';
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

test('code speaks of tests where it uses the word, not where it is named so or stands in something of that name', () => {
  const tests = file('tests/parcel.test.ts', 'parcel', 'test', 'weighed');
  const code = (className: string, methodWord: string, word: string) =>
    Array.from(
      { length: 6 },
      (_, i): SourceFile => ({
        ...{ path: `src/part${i}.ts`, className },
        methods: ['one', 'two'].map((name) => ({ name: `${name}_${methodWord}`, words: [`${word}${i}`, word] })),
      }),
    );
  const isPutBack = (files: SourceFile[]) => {
    const found = explained([...files, tests], 'where is the parcel test weighed').get('tests/parcel.test.ts');
    return (found?.['factor:test'] ?? 1) < 1;
  };
  const rows: [code: SourceFile[], isPutBack: boolean][] = [
    [code('Part', 'step', 'run'), false],
    [code('Test', 'step', 'run'), false],
    [code('Part', 'test', 'run'), false],
    [code('Test', 'test', 'run'), false],
    [code('Part', 'step', 'test'), true],
  ];
  assert.deepEqual(
    rows.map(([files]) => isPutBack(files)),
    rows.map(([, expected]) => expected),
  );
});

describe('rank', () => {
  const file = (path: string, className: string, ...words: string[]): SourceFile => ({
    ...{ path, className },
    methods: words.length === 0 ? [] : [{ name: `do${className}`, words }],
  });

  function corpusOf(files: readonly SourceFile[]) {
    const { live, entries } = createLiveSet([buildShard(files)], files.map(catalogFile));
    return createCorpus(live, entries);
  }

  const near = (found: number, expected: number) =>
    assert.ok(Math.abs(found - expected) < 1e-9, `${found} ${expected}`);

  test('a gain counts less for a file of a lower class, and the results come in the order of the new scores', () => {
    const files = [
      file('src/parcel.ts', 'Parcel', 'parcel', 'weighed'),
      file('src/scale.ts', 'Scale', 'weighed'),
      file('tests/scale.test.ts', 'Tests', 'weighed'),
    ];
    const corpus = corpusOf(files);
    const begun = startRanking(corpus, parseQuery(QUESTION), { limit: 50 });
    const before = new Map(begun.ranked.map(({ document, score }) => [document, score]));
    const of = (path: string) =>
      begun.ranked.find((each) => corpus.live.files.path(each.file) === path) ?? assert.fail(path);
    const [plain, tested] = [of('src/scale.ts'), of('tests/scale.test.ts')];
    assert.notEqual(begun.ranked[0].document, tested.document);
    begun.lift(new Map([plain, tested].map(({ document }, i) => [document, 10 * (i + 1)])));
    near(plain.score, (before.get(plain.document) ?? 0) + 10);
    near(tested.score, (before.get(tested.document) ?? 0) + 20 * CLASS_FACTOR.test);
    const scores = begun.take().map(({ score }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
    );
    assert.equal(begun.take()[0].document, 20 * CLASS_FACTOR.test > 10 ? tested.document : plain.document);
  });

  test('each similarity is a share of the best of its kind, under its own weight', () => {
    const corpus = corpusOf([
      file('src/one.ts', 'Parcel'),
      file('src/two.ts', 'Parcels'),
      file('src/three.ts', 'Depot'),
    ]);
    const { fileOf } = corpus.live;
    const of: DenseFeatures[] = [
      { dense: 0.8, denseRare: 0.1, denseFile: 0.2 },
      { dense: 0.2, denseRare: 0.4, denseFile: 0.3 },
      { dense: 0.4, denseRare: 0.2, denseFile: 0.6 },
    ];
    const dense = {
      nearest: () => [0, 1, 2],
      features: (document: number) => of[fileOf[document]],
    } as unknown as DenseScorer;
    const ranked = rank(corpus, parseQuery('where is the parcel sent'), { dense, limit: 9 });
    assert.equal(ranked.length, 3);
    const weights = WEIGHTS.hybrid[parseQuery('where is the parcel sent').kind];
    for (const { file: at, explain } of ranked) {
      near(explain.dense, (weights.dense * of[at].dense) / 0.8);
      near(explain.denseRare, (weights.denseRare * of[at].denseRare) / 0.4);
      near(explain.denseFile, (weights.denseFile * of[at].denseFile) / 0.6);
    }
  });

  test('commits of near meaning count for a change, a report of a fault and a wish, not for a description', () => {
    const corpus = corpusOf([file('src/one.ts', 'Parcel'), file('src/two.ts', 'Parcels')]);
    const dense = { nearest: () => [0, 1], features: () => ({ dense: 1, denseRare: 1, denseFile: 1 }) };
    const counts = (query: string) => {
      const changes = () => (path: string) => (path === 'src/two.ts' ? 1 : 0);
      const ranked = rank(corpus, parseQuery(query), { dense: dense as unknown as DenseScorer, changes, limit: 9 });
      return ranked.some(({ explain }) => (explain.changes ?? 0) > 0);
    };
    for (const query of ['add weights to parcels', '[Feature] add weights to parcels', 'feat: add weights to parcels'])
      assert.equal(counts(query), true, query);
    for (const query of [
      'sending a parcel breaks the depot',
      'parcels disappear from the depot',
      'parcels are no longer weighed',
      'the depot loses a parcel after midnight',
      'depots were not weighed',
      'an order of parcels is non-stable',
      'No parcel in the depot',
      'unable to weigh parcels',
      'error when a parcel is weighed',
      'an option to weigh parcels twice',
      'please weigh parcels twice',
    ])
      assert.equal(counts(query), true, query);
    for (const query of ['weighs parcels of a depot', 'error handling of parcels', 'number of parcels in a depot'])
      assert.equal(counts(query), false, query);
  });

  test('what commits say of any of the paths of one text counts, whichever comes first', () => {
    const one = file('src/one.ts', 'Parcel');
    const { live, entries } = createLiveSet(
      [buildShard([one])],
      [one, { ...one, path: 'src/two.ts' }].map(catalogFile),
    );
    const corpus = createCorpus(live, entries);
    const dense = { nearest: () => [0], features: () => ({ dense: 1, denseRare: 1, denseFile: 1 }) };
    for (const path of ['src/one.ts', 'src/two.ts']) {
      const said = (each: string) => (each === path ? 1 : 0);
      const options = { dense: dense as unknown as DenseScorer, history: said, changes: () => said, limit: 9 };
      const [{ explain }] = rank(corpus, parseQuery('add weights to parcels'), options);
      assert.ok((explain.history ?? 0) > 0 && (explain.changes ?? 0) > 0, path);
    }
  });

  test('centrality counts by its root, so that the file that all use does not drown the others', () => {
    const corpus = corpusOf([file('src/a.ts', 'Parcel', 'sent'), file('src/b.ts', 'Depot', 'parcel', 'sent')]);
    corpus.centrality.set([0.8, 0.2]);
    const ranked = rank(corpus, parseQuery('where is it sent'), { limit: 9 });
    const [a, b] = [0, 1].map((at) => ranked.find((one) => one.file === at)?.explain.centrality ?? Number.NaN);
    near(b / a, 0.5);
  });

  test('a name asks for no class of files, a description with the same word does', () => {
    const filler = Array.from({ length: 12 }, (_, i) => file(`src/part${i}.ts`, `Part${i}`, 'running'));
    const corpus = corpusOf([...filler, file('tests/parcel.test.ts', 'Mock', 'parcel'), file('src/p.ts', 'Parcel')]);
    const factorOf = (query: string) => {
      const found = rank(corpus, parseQuery(query), { limit: 20 }).find(
        ({ file: at }) => corpus.classes[at] !== corpus.classes[0],
      );
      return found?.explain['factor:test'] ?? 1;
    };
    assert.equal(parseQuery('Mock').kind, 'symbol');
    assert.equal(factorOf('Mock'), CLASS_FACTOR.test);
    assert.equal(factorOf('mock of a parcel'), 1);
  });

  test('of equal scores the file that comes first in the snapshot is first, whatever the order of indexing', () => {
    const files = ['b', 'a', 'c'].map((name) =>
      file(`src/${name}/x.ts`, `Parcel${'x'.repeat(name.charCodeAt(0) - 96)}`),
    );
    const same = files.map(({ path }, i) => ({ path, className: 'Parcel', methods: [{ name: `m${i}`, words: [] }] }));
    for (const order of [same, [...same].reverse(), [same[1], same[2], same[0]]]) {
      const { live, entries } = createLiveSet(
        [buildShard(order)],
        [...same].sort((a, b) => (a.path < b.path ? -1 : 1)).map(catalogFile),
      );
      const corpus = createCorpus(live, entries);
      corpus.centrality.fill(1 / 3);
      const paths = rank(corpus, parseQuery('Parcel'), { limit: 9 })
        .filter(({ defines }) => defines !== undefined)
        .map(({ file: at }) => live.files.paths(at)[0]);
      assert.deepEqual(paths, ['src/a/x.ts', 'src/b/x.ts', 'src/c/x.ts']);
    }
  });

  test('the chunks of a file support its best one: the further, the less for a description, and all alike for a question', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ name: `parcel${i}`, words: ['depot'] }));
    const corpus = corpusOf([
      { path: 'src/large.ts', className: 'Large', methods: many },
      { path: 'src/small.ts', className: 'Small', methods: [{ name: 'send', words: ['parcel', 'sent', 'depot'] }] },
    ]);
    const supported = (query: string, part: number) => {
      const ranked = rank(corpus, parseQuery(query), { limit: 99 });
      const chunks = ranked.map(({ file: at, score, explain: { saturation = 1, coherence = 0 } }) => ({
        ...{ at, coherence, own: score / saturation - coherence },
      }));
      const sums = [0, 1].map((at) => {
        const own = chunks.filter((chunk) => chunk.at === at).map((chunk) => chunk.own);
        return own.sort((a, b) => b - a).reduce((sum, score, i) => sum + score * part ** i, 0);
      });
      const top = Math.max(...chunks.map(({ own }) => own));
      for (const at of [0, 1]) {
        const found = chunks.find((chunk) => chunk.at === at && chunk.coherence > 0)?.coherence ?? 0;
        near(found, (FILE.coherence[parseQuery(query).kind] * top * sums[at]) / Math.max(...sums));
      }
      return sums[0] / sums[1];
    };
    assert.ok(supported('parcel of a depot', FILE.fading.natural) < 5);
    assert.ok(supported('where is a parcel of the depot', 1) > 8);
    const gainOf = (otherness?: number) => {
      const query = parseQuery('parcel of a depot');
      const lexical = { ...scoreBm25f(corpus, query.terms), otherness };
      return Math.max(...rank(corpus, query, { limit: 99 }, lexical).map(({ explain }) => explain.coherence ?? 0));
    };
    near(gainOf(1), gainOf() * (1 - OTHER_WORDS.coherence));
  });

  test('a word in the name of a chunk counts for that word alone, and not for the next query', () => {
    const corpus = corpusOf([file('src/a.ts', 'Parcel', 'depot'), file('src/b.ts', 'Depot', 'parcel')]);
    const definedBy = (terms: string[]) => [...scoreBm25f(corpus, terms).defined];
    const [parcel, depot] = [definedBy(['parcel']), definedBy(['depot'])];
    assert.ok(parcel.some((value) => value > 0) && depot.some((value) => value > 0));
    for (const [i, both] of definedBy(['parcel', 'depot']).entries()) near(both, parcel[i] + depot[i]);
    assert.deepEqual(definedBy(['parcel']), parcel);
  });

  test('the least score is a share of the best one; none leaves out nothing, not even what scores below zero', () => {
    const ranked = [10, 5, 4.9, -1].map((score) => ({ score }) as RankedChunk);
    const kept = (minScore: number) => aboveShare(ranked, minScore).map(({ score }) => score);
    assert.deepEqual([kept(0.5), kept(0), kept(1)], [[10, 5], [10, 5, 4.9, -1], [10]]);
    assert.deepEqual(aboveShare([], 0.5), []);
  });
});

test('rules of who may do what come first for a question that asks for them, and only for it', () => {
  const files = [
    file('src/comments.ts', 'delete', 'comment', 'guest'),
    file('src/policies/comment.ts', 'update', 'comment'),
    file('lib/CommentAbility.php', 'comment'),
    file('db/migrate/comment_permission.rb', 'delete', 'comment'),
    file('src/other.ts', 'nothing'),
  ];
  const asked = 'may a guest delete a comment';
  const permission = (path: string) => shareOf(files, asked, path)('permission');
  assert.equal([...explained(files, asked).keys()][0], 'src/policies/comment.ts');
  assert.ok(permission('lib/CommentAbility.php') > 0);
  for (const path of ['src/comments.ts', 'db/migrate/comment_permission.rb']) assert.equal(permission(path), 0, path);
  for (const explain of explained(files, 'delete a comment').values()) assert.ok(!('permission' in explain));
});
