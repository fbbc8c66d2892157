/** What a name, a path and a package in a document mean: one thing of the repository, or none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  importedNames,
  Lookup,
  only,
  ownPackages,
  ownRepositories,
  packageOf,
  resolvePath,
} from '../../src/documents/lookup.js';
import type { DocumentFacts } from '../../src/documents/read.js';
import { graphOf, nodeAt, placeOf } from '../graph/build.js';

const graph = graphOf({
  files: {
    'docs/guide.md': [],
    'docs/more.md': [],
    'docs/more/index.md': [],
    'docs/other/index.md': [],
    'shop/cart.ts': [
      'class Cart',
      'constructor Cart.Cart',
      'Cart.total',
      'open',
      'local hidden',
      'open.inner',
      'key total',
    ],
    'shop/base.ts': ['class Base', 'Base.save', 'class Deep', 'Deep.load', 'DataSource', 'DataSource.read', 'open'],
    'test/cart.test.ts': ['class TestCart', 'open', 'total'],
  },
  edges: ['shop/cart.ts:Cart -> shop/base.ts:Base extends', 'shop/base.ts:Base -> shop/base.ts:Deep extends'],
});
const lookup = new Lookup(graph);
const places = (nodes: readonly number[]) => nodes.map((node) => placeOf(graph, node));

test('a name means definitions in code that people work on, each place once', () => {
  assert.deepEqual(places(lookup.named('Cart')), ['shop/cart.ts:Cart']);
  assert.deepEqual(places(lookup.named('total')), ['shop/cart.ts:Cart.total']);
  assert.deepEqual(places(lookup.named('open')), ['shop/base.ts:open', 'shop/cart.ts:open']);
  assert.deepEqual([places(lookup.named('TestCart')), places(lookup.named('none'))], [[], []]);
  assert.deepEqual(places(lookup.topLevel('hidden')), []);
  assert.deepEqual(places(lookup.topLevel('total')), []);
  assert.deepEqual(
    [lookup.firstTopLevel('open'), lookup.firstTopLevel('total'), lookup.firstTopLevel('TestCart')],
    [...[nodeAt(graph, 'shop/base.ts:open'), -1, -1]],
  );
  assert.deepEqual([only([3]), only([]), only([3, 4])], [3, -1, -1]);
});

test('qualified names are exact, else the ends of others; members are own or inherited', () => {
  const qualified = (text: string) => places(lookup.qualified(text.split('.')));
  assert.deepEqual(['Cart.total', 'Base.save', 'Cart.save', 'save', 'art.total'].map(qualified), [
    ['shop/cart.ts:Cart.total'],
    ['shop/base.ts:Base.save'],
    [],
    ['shop/base.ts:Base.save'],
    [],
  ]);
  const member = (name: string) => {
    const node = lookup.member(nodeAt(graph, 'shop/cart.ts:Cart'), name);
    return node < 0 ? null : placeOf(graph, node);
  };
  assert.deepEqual(['total', 'save', 'load', 'read', 'none'].map(member), [
    ...['shop/cart.ts:Cart.total', 'shop/base.ts:Base.save', 'shop/base.ts:Deep.load', null, null],
  ]);
  const types = (name: string) => places(lookup.typesLike(name));
  assert.deepEqual(['dataSource', 'data_source', 'datasource', 'testCart', 'source'].map(types), [
    ...[['shop/base.ts:DataSource'], ['shop/base.ts:DataSource'], ['shop/base.ts:DataSource'], [], []],
  ]);
});

test('a path leads from its document if it is a link, from the top if it is none, and by its end if that is enough', () => {
  const found = (text: string, isLink: boolean, from = 'docs/guide.md') => {
    const path = resolvePath(graph, { text, from, isLink });
    return path === null ? null : `${graph.path(path.node)}${path.isEnding ? ' by its end' : ''}`;
  };
  const rows: [text: string, isLink: boolean, path: string | null][] = [
    ['more.md', true, 'docs/more.md'],
    ['more', true, 'docs/more.md'],
    ['other', true, 'docs/other/index.md'],
    ['other/', true, 'docs/other/index.md'],
    ['../shop/cart.ts', true, 'shop/cart.ts'],
    ['shop/cart.ts', true, 'shop/cart.ts'],
    ['/shop/cart.ts', true, 'shop/cart.ts'],
    ['/more.md', true, null],
    ['more.md', false, 'docs/more.md'],
    ['more', false, null],
    ['shop/cart.ts', false, 'shop/cart.ts'],
    ['./shop/cart.ts', false, 'shop/cart.ts'],
    ['cart.ts', false, null],
    ['other/index.md', false, 'docs/other/index.md'],
    ['none/cart.ts', false, null],
    ['../none', true, null],
  ];
  assert.deepEqual(
    rows.map(([text, isLink]) => [text, isLink, found(text, isLink)]),
    rows,
  );
  assert.equal(found('more/index.md', false, 'shop/x.md'), null, 'documents are no code that people work on');
});

const document = (...mentions: [kind: string, text: string, from?: string][]): DocumentFacts =>
  ({ mentions: mentions.map(([kind, text, from]) => ({ kind, text, from })) }) as unknown as DocumentFacts;

test('a package is own if a manifest names it, or if most of what documents import from it is defined here', () => {
  const own = (documents: DocumentFacts[], published?: Record<string, string[]>) => [
    ...ownPackages(
      documents,
      lookup,
      new Map(Object.entries(published ?? {}).map(([name, roots]) => [name, new Set(roots)])),
    ),
  ];
  const two = document(['import', 'Cart', 'mart'], ['use', 'open.x', 'mart/part'], ['link', 'Base', 'linked']);
  assert.deepEqual(own([two]), ['mart']);
  assert.deepEqual(own([document(['import', 'Cart', 'mart'])]), [], 'one name may be chance');
  assert.deepEqual(own([document(['import', 'Cart', 'shop'])]), ['shop'], 'a folder has its name');
  assert.deepEqual(own([document(['import', 'Cart', 'mart'], ['import', 'a', 'mart'], ['import', 'open', 'mart'])]), [
    'mart',
  ]);
  assert.deepEqual(own([document(['import', 'Cart', 'mart'], ['import', 'a', 'mart'])]), []);
  assert.deepEqual(own([document(['import', 'Cart', './mart'], ['import', 'open', './mart'])]), []);
  assert.deepEqual(own([two], { npm: ['other'] }), [], 'manifests name those of this ecosystem');
  assert.deepEqual(own([two], { npm: ['mart'] }), ['mart']);
  assert.deepEqual(own([document(['import', 'none', 'mart'])], { pypi: ['mart'] }), ['mart']);
  assert.deepEqual([...importedNames([two, document(['import', 'Base', 'other'])], new Set(['mart']))], ['Cart']);
});

test('a repository on a forge is this one if most files that links name in it are here', () => {
  const own = (...links: [path: string, from: string][]) => [
    ...ownRepositories(
      [document(...links.map(([path, from]): [string, string, string] => ['link', path, from]))],
      (path) => graph.findFile(path) >= 0 || path === 'README.md',
    ),
  ];
  assert.deepEqual(own(['/shop/cart.ts', 'me/shop']), ['me/shop']);
  assert.deepEqual(own(['/README.md', 'me/shop']), [], 'every repository has it');
  assert.deepEqual(own(['/README.md', 'me/shop'], ['/shop/cart.ts', 'me/shop'], ['/none.ts', 'me/shop']), ['me/shop']);
  assert.deepEqual(own(['/shop/cart.ts', 'me/shop'], ['/none.ts', 'me/shop']), []);
  assert.deepEqual(own(['/shop', 'me/shop'], ['/docs', 'me/shop']), [], 'folders are not known');
});

test('the name of a package is the first part of what is imported', () => {
  const rows: [from: string, name: string][] = [
    ['shop', 'shop'],
    ['shop/cart', 'shop'],
    ['shop.cart', 'shop'],
    ['shop::cart', 'shop'],
    ['@me/shop/cart', '@me/shop'],
    ['@me/shop@1', '@me/shop'],
    ['npm:shop@1', 'shop'],
    ['jsr:@me/shop', '@me/shop'],
    ['github.com/me/shop/cart', 'github.com/me/shop'],
    ['./shop', ''],
    ['..', ''],
    ['crate::shop', ''],
    ['self::shop', ''],
    ['super', ''],
    ['crates', 'crates'],
  ];
  assert.deepEqual(
    rows.map(([from]) => [from, packageOf(from)]),
    rows,
  );
});
