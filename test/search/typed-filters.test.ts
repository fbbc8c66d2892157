/** Words of filters that name nothing: the failure says what was meant, and what there is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGlobs, pathMatcher } from '../../src/search/filter.js';
import { fromTop, unknownKind, withIds } from '../../src/search/typed-filters.js';

test('an unknown kind is told with the nearest one, if one is near, and with all', () => {
  const kinds = ['function', 'method', 'class'];
  assert.equal(unknownKind('functoin', kinds).hint, 'Did you mean function? Kinds: function, method, class');
  assert.equal(unknownKind('zzzzzzzz', kinds).hint, 'Kinds: function, method, class');
});

test('languages and kinds go by usual names; one that is unknown is refused with the nearest', () => {
  assert.deepEqual(withIds({ lang: ['py', 'c++'], kind: ['function', 'Func'] }), {
    lang: ['python', 'cpp'],
    kind: ['function', 'function'],
  });
  assert.throws(() => withIds({ lang: ['pyhton'] }), { code: 'BAD_ARGUMENT', hint: 'Did you mean python?' });
  assert.throws(() => withIds({ lang: ['zzzzzzzz'] }), { hint: /^Languages go by ids/ });
  assert.throws(() => withIds({ kind: ['functoin'] }), { hint: /^Did you mean function\? Kinds: / });
});

/** Directory, globs typed in it, paths that match, paths that do not. */
const TYPED: [directory: string, globs: string[], yes: string[], no: string[]][] = [
  ['src', ['extract/**'], ['src/extract/a.ts', 'src/extract/b/c.ts'], ['extract/a.ts', 'lib/extract/a.ts']],
  ['src', ['*.ts'], ['src/a.ts', 'src/deep/b.ts'], ['a.ts', 'lib/a.ts']],
  ['src', ['extract'], ['src/extract/a.ts'], ['extract/a.ts']],
  ['src', ['.'], ['src/a.ts', 'src/deep/b.ts'], ['a.ts']],
  ['src/deep', ['../a.ts'], ['src/a.ts'], ['src/deep/a.ts', 'a.ts']],
  ['src', ['..'], ['a.ts', 'src/b.ts'], []],
  ['src', [':/lib', ':(top)*.md'], ['lib/a.ts', 'docs/a.md'], ['src/a.ts']],
  ['src', ['*.ts', '!*.test.ts'], ['src/a.ts'], ['src/a.test.ts', 'a.ts']],
  ['src', [':!deep', ':^other'], ['src/a.ts', 'lib/deep/a.ts'], ['src/deep/a.ts', 'src/other/a.ts']],
  ['pages/[id]', ['*.tsx'], ['pages/[id]/a.tsx'], ['pages/i/a.tsx']],
  ['', ['extract/**', ':/lib'], ['extract/a.ts', 'lib/b.ts'], ['src/extract/a.ts']],
];

for (const [directory, globs, yes, no] of TYPED) {
  test(`in ${directory || 'the top'}: ${globs.join(' ')}`, () => {
    const rooted = fromTop(globs, directory);
    const matches = pathMatcher(rooted);
    assert.deepEqual([yes.filter((path) => !matches(path)), no.filter(matches)], [[], []]);
    assert.deepEqual(fromTop(rooted, directory), rooted, 'a glob from the top stays as it is');
  });
}

test('a plain name of the current directory means that one; another name and what is excluded match at any depth', () => {
  const exists = (path: string) => ['src', 'packages/x/lib', 'a.md'].includes(path);
  const accepted = (globs: string[], directory: string, paths: string[]) =>
    paths.filter(pathMatcher(fromTop(globs, directory, exists)));
  const paths = [
    'src/a.ts',
    'packages/x/src/a.ts',
    'packages/x/lib/b.ts',
    'packages/x/deep/lib/b.ts',
    'a.md',
    'docs/a.md',
  ];
  assert.deepEqual(accepted(['src'], '', paths), ['src/a.ts']);
  assert.deepEqual(accepted(['src/', 'a.md'], '', paths), ['src/a.ts', 'a.md']);
  assert.deepEqual(accepted(['lib'], '', paths), ['packages/x/lib/b.ts', 'packages/x/deep/lib/b.ts']);
  assert.deepEqual(accepted(['lib'], 'packages/x', paths), ['packages/x/lib/b.ts']);
  assert.deepEqual(accepted(['**/src', '!lib'], '', paths), ['src/a.ts', 'packages/x/src/a.ts']);
  assert.deepEqual(accepted(['!src'], '', paths), paths.slice(2));
});

test('a glob that leads out of the repository is refused', () => {
  assert.throws(() => fromTop(['../../x'], 'src'), { code: 'BAD_ARGUMENT' });
});

test('globs that no file matches are a mistake, exclusions are none', () => {
  assert.throws(() => checkGlobs(['extract/**'], ['src/extract/a.ts']), /no file matches "extract\/\*\*"/);
  checkGlobs(['nowhere', 'src'], ['src/a.ts']);
  checkGlobs(['!nowhere'], ['src/a.ts']);
  checkGlobs(undefined, []);
});
