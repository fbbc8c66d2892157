/** Paths of a snapshot, readers of manifests, and what an import that is a path means. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ancestors,
  baseName,
  commonDepth,
  directoryMatcher,
  directoryOf,
  entries,
  field,
  isWithin,
  join,
  MAX_MANIFEST_BYTES,
  type Paths,
  Project,
  parseJson,
  parseToml,
  pathImports,
  stemOf,
  text,
  texts,
  under,
  yamlList,
  yamlWord,
} from '../../../src/languages/roles/project.js';

function projectOf(files: readonly string[], others: readonly string[] = [], manifests: Record<string, string> = {}) {
  return new Project({
    files: files.map((path) => ({ path, language: path.endsWith('.py') ? 'python' : 'lua', declared: [] })),
    ...{ others: new Set(others), manifests: new Map(Object.entries(manifests)) },
  } as unknown as ConstructorParameters<typeof Project>[0]);
}

test('parts of paths, and paths that lead from one to another', () => {
  const paths = ['a.ts', 'src/a.ts', 'src/x/a.test.ts', 'src/.env', 'src/noext', ''];
  assert.deepEqual(paths.map(directoryOf), ['', 'src', 'src/x', 'src', 'src', '']);
  assert.deepEqual(paths.map(baseName), ['a.ts', 'a.ts', 'a.test.ts', '.env', 'noext', '']);
  assert.deepEqual(paths.map(stemOf), ['a', 'a', 'a.test', '.env', 'noext', '']);
  const unders = [under('', 'a'), under('src', ''), under('src', 'a'), under('', '')];
  assert.deepEqual(unders, ['a', 'src', 'src/a', '']);
  const joins: [directory: string, relative: string, path: string | null][] = [
    ['src', './a', 'src/a'],
    ['src/x', '../a', 'src/a'],
    ['src/x', '../..', ''],
    ['src', '../../a', null],
    ['', '..', null],
    ['', 'a//b/', 'a/b'],
    ['src', '', 'src'],
    ['a'.repeat(4_000), 'b'.repeat(96), `${'a'.repeat(4_000)}/${'b'.repeat(96)}`],
    ['a'.repeat(4_000), 'b'.repeat(97), null],
  ];
  assert.deepEqual(
    joins.map(([directory, relative]) => join(directory, relative)),
    joins.map(([, , path]) => path),
  );
  assert.deepEqual([...ancestors('a/b/c')], ['a/b/c', 'a/b', 'a', '']);
  assert.deepEqual([...ancestors('')], ['']);
  assert.equal([...ancestors('a/'.repeat(200).slice(0, -1))].length, 65);
  assert.deepEqual(
    [isWithin('a/b', 'a'), isWithin('a', 'a'), isWithin('ab', 'a'), isWithin('x', ''), isWithin('a', 'a/b')],
    [true, true, false, true, false],
  );
  assert.deepEqual(
    [commonDepth('a/b/c', 'a/b/d'), commonDepth('a/bc/d', 'a/b/d'), commonDepth('a', 'b'), commonDepth('a/b', 'a/b')],
    [2, 1, 0, 1],
  );
});

test('a project finds files by path, folder, name and language, and manifests by name', () => {
  const files = ['a.py', 'lib/cart.lua', 'lib/item.py', 'lib/sub/cart.lua', 'other/cart.lua'];
  const manifests = { 'b/package.json': '{ // why\n"name": "b", }', 'a/package.json': '{', 'go.mod': 'module x' };
  const project = projectOf(files, ['logo.png'], manifests);
  assert.deepEqual(
    [project.find('lib/item.py'), project.find('lib'), project.has('a.py'), project.has('logo.png')],
    [2, -1, true, false],
  );
  assert.deepEqual(project.at('logo.png'), { kind: 'asset', path: 'logo.png' });
  assert.deepEqual(project.firstAt(['x', 'a.py', 'logo.png']), { kind: 'files', paths: ['a.py'], tier: 'path' });
  assert.equal(project.firstAt(['x']), null);
  assert.deepEqual([project.filesIn('lib'), project.filesIn(''), project.filesIn('x')], [[1, 2], [0], []]);
  assert.deepEqual(
    ['', 'lib', 'lib/sub', 'sub', 'lib/cart.lua'].map((directory) => project.isDirectory(directory)),
    [true, true, true, false, false],
  );
  assert.deepEqual([project.named('cart.lua'), project.named('none')], [[1, 3, 4], []]);
  assert.deepEqual(project.filesOfLanguages(['python', 'lua']), [0, 1, 2, 3, 4]);
  assert.deepEqual(project.filesOfLanguages(['python']), [0, 2]);
  assert.deepEqual(project.manifestsNamed('package.json'), ['a/package.json', 'b/package.json']);
  assert.deepEqual(
    [project.json('b/package.json'), project.json('a/package.json'), project.json('x')],
    [{ name: 'b' }, undefined, undefined],
  );
  const large = projectOf([], [], { x: 'a'.repeat(MAX_MANIFEST_BYTES), y: 'a'.repeat(MAX_MANIFEST_BYTES + 1) });
  assert.deepEqual([large.manifest('x')?.length, large.manifest('y')], [MAX_MANIFEST_BYTES, undefined]);
});

test('of several candidates those are nearest that share most folders; of too many none is', () => {
  const project = projectOf(['a/b/x.lua', 'a/c/x.lua', 'a/b/c/x.lua', 'x.lua']);
  const nearest = (path: string, candidates: readonly number[]) => project.nearest(path, candidates);
  assert.deepEqual(nearest('a/b/y.lua', [0, 1, 2, 3]), [0, 2]);
  assert.deepEqual(nearest('a/b/c/y.lua', [0, 1, 2, 3]), [2]);
  assert.deepEqual(nearest('y.lua', [0, 1, 2, 3]), [0, 1, 2, 3]);
  assert.deepEqual([nearest('y.lua', [3]), nearest('y.lua', [])], [[3], []]);
  assert.equal(nearest('a/b/y.lua', Array(500).fill(3)).length, 500);
  assert.deepEqual(nearest('a/b/y.lua', Array(501).fill(3)), []);
});

test('an import that is a path is looked up from its file, from folders above, and in folders by convention', () => {
  const files = ['src/app/main.lua', 'src/app/cart.lua', 'src/cart.lua', 'lib/item/init.lua', 'lib/tax.py', 'top.lua'];
  const resolve = (specifier: string, paths: Paths, from = 0): string => {
    const project = projectOf(files, ['src/logo.png']);
    const found = pathImports(paths).create(project).resolve(from, { kind: 'import', specifier, names: [] });
    if (found.kind === 'files') return found.paths.join(' ');
    return found.kind === 'asset'
      ? `asset ${found.path}`
      : found.kind === 'external'
        ? `external ${found.package}`
        : found.kind;
  };
  const plain: Paths = { endings: ['.lua', '/init.lua'], roots: ['lib'] };
  const modules: Paths = { ...plain, separator: '.' };
  const rows: [specifier: string, paths: Paths, found: string][] = [
    ['./cart', plain, 'src/app/cart.lua'],
    ['../cart', plain, 'src/cart.lua'],
    ['./top', plain, 'unresolved'],
    ['cart', plain, 'src/app/cart.lua'],
    ['top', plain, 'top.lua'],
    ['item', plain, 'lib/item/init.lua'],
    ['tax', plain, 'unresolved'],
    ['tax.py', plain, 'lib/tax.py'],
    ['../logo.png', plain, 'asset src/logo.png'],
    ['|cart', plain, 'src/app/cart.lua'],
    ['../..', plain, 'top.lua'],
    ['../app', plain, 'src/app/main.lua src/app/cart.lua'],
    ['https://x.example/a', plain, 'external https://x.example/a'],
    ['//x.example/a', plain, 'external //x.example/a'],
    ['src.app.cart', modules, 'src/app/cart.lua'],
    ['none.part', modules, 'external none'],
    ['src/cart', modules, 'src/cart.lua'],
    ['a/none', modules, 'unresolved'],
  ];
  assert.deepEqual(
    rows.map(([specifier, paths]) => [specifier, resolve(specifier, paths)]),
    rows.map(([specifier, , found]) => [specifier, found]),
  );
  const resolver = pathImports(plain).create(projectOf(files));
  assert.deepEqual([resolver.neighbours?.(0), resolver.neighbours?.(4)], [[0, 1], [4]]);
  assert.deepEqual([resolver.isPeer?.(0, 1), resolver.isPeer?.(0, 2)], [true, false]);
});

test('manifests are read as far as they can be, and anything else gives nothing', () => {
  assert.deepEqual(
    ['{"a":1}', '\ufeff{"a":1}', '{/*x*/"a":[1,],}', '{"a":', 'a', 'null', '[[['.repeat(9_000)].map(parseJson),
    [{ a: 1 }, { a: 1 }, { a: [1] }, undefined, undefined, null, undefined],
  );
  assert.deepEqual(
    [JSON.stringify(parseToml('a = "x"\n[b]\nc = 1')), parseToml('a =')],
    ['{"a":"x","b":{"c":1}}', undefined],
  );
  const value = { a: 'x', list: ['a', 1, 'b'], none: null };
  assert.deepEqual(
    [field(value, 'a'), field(value, 'toString'), field([], 'length'), field(null, 'a'), field('a', 'length')],
    ['x', undefined, undefined, undefined, undefined],
  );
  assert.deepEqual([text('a'), text(1), text(undefined)], ['a', undefined, undefined]);
  assert.deepEqual([texts(value.list as never), texts('a'), texts(undefined)], [['a', 'b'], [], []]);
  assert.deepEqual(
    [entries({ b: 1, a: 2 }), entries([1]), entries(null), entries('a')],
    [
      [
        ['b', 1],
        ['a', 2],
      ],
      [],
      [],
      [],
    ],
  );
});

test('lists and words of YAML, in either style, with quotes and comments', () => {
  const yaml = [
    'other: [z]',
    'packages:',
    '  - "apps/*" # all',
    '',
    '  # a comment',
    "  - 'libs/**'",
    '  - plain # why',
    '  - ""',
    'name: "shop" # x',
    'inline: [a, "b c", , d # e',
    'word: shop#1 # x',
    'open: "shop',
    '  - after',
  ].join('\n');
  assert.deepEqual(yamlList(yaml, 'packages'), ['apps/*', 'libs/**', 'plain']);
  assert.deepEqual(yamlList(yaml, 'inline'), ['a', 'b c', 'd']);
  assert.deepEqual([yamlList(yaml, 'none'), yamlList(yaml, 'pack'), yamlList(yaml, 'name')], [[], [], []]);
  assert.deepEqual(
    ['name', 'word', 'open', 'none', 'nam'].map((key) => yamlWord(yaml, key)),
    ['shop', 'shop#1', 'shop', '', ''],
  );
});

test('directories of a workspace: the last pattern that fits decides', () => {
  const fits = directoryMatcher(['packages/*', './apps/**/', '!apps/old', 'apps/old/kept', '{a,b}/c', '!', '']);
  assert.deepEqual(
    ['packages/x', 'packages/x/y', 'packages', 'apps/a/b', 'apps/old', 'apps/old/kept', 'a/c', 'b/c', 'c/c'].filter(
      fits,
    ),
    ['packages/x', 'apps/a/b', 'apps/old/kept', 'a/c', 'b/c'],
  );
  assert.equal(directoryMatcher([])('a'), false);
});
