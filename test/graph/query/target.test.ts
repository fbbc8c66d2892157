/** What a person means by a name or a path: found, ranked, or refused with the nearest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSocraticodeError } from '../../../src/base/errors.js';
import { definitionAt, resolveFile, resolveTarget, type TargetOptions } from '../../../src/graph/query/target.js';
import { walkUsers } from '../../../src/graph/query/users.js';
import { graphOf, placeOf } from '../build.js';
import { graphOf as linkedGraph } from '../link/project.js';

const graph = graphOf({
  files: {
    'src/cart.ts': ['Cart', 'constructor Cart.constructor', 'Cart.total', 'Cart.items', 'total', 'local helper'],
    'src/shop/order.ts': ['Order', 'Order.total', 'Order.total', 'submit'],
    'src/shop/index.ts': [],
    'src/index.ts': [],
    'test/cart.test.ts': ['Cart', 'helper2', 'submit'],
    'docs/guide.md': { symbols: ['section Order'], language: 'markdown' },
    'Shape.java': { symbols: ['class Shape', 'constructor Shape.Shape', 'Shape.area'], language: 'java' },
    'fleet/Truck.cs': { symbols: ['class Truck', 'Truck.drive'], language: 'csharp' },
    'fleet/Truck.Loading.cs': { symbols: ['class Truck', 'Truck.load'], language: 'csharp' },
    'queue.ts': ['Queue', 'Queue.#compact'],
    'point.rs': { symbols: ['struct Point', 'impl Point', 'local function length'], language: 'rust' },
  },
  edges: ['src/shop/order.ts:submit -> src/shop/order.ts:Order.total', 'src/shop/order.ts -> src/cart.ts'],
});

const found = (text: string, options?: TargetOptions): string[] => {
  const result = resolveTarget(graph, text, options);
  if ('candidates' in result) return ['?', ...result.candidates.map(({ pick }) => pick)];
  return result.nodes.map((node) => placeOf(graph, node));
};

const failure = (text: string, options?: TargetOptions): string => {
  try {
    return `found ${found(text, options)}`;
  } catch (error) {
    if (!isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
    return `${error.message} / ${error.hint}`;
  }
};

test('the end of a path is its file, or all of the files that end so', () => {
  assert.deepEqual(found('order.ts'), ['src/shop/order.ts']);
  assert.deepEqual(found('index.ts'), ['?', 'src/index.ts', 'src/shop/index.ts']);
});

test('parts of one class in a folder are one definition', () => {
  assert.deepEqual(found('Truck'), ['fleet/Truck.Loading.cs:Truck', 'fleet/Truck.cs:Truck']);
  assert.deepEqual(found('fleet/Truck.cs:Truck'), ['fleet/Truck.cs:Truck']);
});

test('a declaration in a file of its own and the code that it declares are one definition', () => {
  const stubs = graphOf({
    files: {
      'cart/__init__.pyi': { symbols: ['load', 'class Cart', 'method Cart.total', 'lost', 'both'], language: 'python' },
      'cart/__init__.py': { symbols: ['class Cart', 'method Cart.total'], language: 'python' },
      'cart/_load.py': { symbols: ['load', 'both'], language: 'python' },
      'cart/_more.py': { symbols: ['both'], language: 'python' },
      'far.py': { symbols: ['lost'], language: 'python' },
      'box.d.ts': ['open', 'open'],
      'box.js': { symbols: ['open'], language: 'javascript' },
      'use.py': { symbols: ['run'], language: 'python' },
    },
    edges: [
      'cart/__init__.py -> cart/_load.py',
      'cart/__init__.py -> cart/_more.py',
      'use.py:run -> cart/_load.py:load',
    ],
  });
  const named = (text: string) => {
    const result = resolveTarget(stubs, text);
    return 'candidates' in result
      ? result.candidates.map(({ pick }) => pick)
      : result.nodes.map((node) => placeOf(stubs, node));
  };
  assert.deepEqual(named('load'), ['cart/_load.py:load', 'cart/__init__.pyi:load']);
  assert.deepEqual(named('cart/__init__.pyi:load'), ['cart/_load.py:load', 'cart/__init__.pyi:load']);
  assert.deepEqual(named('Cart.total'), ['cart/__init__.py:Cart.total', 'cart/__init__.pyi:Cart.total']);
  assert.deepEqual(named('open'), ['box.js:open', 'box.d.ts:open', 'box.d.ts:open']);
  assert.equal(named('both').length, 3, 'two modules that the code imports have it');
  assert.equal(named('lost').length, 2, 'the code does not import it');
  const [user] = walkUsers(stubs, [stubs.nodesNamed('load')[0]], { depth: 1 });
  assert.equal(placeOf(stubs, user.node), 'use.py:run');
});

test('a function that is used beats members of its name that nothing uses, which are named', () => {
  const options = (edges: string[]) =>
    graphOf({
      files: {
        'src/retry.ts': ['retry', 'caller'],
        'src/options.ts': ['interface Options', 'property Options.retry', 'reader'],
      },
      edges,
    });
  const call = 'src/retry.ts:caller -> src/retry.ts:retry';
  const meant = resolveTarget(options([call]), 'retry');
  assert.ok('nodes' in meant);
  assert.deepEqual(meant.alternatives, ['src/options.ts:Options.retry']);
  assert.ok('candidates' in resolveTarget(options([]), 'retry'), 'neither is used');
  const read = 'src/options.ts:reader -> src/options.ts:Options.retry';
  assert.ok('candidates' in resolveTarget(options([call, read]), 'retry'), 'both are used');
});

test('names, qualified names, places and lines', () => {
  assert.deepEqual(found('Cart.total'), ['src/cart.ts:Cart.total']);
  assert.deepEqual(found('Cart::total()'), ['src/cart.ts:Cart.total']);
  assert.deepEqual(found('items'), ['src/cart.ts:Cart.items']);
  for (const name of ['#compact', 'compact', 'Queue.#compact', 'Queue.compact', 'queue.ts:Queue.#compact'])
    assert.deepEqual(found(name), ['queue.ts:Queue.#compact'], name);
  assert.deepEqual(found('src/cart.ts:total'), ['src/cart.ts:total'], 'what candidates say to type');
  assert.deepEqual(found('order.ts:Order.total').length, 2);
  assert.deepEqual(found('src/cart.ts'), ['src/cart.ts']);
  assert.deepEqual(found('cart.ts:25'), ['src/cart.ts:Cart.total']);
  assert.deepEqual(found('cart.ts:10'), ['src/cart.ts:Cart'], 'between members: the container');
  assert.deepEqual(found('src/cart.ts:60:3'), ['src/cart.ts'], 'behind all symbols: the file');
  const data = linkedGraph({ 'go.mod': 'module shop\n\nrequire tax v1\n' });
  assert.equal(data.endLine(data.fileNode(0)), 0);
  assert.deepEqual(resolveTarget(data, 'go.mod:3'), resolveTarget(data, 'go.mod'), 'of a file without facts');
});

test('separators of any language, arguments, and the number of parameters are no part of a name', () => {
  const ways = [
    'Cart::total',
    'Cart#total',
    'Cart->total',
    'Cart\\total',
    '\\Cart::total',
    'Cart.total/1',
    '&Cart.total/1',
  ];
  for (const name of [...ways, 'Cart::total(1, 2)', 'Cart->total($all)', '(*Cart).total', 'crate::Cart::total'])
    assert.deepEqual(found(name), ['src/cart.ts:Cart.total'], name);
});

test('words before a name can be the path of its module, and are refused where they are not', () => {
  for (const name of ['shop::order::Order', 'order.Order', 'Acme\\Shop\\Order', 'crate::shop::Order'])
    assert.deepEqual(found(name), ['src/shop/order.ts:Order'], name);
  assert.deepEqual(found('cart.total'), ['src/cart.ts:total']);
  assert.deepEqual(found('shop.order.submit'), ['src/shop/order.ts:submit']);
  assert.match(failure('desk.order2.Order'), /^no symbol/);
  assert.match(failure('Acme\\Desk\\Order'), /^no symbol/);
});

test('overloads are one definition, a constructor is its class, an impl its type, a heading no code', () => {
  assert.equal(found('Order.total').length, 2, 'both overloads, no choice');
  assert.deepEqual(found('Shape'), ['Shape.java:Shape']);
  assert.deepEqual(found('Point'), ['point.rs:Point']);
  assert.deepEqual(found('Order'), ['src/shop/order.ts:Order']);
});

test('the definition of a use is that of its target with its overloads, and of no other type', () => {
  const file = 'src/order.ts';
  const shop = graphOf({
    files: { [file]: ['Order', 'Order.total', 'Order.total', 'Cart', 'Cart.total', 'submit'] },
    edges: [`${file}:submit -> ${file}:Order.total`],
  });
  const place = { file: shop.findFile(file), line: 52, name: 'total', before: 'order.', firstLine: () => -1 };
  const { resolved } = definitionAt(shop, place);
  assert.deepEqual(
    resolved?.nodes.map((node) => placeOf(shop, node)),
    [`${file}:Order.total`, `${file}:Order.total`],
  );
});

test('several definitions: exported ones that are used first; one outside of tests wins alone', () => {
  assert.deepEqual(found('total')[0], '?');
  assert.equal(found('total')[1], 'src/shop/order.ts:Order.total', 'most used');
  assert.deepEqual(found('total', { file: 'src/shop' }).length, 2, 'a directory leaves one definition: two overloads');
  const result = resolveTarget(graph, 'Cart');
  assert.ok('nodes' in result && result.others === 1 && placeOf(graph, result.nodes[0]) === 'src/cart.ts:Cart');
  assert.deepEqual(found('test/cart.test.ts:Cart'), ['test/cart.test.ts:Cart']);
});

test('paths are found relative to the current folder, from the root, or by their end', () => {
  const prefix = { directory: 'src/shop', workTree: '/work' };
  assert.deepEqual(found('index.ts', { prefix }), ['src/shop/index.ts']);
  assert.deepEqual(found('../cart.ts', { prefix }), ['src/cart.ts']);
  assert.deepEqual(found('src/cart.ts', { prefix }), ['src/cart.ts']);
  assert.deepEqual(found('/work/src/cart.ts', { prefix }), ['src/cart.ts']);
  assert.deepEqual(found('order.ts'), ['src/shop/order.ts']);
  const two = resolveFile(graph, 'index.ts');
  assert.deepEqual('candidates' in two && two.candidates.map(({ pick }) => pick), [
    'src/index.ts',
    'src/shop/index.ts',
  ]);
});

test('an unknown name is refused with suggestions', () => {
  assert.doesNotMatch(failure('Nothing.totl'), /Did you mean/);
  assert.match(failure('Nothing.total'), /Did you mean .*total/);
  assert.match(failure('Cart.totl'), /no symbol Cart\.totl .* \/ Did you mean .*total/);
  // The function and not a method of that name comes first.
  assert.match(failure('totl'), /Did you mean total, Cart\.total, Order\.total\?/);
  assert.match(failure('src/order.ts'), /no file src\/order\.ts .* \/ Did you mean src\/shop\/order\.ts\?/);
  assert.match(failure('src/crt.ts:3'), /Did you mean src\/cart\.ts/);
  assert.match(failure('../../etc/passwd'), /outside of this repository/);
  assert.match(failure('/etc/passwd'), /outside of this repository/);
  assert.match(failure('cart.ts:4711'), /has no line 4711 \/ It has 60 lines/);
  assert.match(
    failure('helper', { file: 'src/shop' }),
    /no symbol helper is defined in src\/shop .* \/ It is defined in src\/cart\.ts/,
  );
  assert.match(failure('submit', { file: 'nowhere' }), /no file nowhere/);
  assert.match(failure(' '), /no symbol or file is named/);
  for (const name of ['__proto__', 'toString', 'hasOwnProperty', ':', '::', '.', 'a:b:c', '\u0000'])
    assert.doesNotMatch(failure(name), /found/);
  assert.throws(() => resolveFile(graph, 'src'), /no file src/);
});

test('a member that a type inherits is found by the type', () => {
  const inheriting = graphOf({
    files: {
      'scaffold.py': ['class Scaffold', 'Scaffold.route', 'Scaffold.add'],
      'app.py': ['class App', 'App.add', 'class Flask', 'Flask.run'],
      'test/other.py': ['class Flask'],
    },
    edges: ['app.py:App -> scaffold.py:Scaffold extends', 'app.py:Flask -> app.py:App extends'],
  });
  const at = (text: string) => {
    const result = resolveTarget(inheriting, text);
    return 'nodes' in result ? result.nodes.map((node) => placeOf(inheriting, node)) : ['?'];
  };
  assert.deepEqual(at('Flask.route'), ['scaffold.py:Scaffold.route']);
  // The nearest type that has one.
  assert.deepEqual(at('Flask.add'), ['app.py:App.add']);
  assert.deepEqual(at('Flask.run'), ['app.py:Flask.run']);
  assert.throws(() => at('Flask.nothing'), /no symbol Flask\.nothing/);
  assert.throws(() => at('Scaffold.run'), /no symbol Scaffold\.run/);
});
