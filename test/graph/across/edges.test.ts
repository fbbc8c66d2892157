/** Uses of one repository's exports by another one, from plain facts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ExportedName,
  ExportIndex,
  type LinkedFacts,
  Published,
  packageEdges,
  placeKey,
  type UsedName,
} from '../../../src/graph/across/facts.js';

const exported = (name: string, more: Partial<ExportedName> = {}): ExportedName => ({
  ...{ package: 0, module: 'shop', name, path: 'src/shop.py', symbol: name, line: 1 },
  ...more,
});
const used = (name: string, more: Partial<UsedName> = {}): UsedName => ({
  ...{ ecosystem: 'pypi', specifier: 'shop', name, path: 'app.py', symbol: 'run', line: 7, uses: 1 },
  ...more,
});

const LIBRARY: LinkedFacts = {
  packages: [{ ecosystem: 'pypi', name: 'shop-kit', manifest: 'pyproject.toml' }],
  exports: [
    exported('Cart', { reexported: true, path: 'src/cart.py' }),
    exported('Cart.total', { path: 'src/cart.py' }),
    exported('open_cart', { result: 'Cart' }),
    exported('tax', { module: 'shop.money' }),
    exported('', { module: 'shop.money', name: 'round' }),
  ],
  dependencies: [],
  uses: [],
  routes: [],
  calls: [],
};
const LISTED = [{ ecosystem: 'pypi', name: 'Shop_Kit', version: '>=2' }];

const edges = (uses: UsedName[], dependencies = LISTED) =>
  packageEdges(new ExportIndex(LIBRARY), { uses, dependencies }).map(({ evidence, name, confidence, to }) =>
    [evidence, name, confidence, to?.symbol ?? null].join(' '),
  );

test('a name that is imported and exported is proven, and what told a member is said', () => {
  assert.deepEqual(edges([used('Cart')]), ['reexported Cart 0.95 Cart']);
  assert.deepEqual(edges([used('Cart.total', { told: true })]), ['typed Cart.total 0.9 Cart.total']);
  assert.deepEqual(edges([used('open_cart.total', { told: true })]), ['result Cart.total 0.85 Cart.total']);
  assert.deepEqual(edges([used('money.tax')]), ['reexported tax 0.95 tax'], 'a member of a module of the package');
  assert.deepEqual(edges([used('tax', { specifier: 'shop.money' })]), ['exported tax 0.98 tax']);
});

test('nothing is made up: other packages, members of unknown values and names that are not exported', () => {
  assert.deepEqual(edges([used('Cart', { specifier: 'shopping' }), used('Cart', { ecosystem: 'npm' })]), []);
  assert.deepEqual(edges([used('open_cart.size', { told: true })]), [], 'a result without that member');
  assert.deepEqual(edges([used('')]), ['module  0.3 '], 'an import alone tells the file and the module');
  assert.deepEqual(edges([used('gone')]), ['module gone 0.3 ']);
});

test('a repository that lists its dependencies without the package is less certain to mean it', () => {
  const [edge] = packageEdges(new ExportIndex(LIBRARY), {
    uses: [used('tax', { specifier: 'shop.money' })],
    dependencies: LISTED,
  });
  assert.deepEqual([edge.version, edge.package], ['>=2', 'shop-kit']);
  assert.deepEqual(edges([used('Cart')], [{ ecosystem: 'pypi', name: 'other', version: '' }]), [
    'reexported Cart 0.76 Cart',
  ]);
  assert.deepEqual(edges([used('Cart')], []), ['reexported Cart 0.95 Cart'], 'no list of its ecosystem');
});

test('uses of what changes have their hop, and a name that is not exported is none of them', () => {
  const reached = new Map([
    [placeKey({ path: 'src/cart.py', symbol: 'Cart' }), { hop: 0, confidence: 1 }],
    [placeKey({ path: 'src/shop.py', symbol: 'open_cart' }), { hop: 1, confidence: 0.5 }],
  ]);
  const user = {
    ...LIBRARY,
    uses: [used('Cart'), used('open_cart'), used('gone'), used('', { path: 'whole.py', symbol: null, uses: 0 })],
    dependencies: LISTED,
  };
  const published = new Published(LIBRARY);
  assert.deepEqual(
    published.usesBy(user, reached).map(({ path, name, hop, confidence }) => [path, name, hop, confidence].join(' ')),
    ['app.py shop.Cart 1 0.95', 'whole.py shop 1 0.3', 'app.py shop.open_cart 2 0.49'],
  );
  assert.deepEqual(published.packagesOf(reached), ['shop-kit']);
});
