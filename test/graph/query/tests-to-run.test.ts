/** Tests that will and that may run a definition, in their order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRunnableTest } from '../../../src/graph/query/node-place.js';
import { reachingTests, testsToRun } from '../../../src/graph/query/tests-to-run.js';
import { walkUsers } from '../../../src/graph/query/users.js';
import { graphOf, nodeAt } from '../build.js';

const graph = graphOf({
  files: {
    'cart.ts': ['Cart', 'constructor Cart.new', 'method Cart.total', 'method Cart.hidden'],
    'app.ts': ['function run'],
    'test/direct.test.ts': ['checks'],
    'test/named.test.ts': ['checks'],
    'test/cart.test.ts': ['checks'],
    'test/far.test.ts': ['checks'],
    'test/none.test.ts': ['checks'],
  },
  edges: [
    'test/direct.test.ts:checks -> cart.ts:Cart.total',
    'test/named.test.ts -> cart.ts',
    'test/named.test.ts:checks -> cart.ts:Cart new',
    { from: 'test/named.test.ts:checks', name: 'total', receiver: 'x' },
    'app.ts -> cart.ts',
    'test/far.test.ts -> app.ts',
  ],
});

const testsOf = (place: string) => {
  const node = nodeAt(graph, place);
  const { will, may } = testsToRun(graph, [node], { users: walkUsers(graph, [node], { depth: 5 }), known: [] });
  const shown = (tests: typeof will) => tests.map(({ path, reason }) => `${path} ${reason}`);
  return { will: shown(will), may: shown(may) };
};

test('calls come first, then what a test makes and calls by name; imports and names alone are less sure', () => {
  assert.deepEqual(testsOf('cart.ts:Cart.total'), {
    will: ['test/direct.test.ts calls', 'test/named.test.ts reaches'],
    may: ['test/cart.test.ts named', 'test/far.test.ts imports'],
  });
});

test('an answer is the same whatever was asked of the graph before', () => {
  const places = ['cart.ts:Cart.hidden', 'cart.ts:Cart', 'app.ts:run', 'cart.ts:Cart.total'];
  const first = places.map(testsOf);
  assert.deepEqual([...places].reverse().map(testsOf).reverse(), first);
});

test('a member that no reached code calls by name does not run with its type', () => {
  const { will, may } = testsOf('cart.ts:Cart.hidden');
  assert.deepEqual(will, []);
  assert.deepEqual(may, ['test/cart.test.ts named', 'test/named.test.ts imports', 'test/far.test.ts imports']);
});

test('a type runs in tests that make one, not in all that load its file', () => {
  const { will, may } = testsOf('cart.ts:Cart');
  assert.deepEqual(will, ['test/named.test.ts calls']);
  assert.deepEqual(may, ['test/cart.test.ts named', 'test/far.test.ts imports']);
});

test('a test that stands beside another file of the name is not named after this one', () => {
  const made = graphOf({
    files: {
      'poll/rules.ts': ['function close'],
      'poll/rules.test.ts': ['checks'],
      'licence/rules.ts': ['function allow'],
      'licence/rules.test.ts': ['checks'],
      'test/rules.test.ts': ['checks'],
    },
    edges: [],
  });
  const node = nodeAt(made, 'poll/rules.ts:close');
  const { may } = testsToRun(made, [node], { users: walkUsers(made, [node], { depth: 5 }), known: [] });
  assert.deepEqual(
    may.map(({ path }) => path),
    ['poll/rules.test.ts', 'test/rules.test.ts'],
  );
});

test('what a test loads, helpers, fixtures, workflows and data run nothing by themselves', () => {
  const files = {
    'cart.rb': ['method total'],
    'test/cart_test.rb': ['checks'],
    'test/test_helper.rb': ['method login'],
    'test/test_support.rb': ['method test_support'],
    'test/fixtures/shop_test.rb': ['checks'],
    '.github/workflows/test.yml': ['run'],
    'src/test/TestCart.java': ['class TestCart', 'method TestCart.adds'],
    'src/test/Testing.java': ['class Testing'],
  };
  const made = graphOf({ files });
  const isTest = (path: string) => isRunnableTest(made, made.findFile(path));
  assert.deepEqual(Object.keys(files).filter(isTest), [
    'test/cart_test.rb',
    'test/test_support.rb',
    'src/test/TestCart.java',
  ]);
});

test('a call that only a member of a type which nothing makes can do is no proof; far imports need a high share', () => {
  const made = graphOf({
    files: {
      'cart.ts': ['class Cart', 'method Cart.total'],
      'deep.ts': ['function deep'],
      'app.ts': ['function run', 'function other'],
      'test/run.test.ts': ['checks'],
    },
    edges: [
      'test/run.test.ts:checks -> app.ts:run',
      'test/run.test.ts -> app.ts',
      'app.ts -> deep.ts',
      'app.ts:run -> deep.ts:deep value',
      'app.ts:other -> cart.ts:Cart.total',
    ],
  });
  const found = (place: string) => {
    const node = nodeAt(made, place);
    const { will, may } = testsToRun(made, [node], { users: walkUsers(made, [node], { depth: 4 }), known: [] });
    return [will.length, may.length];
  };
  assert.deepEqual(found('app.ts:run'), [1, 0]);
  assert.deepEqual(found('app.ts:other'), [0, 1]);
});

test('a class that nothing makes is made by a container, so that what it overrides runs it; one that is made elsewhere is not', () => {
  const found = (more: string[]) => {
    const wired = graphOf({
      files: {
        'Find.java': ['interface Find', 'method Find.find'],
        'Finder.java': ['class Finder', 'method Finder.find'],
        'Load.java': ['interface Load', 'method Load.load'],
        'Loader.java': ['class Loader', 'method Loader.load'],
        'Main.java': ['function wire'],
        'src/test/java/FindTest.java': ['checks'],
      },
      edges: [
        'Finder.java:Finder -> Find.java:Find implements',
        'Loader.java:Loader -> Load.java:Load implements',
        'src/test/java/FindTest.java:checks -> Find.java:Find.find',
        'Finder.java:Finder.find -> Load.java:Load.load',
        ...more,
      ],
    });
    const node = nodeAt(wired, 'Loader.java:Loader.load');
    const { will } = testsToRun(wired, [node], { users: walkUsers(wired, [node], { depth: 4 }), known: [] });
    return will.map(({ path, hops }) => `${path} ${hops}`);
  };
  assert.deepEqual(found([]), ['src/test/java/FindTest.java 2']);
  assert.deepEqual(found(['Main.java:wire -> Loader.java:Loader new']), []);
});

test('a call of a general member runs what overrides it in a type that the test makes, and not in another one', () => {
  const family = graphOf({
    files: {
      'page.py': ['class Page', 'method Page.show', 'method Page.run'],
      'logs.py': ['class Logs', 'method Logs.show'],
      'user.py': ['class User', 'method User.show'],
      'app.py': ['function start'],
      'tests/test_user.py': ['test_user'],
      'tests/test_page.py': ['test_page'],
    },
    edges: [
      ...['logs.py:Logs', 'user.py:User'].map((type) => `${type} -> page.py:Page extends`),
      ...['logs.py:Logs', 'user.py:User'].map((type) => `app.py:start -> ${type} new`),
      'tests/test_user.py -> user.py',
      'tests/test_user.py:test_user -> user.py:User new',
      'tests/test_user.py:test_user -> page.py:Page.show',
      'page.py:Page.run -> page.py:Page.show',
      'tests/test_page.py:test_page -> page.py:Page new',
      'tests/test_page.py:test_page -> page.py:Page.run',
    ],
  });
  const testsFor = (place: string) => {
    const node = nodeAt(family, place);
    const { will, may } = testsToRun(family, [node], { users: walkUsers(family, [node], { depth: 4 }), known: [] });
    return [will, may].map((tests) => tests.map(({ path }) => path));
  };
  assert.deepEqual(testsFor('user.py:User.show'), [['tests/test_user.py'], []]);
  assert.deepEqual(testsFor('logs.py:Logs.show'), [[], []]);
  const logs = nodeAt(family, 'logs.py:Logs.show');
  assert.deepEqual(reachingTests(family, [logs], walkUsers(family, [logs], { depth: 4 })), []);
});

test('what a block of members overrides runs in tests that make its type, wherever the block stands', () => {
  const family = graphOf({
    files: {
      'named.rs': ['trait Named', 'method Named.name'],
      'types.rs': ['struct Item', 'struct Shelf'],
      'blocks.rs': ['impl Item', 'method Item.name', 'impl Shelf', 'method Shelf.name'],
      'tests/item.rs': ['test_item'],
    },
    edges: [
      ...['Item', 'Shelf'].map((type) => `blocks.rs:${type} -> named.rs:Named implements`),
      'tests/item.rs:test_item -> types.rs:Item new',
      'tests/item.rs:test_item -> named.rs:Named.name',
    ],
  });
  const testsFor = (place: string) => {
    const node = nodeAt(family, place);
    return reachingTests(family, [node], walkUsers(family, [node], { depth: 4 })).map(({ path }) => path);
  };
  assert.deepEqual(testsFor('blocks.rs:Item.name'), ['tests/item.rs']);
  assert.deepEqual(testsFor('blocks.rs:Shelf.name'), []);
});

test('a package of Python begins with its own file, so tests of each of its modules run what that calls', () => {
  const made = graphOf({
    files: {
      'shop/__init__.py': [],
      'shop/setup.py': ['function register'],
      'shop/cart.py': ['class Cart'],
      'tests/test_cart.py': ['checks'],
    },
    edges: [
      'shop/__init__.py -> shop/setup.py',
      'shop/__init__.py -> shop/setup.py:register',
      'tests/test_cart.py -> shop/cart.py',
    ],
  });
  const node = nodeAt(made, 'shop/setup.py:register');
  const { will, may } = testsToRun(made, [node], { users: walkUsers(made, [node], { depth: 4 }), known: [] });
  assert.deepEqual(
    [will, may].map((tests) => tests.map(({ path }) => path)),
    [['tests/test_cart.py'], []],
  );
});

test('with the same low share, a test of the name of a file will run it and another one may; failures run seldom', () => {
  const made = graphOf({
    files: {
      'cart.ts': ['function total', 'function sum', 'function failed'],
      'app.ts': ['function run'],
      'test/cart.test.ts': ['checks'],
      'test/shop.test.ts': ['checks'],
    },
    edges: [
      ...['cart', 'shop'].flatMap((name) => [`test/${name}.test.ts -> cart.ts`, `test/${name}.test.ts -> app.ts`]),
      ...['cart', 'shop'].map((name) => `test/${name}.test.ts:checks -> app.ts:run`),
      'app.ts:run -> cart.ts:total value',
      'cart.ts:total -> cart.ts:sum value',
      'cart.ts:total -> cart.ts:failed',
    ],
  });
  const found = (place: string) => {
    const node = nodeAt(made, place);
    const { will, may } = testsToRun(made, [node], { users: [], known: [] });
    return [will, may].map((tests) => tests.map(({ path }) => path));
  };
  assert.deepEqual(found('cart.ts:total'), [['test/cart.test.ts', 'test/shop.test.ts'], []]);
  assert.deepEqual(found('cart.ts:sum'), [['test/cart.test.ts'], ['test/shop.test.ts']]);
  assert.deepEqual(found('cart.ts:failed'), [['test/cart.test.ts'], ['test/shop.test.ts']]);
});
