/** Filters: globs as people type them, languages, kinds; and that a filter never changes what words weigh. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { nameMatcher, pathMatcher } from '../../src/search/filter.js';
import { fixtureRepo, Process } from '../support/in-process/search.js';
import { cpuTimer } from '../support/processes/cpu-time.js';
import { pathsOf } from '../support/results.js';

/** Globs, paths that match, paths that do not. */
const GLOBS: [globs: string[], yes: string[], no: string[]][] = [
  [['src'], ['src/a.ts', 'src/deep/b.ts', 'packages/x/src/a.ts'], ['source/a.ts', 'lib/mysrc/a.ts']],
  [['src/'], ['src/a.ts'], ['srcs/a.ts']],
  [['./src/auth'], ['src/auth/login.ts', 'src/auth/deep/x.ts'], ['src/authors/x.ts', 'lib/src/auth/x.ts']],
  [['*.ts'], ['a.ts', 'deep/er/b.ts'], ['a.tsx', 'a.ts.md', 'ts']],
  [['src/*.ts'], ['src/a.ts'], ['src/deep/a.ts']],
  [['src/**/*.ts'], ['src/a.ts', 'src/deep/er/a.ts'], ['lib/a.ts']],
  [['*.{ts,py}'], ['a.ts', 'x/b.py'], ['a.go']],
  [['README.md'], ['README.md', 'docs/README.md'], ['docs/OTHER.md']],
  [['.github'], ['.github/workflows/ci.yml'], ['github/ci.yml']],
  [['!tests'], ['src/a.ts'], ['tests/a.ts', 'pkg/tests/b.ts']],
  [['src', '!*.test.ts'], ['src/a.ts'], ['src/a.test.ts', 'lib/a.ts']],
  [['!*.md', '!docs'], ['src/a.ts'], ['README.md', 'docs/conf.py']],
  [['src', 'lib'], ['src/a.ts', 'lib/b.ts'], ['bin/c.ts']],
  [['*.md', 'src/auth'], ['docs/a.md', 'src/auth/login.ts'], ['src/a.ts']],
  [['/'], ['a.ts', 'src/b.ts'], []],
  [['.', '!src'], ['a.ts'], ['src/b.ts']],
  [['src/(group)/a+b.ts'], ['src/(group)/a+b.ts'], ['src/group/a+b.ts', 'src/(group)/aab.ts']],
  [['*{Test,Spec}.{ts,js}'], ['a/xTest.ts', 'ySpec.js'], ['Test.py']],
  [['pages/[id].tsx', 'pages/\\[id\\].tsx'], ['pages/[id].tsx'], ['pages/x.tsx']],
];

for (const [globs, yes, no] of GLOBS) {
  test(`--path ${globs.join(' --path ')}`, () => {
    for (const matches of [pathMatcher(globs), nameMatcher(globs)])
      assert.deepEqual([yes.filter((path) => !matches(path)), no.filter(matches)], [[], []]);
  });
}

/** Each would keep an expression busy for years, or for seconds, over one name. */
const BOMBS = [
  ...['+(a|a?)+(a|a?)+(a|a?)+(a|a?)q', '(a+)+q', '!(+(a|aa))q', '(a|aa)+$', '@(+(a|a))+q', '(.*a){20}q'],
  ...['*a*a*a*a*a*a*q', `${'**/'.repeat(40)}q`, `${'{a,aa}'.repeat(40)}q`, `${'{a,aa,/}'.repeat(30)}q`],
  ...[
    '*a*a*{a,aa,aaa,aaaa}q',
    '*{a,/}*a*{a,/}*a*q',
    `${'{{a,aa},{a,aa}}'.repeat(9)}q`,
    '['.repeat(60),
    'a'.repeat(4_000),
  ],
];

test('no glob takes long: it is matched as text, or refused', () => {
  const path = `${'x/'.repeat(9)}${'a'.repeat(250)}`;
  const usedMs = cpuTimer();
  for (const bomb of BOMBS) {
    try {
      pathMatcher([bomb])(path);
      pathMatcher([`!${bomb}`])(path);
    } catch (error) {
      assert.ok(isSocraticodeError(error, 'BAD_ARGUMENT'), bomb);
    }
  }
  assert.ok(usedMs() < 5_000);
});

const repo = fixtureRepo('ranking');
const HELPER = 'export function sharedHelper(value: string): string {\n  return value.trim();\n}\n';
let shop: Process;
before(async () => {
  repo.commit({ 'a/helper.ts': HELPER, 'b/helper.ts': HELPER });
  shop = await Process.open(repo);
});
after(() => shop.close());

const paths = ({ results }: SearchResponse) => results.map(({ path }) => path);

test('for a blob at two paths, the path that the filter asks for is shown first', async () => {
  const all = (await shop.search('sharedHelper')).results[0];
  assert.deepEqual(pathsOf(all), ['a/helper.ts', 'b/helper.ts']);
  for (const path of [['b'], ['!a']]) {
    const [second] = (await shop.search('sharedHelper', { path })).results;
    assert.deepEqual([second.path, pathsOf(second)], ['b/helper.ts', ['b/helper.ts', 'a/helper.ts']]);
  }
});

test('languages and kinds, in any case, narrow the results', async () => {
  const both = ['Python', 'rust'];
  const { results } = await shop.search('retry a stock order', { lang: both, limit: 50 });
  assert.deepEqual(new Set(results.map(({ language }) => language)), new Set(['python', 'rust']));
  const words = await shop.search('session password order', { lang: both, limit: 50, mode: 'lexical' });
  assert.deepEqual(new Set(words.results.map(({ language }) => language)), new Set(['python']));
  const classes = await shop.search('session', { kind: ['CLASS', 'section'], limit: 50 });
  assert.deepEqual(new Set(classes.results.map(({ kind }) => kind)), new Set(['class', 'section']));
  const all = await shop.search('session', { kind: ['class'], path: ['src'], lang: ['typescript'], limit: 50 });
  assert.ok(
    all.results.length > 0 && all.results.every(({ path, kind }) => path.startsWith('src/') && kind === 'class'),
  );
});

test('a glob that no file matches is an error; filters that leave no result give an empty answer', async () => {
  await assert.rejects(shop.search('session', { path: ['nowhere'] }), /no indexed file matches "nowhere"/);
  assert.deepEqual((await shop.search('session', { within: () => false })).results, []);
});

test('an unknown language or kind is an error that lists those there are', async () => {
  await assert.rejects(shop.search('session', { lang: ['cobol'] }), (error) => {
    return isSocraticodeError(error, 'BAD_ARGUMENT') && /cobol/.test(error.message) && /python.*rust/.test(error.hint);
  });
  await assert.rejects(shop.search('session', { kind: ['klass'] }), (error) => {
    return isSocraticodeError(error, 'BAD_ARGUMENT') && /klass/.test(error.message) && /\bclass\b/.test(error.hint);
  });
});

test('words weigh the same with and without a filter: what remains keeps its order and its proportions', async () => {
  const options = { explain: true, limit: 100 };
  const all = await shop.search('password', options);
  const some = await shop.search('password', { ...options, path: ['src', 'tests', '!src/auth/passwords.ts'] });
  const kept = paths(some);
  assert.ok(kept.length >= 3 && kept.length < paths(all).length);
  const weights = (response: SearchResponse) => {
    const found = response.results.filter(({ path }) => kept.includes(path));
    const values = new Map(found.map(({ path, startLine, explain }) => [`${path}:${startLine}`, explain?.bm25 ?? 0]));
    const top = Math.max(...values.values());
    return Object.fromEntries([...values].sort().map(([key, value]) => [key, (value / top).toFixed(4)]));
  };
  assert.deepEqual(weights(some), weights(all));
  assert.equal(some.coverage.total, all.coverage.total);
});

test('languages and kinds go by the names that people use, and the nearest is offered for a mistyped one', async () => {
  const byExtension = await shop.search('session password order', { lang: ['py'], mode: 'lexical' });
  assert.deepEqual(new Set(byExtension.results.map(({ language }) => language)), new Set(['python']));
  const functions = await shop.search('session', { kind: ['fn'], limit: 50 });
  assert.deepEqual(new Set(functions.results.map(({ kind }) => kind)), new Set(['function']));
  const hint = async (filter: object) =>
    shop.search('session', filter).then(
      () => '',
      ({ hint }) => hint as string,
    );
  assert.equal(await hint({ lang: ['pyhton'] }), 'Did you mean python?');
  assert.match(await hint({ kind: ['clas'] }), /^Did you mean class\? Kinds: function/);
});
