/** Linguist attributes of paths, from the files that a snapshot has of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAttributes } from '../../src/git/attributes.js';

test('linguist attributes: later lines and deeper files win', () => {
  const attributes = createAttributes([
    {
      path: 'sub/.gitattributes',
      text: 'gen.ts -linguist-generated\r\n*.go linguist-vendored=true linguist-generated\n',
    },
    {
      path: '.gitattributes',
      text: '# comment\n*.ts linguist-generated\nkeep.ts !linguist-generated\nthird/** linguist-vendored\n*.md linguist-documentation=false\n',
    },
  ]);
  assert.equal(attributes('a.ts').generated, true);
  assert.equal(attributes('keep.ts').generated, false);
  assert.equal(attributes('sub/other.ts').generated, true);
  assert.equal(attributes('sub/gen.ts').generated, false);
  assert.deepEqual(attributes('sub/x.go'), { generated: true, vendored: true, documentation: false });
  assert.equal(attributes('x.go').vendored, false);
  assert.equal(attributes('third/party/x.c').vendored, true);
  assert.equal(attributes('substitute/gen.ts').generated, true);
  assert.equal(attributes('other/sub/gen.ts').generated, true);
});

test('a pattern is about names below its file, letter by letter', () => {
  const text = '/top.ts linguist-vendored\na#b linguist-vendored\nx[attr].c linguist-vendored\nq"q linguist-vendored\n';
  const attributes = createAttributes([{ path: 'sub/.gitattributes', text }]);
  const vendored = ['sub/top.ts', 'sub/a#b', 'sub/xa.c', 'sub/q"q', 'sub/dots../a#b'];
  for (const path of vendored) assert.equal(attributes(path).vendored, true, path);
  const others = ['top.ts', 'sub/deep/top.ts', 'other/sub/a#b', 'sub/TOP.ts', 'sub/../a#b', 'sub/', 'sub'];
  for (const path of others) assert.equal(attributes(path).vendored, false, path);
});

test('attributes that are not about search are passed over', () => {
  const text = '* text=auto constructor we/ird -linguist-language\n* linguist-documentation eol=lf\n*.x';
  const attributes = createAttributes([{ path: '.gitattributes', text }]);
  assert.deepEqual(attributes('a.md'), { generated: false, vendored: false, documentation: true });
});

test('malformed attribute files are ignored', () => {
  const text =
    '[attr]macro linguist-generated\n"quo ted" linguist-generated\n!x linguist-generated\n\0\n*\n[ linguist-generated\n';
  const attributes = createAttributes([{ path: '.gitattributes', text }]);
  for (const path of ['a', 'macro', 'quo', '-x', ' ', '..x/y', 'a\\b']) attributes(path);
  // As patterns, the definition of a macro would be a set of letters, and the first word of a quoted name a file.
  for (const path of ['amacro', '"quo']) assert.equal(attributes(path).generated, false, path);
  assert.equal(attributes('plain.ts').generated, false);
});

test('the encoding of files in the work tree is the last that is named, until a line takes it back', () => {
  const text =
    '*.ps1 text working-tree-encoding=UTF-16LE-BOM\n*.py working-tree-encoding=SHIFT-JIS\nown.py -working-tree-encoding\n';
  const of = createAttributes([{ path: '.gitattributes', text }]);
  assert.deepEqual(
    ['a.ps1', 'a.py', 'own.py', 'a.ts'].map((path) => of(path).encoding),
    ['UTF-16LE-BOM', 'SHIFT-JIS', undefined, undefined],
  );
});
