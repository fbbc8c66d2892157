/** Which files of a snapshot are indexed, in which language, and why the others are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectReader, TreeEntry } from '../../src/git/objects.js';
import { buildCatalog, type CatalogOptions, skipReason } from '../../src/indexer/catalog.js';

const OPTIONS: CatalogOptions = { languages: {}, select: (path) => (path.startsWith('old/') ? 'excluded' : null) };

const entry = (path: string, oid = path, type: TreeEntry['type'] = 'file') => ({ path, oid, type }) as TreeEntry;

function objects(texts: Record<string, string>, sizes: Record<string, number> = {}): ObjectReader {
  return {
    info: async (oid: string) => (oid in texts ? { oid, type: 'blob', size: sizes[oid] ?? texts[oid].length } : null),
    read: async (oid: string) => ({ oid, type: 'blob', content: Buffer.from(texts[oid]) }),
  } as unknown as ObjectReader;
}

const catalog = (entries: TreeEntry[], texts: Record<string, string> = {}, options: Partial<CatalogOptions> = {}) =>
  buildCatalog(entries, objects(texts), { ...OPTIONS, ...options });

test('files are counted by the reason for which they are left out, and blobs once', async () => {
  const { files, skipped, blobs } = await catalog([
    ...[entry('a.ts', 'one'), entry('b.ts', 'one'), entry('bin/tool', 'two'), entry('c.png'), entry('d.png')],
    ...[entry('old/a.ts'), entry('lib', 'x', 'submodule'), entry('link', 'x', 'symlink'), entry('../a.ts')],
  ]);
  assert.deepEqual(
    files.map(({ path, language }) => [path, language]),
    [
      ['a.ts', 'typescript'],
      ['b.ts', 'typescript'],
      ['bin/tool', null],
    ],
  );
  assert.deepEqual(skipped, { binary: 2, excluded: 1, submodule: 1, symlink: 1, 'unsafe-path': 1 });
  assert.equal(blobs, 2);
});

const marks = async (entries: TreeEntry[], texts: Record<string, string>, options: Partial<CatalogOptions> = {}) =>
  (await catalog(entries, texts, options)).files
    .filter(({ path }) => path.endsWith('.ts'))
    .map(({ path, generated, vendored }) => [path, generated, vendored]);

test('.gitattributes of the tree mark files below them; one that is a link, or cannot be read, marks none', async () => {
  const tree = [entry('a.ts'), entry('sub/a.ts'), entry('sub/.gitattributes', 'rules')];
  const rules = { rules: '*.ts linguist-generated\n' };
  assert.deepEqual(await marks(tree, rules), [
    ['a.ts', false, false],
    ['sub/a.ts', true, false],
  ]);
  assert.deepEqual(await marks([tree[1], entry('sub/.gitattributes', 'rules', 'symlink')], rules), [
    ['sub/a.ts', false, false],
  ]);
  assert.deepEqual(await marks([tree[1], entry('sub/x.gitattributes', 'rules')], rules), [['sub/a.ts', false, false]]);
  assert.deepEqual(await marks(tree, {}), [
    ['a.ts', false, false],
    ['sub/a.ts', false, false],
  ]);
});

test('an edited .gitattributes counts in place of the committed one, a deleted one not at all', async () => {
  const tree = [entry('a.ts'), entry('.gitattributes', 'rules')];
  const rules = { rules: '*.ts linguist-generated\n' };
  const edited = { attributes: [{ path: '.gitattributes', text: '*.ts linguist-vendored\n' }] };
  assert.deepEqual(await marks(tree, rules, edited), [['a.ts', false, true]]);
  assert.deepEqual(await marks(tree, rules, { attributes: [{ path: '.gitattributes', text: null }] }), [
    ['a.ts', false, false],
  ]);
});

test('one that is too large is not read, and the others are', async (t) => {
  t.mock.method(process.stderr, 'write', () => true);
  const tree = [entry('a/x.ts'), entry('b/x.ts'), entry('a/.gitattributes', 'big'), entry('b/.gitattributes', 'full')];
  const rules = '*.ts linguist-generated\n';
  const reader = objects({ big: rules, full: rules }, { big: 256 * 1024 + 1, full: 256 * 1024 });
  const { files } = await buildCatalog(tree, reader, OPTIONS);
  assert.deepEqual(
    files.filter(({ path }) => path.endsWith('x.ts')).map(({ generated }) => generated),
    [false, true],
  );
});

test('a .gitattributes that is gone between two looks marks nothing', async () => {
  const reader = { ...objects({ rules: '*.ts linguist-generated\n' }), read: async () => null } as ObjectReader;
  const { files } = await buildCatalog([entry('a.ts'), entry('.gitattributes', 'rules')], reader, OPTIONS);
  assert.equal(files[0].generated, false);
});

test('a file that somebody left out counts as that, whatever it holds; of the others those of binary kinds are left out', () => {
  const reason = (
    path: string,
    chosen: 'excluded' | 'ignored' | 'builtin' | 'secret' | null,
    type: TreeEntry['type'] = 'file',
  ) => skipReason({ path, type }, { select: () => chosen });
  for (const chosen of ['excluded', 'ignored', 'builtin', 'secret'] as const)
    for (const path of ['logo.png', 'key.p12', 'a.ts']) assert.equal(reason(path, chosen), chosen, path);
  assert.deepEqual(
    ['logo.png', 'key.p12', 'a.ts'].map((path) => reason(path, null)),
    ['binary', 'binary', null],
  );
  assert.deepEqual([reason('a.ts', 'excluded', 'symlink'), reason('sub', null, 'submodule')], ['symlink', 'submodule']);
});
