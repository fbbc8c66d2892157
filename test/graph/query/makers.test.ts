import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impactOf } from '../../../src/graph/query/impact.js';
import { referencesOf } from '../../../src/questions/graph/references/answer.js';
import { graphOf } from '../link/project.js';

const OPTIONS = { depth: 3, minConfidence: 0, limit: 50 };

test('a class without a constructor is made by that of its parent; one of its own replaces it', () => {
  const graph = graphOf({
    'base.py': 'class Base:\n    def __init__(self):\n        pass\n',
    'kinds.py':
      'from base import Base\n\nclass Plain(Base):\n    pass\n\nclass Further(Plain):\n    pass\n\nclass Own(Base):\n    def __init__(self):\n        pass\n',
    'app.py':
      'from kinds import Plain, Further, Own\n\ndef one():\n    Plain()\n\ndef two():\n    Further()\n\ndef three():\n    Own()\n',
    'test_app.py': 'from app import two\n\ndef test_two():\n    two()\n',
  });
  const [made] = graph.nodesNamed('__init__');
  const { hops, tests } = impactOf(graph, [made], OPTIONS);
  assert.deepEqual(
    hops[0].affected.map(({ symbol }) => symbol),
    ['one', 'two'],
  );
  assert.deepEqual(
    tests.list.map(({ path }) => path),
    ['test_app.py'],
  );
  const { uses } = referencesOf(graph, [made], 50);
  assert.deepEqual(
    uses.list.map(({ path, line }) => `${path}:${line}`),
    ['app.py:4', 'app.py:7'],
  );
});

test('Python: a class statement makes a class by its metaclass', () => {
  const graph = graphOf({
    'meta.py':
      'class Meta(type):\n    def __new__(mcs, name, bases, body):\n        pass\n    def __init__(cls):\n        pass\n',
    'kinds.py':
      'import meta\n\nclass Kind(meta.Meta("K", (), {})):\n    pass\n\nclass Plain(metaclass=meta.Meta):\n    pass\n',
  });
  const { uses } = referencesOf(graph, [graph.nodesNamed('__init__')[0]], 50);
  assert.deepEqual(
    uses.list.map(({ kind, line, symbol }) => `${kind} ${line} ${symbol}`),
    ['import 1 null', 'new 3 Kind', 'new 6 Plain'],
  );
});

test('Java: a constructor that is handed on is used, by a plain name, a qualified one and one with type arguments', () => {
  const graph = graphOf({
    'shop/Box.java': 'package shop;\n\npublic class Box<T> {\n  public Box(T content) {}\n}\n',
    'app/Use.java': [
      'package app;\n\nimport shop.Box;\n\nclass Use {',
      '  void plain() { go(Box::new); }',
      '  void qualified() { go(shop.Box::new); }',
      '  void generic() { go(shop.Box<String>::new); }',
      '  void array() { go(Box[]::new); }\n}\n',
    ].join('\n'),
  });
  const maker = graph.nodesNamed('Box').filter((node) => graph.kind(node) === 'constructor');
  const { uses } = referencesOf(graph, maker, 50);
  assert.deepEqual(
    uses.list.filter(({ kind }) => kind === 'new').map(({ symbol }) => symbol),
    ['Use.plain', 'Use.qualified', 'Use.generic'],
  );
});

test('likely uses are listed apart from proven ones, and marked in what they affect', () => {
  const graph = graphOf({
    'store.py': 'class Store:\n    def fetch_ledger(self):\n        pass\n',
    'view.py':
      'from store import Store\n\ndef show(thing):\n    thing.fetch_ledger()\n\ndef sure():\n    Store().fetch_ledger()\n',
    'test_view.py': 'from view import show\n\ndef test_show():\n    show(1)\n',
  });
  const nodes = graph.nodesNamed('fetch_ledger');
  const { uses, likely, counts } = referencesOf(graph, nodes, 50);
  assert.deepEqual(
    [uses.list, likely.list].map((list) => list.map(({ line }) => line)),
    [[7], [4]],
  );
  assert.deepEqual(counts, { call: 1 });
  const { hops, tests } = impactOf(graph, nodes, OPTIONS);
  assert.deepEqual(
    hops[0].affected.map(({ symbol, likely }) => `${symbol} ${likely ?? ''}`),
    ['sure ', 'show true'],
  );
  assert.deepEqual(tests.list, [{ path: 'test_view.py', symbol: 'test_show', hops: 2, line: 4, likely: true }]);
});
