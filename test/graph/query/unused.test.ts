/** Definitions that nothing reaches: what counts as a use, and how certain it is that there is none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import { type Certainty, UnusedFinder } from '../../../src/graph/query/unused.js';
import { graphOf, nodeAt } from '../build.js';
import { graphOf as linkedGraph } from '../link/project.js';

const unusedIn = (graph: Graph, least: Certainty = 'certain', without: string[] = []): string[] => {
  const deleted = new Set(without.map((place) => nodeAt(graph, place)));
  return new UnusedFinder(graph, { without: deleted })
    .find(least)
    .map(({ node, certainty, usedBy, verdict }) => [graph.qualifiedName(node), certainty, usedBy, verdict].join(' '));
};

test('what only unused code uses is unused, in circles, too; what the top of a file or exported code uses is not', () => {
  const graph = graphOf({
    files: { 'a.ts': ['local top', 'open', 'local used', 'local dead', 'local next', 'local one', 'local two'] },
    edges: [
      'a.ts -> a.ts:top',
      'a.ts:open -> a.ts:used',
      'a.ts:dead -> a.ts:next',
      'a.ts:one -> a.ts:two',
      'a.ts:two -> a.ts:one',
      'a.ts:dead -> a.ts:used',
    ],
  });
  assert.deepEqual(unusedIn(graph), [
    'dead certain nothing certain',
    'next certain unused certain',
    'one certain unused certain',
    'two certain unused certain',
  ]);
});

test('what only calls itself is used by nothing, and so is what only code inside of it calls', () => {
  const graph = graphOf({
    files: { 'a.ts': ['local again', 'local outer', 'local outer.inner', 'local other'] },
    edges: ['a.ts:again -> a.ts:again', 'a.ts:outer.inner -> a.ts:outer', 'a.ts:again -> a.ts:other'],
  });
  assert.deepEqual(unusedIn(graph), [
    'again certain nothing certain',
    'outer certain nothing certain',
    'other certain unused certain',
  ]);
});

test('a type is used through its members, and with it what it begins with; a dead one is listed without them', () => {
  const graph = graphOf({
    files: {
      'a.ts': [
        ...['local Cart', 'local Cart.total', 'local constructor Cart.constructor', 'local field Cart.rate'],
        ...['local made', 'local first', 'local Gone', 'local Gone.run', 'local Gone.stop'],
      ],
    },
    edges: ['a.ts -> a.ts:Cart.total', 'a.ts:Cart.constructor -> a.ts:made', 'a.ts:Cart.rate -> a.ts:first'],
  });
  assert.deepEqual(unusedIn(graph), ['Gone certain nothing certain']);
});

test('exported code is exported unused, with all that only it uses; a resolved use of another kind than calls counts', () => {
  const graph = graphOf({
    files: { 'a.ts': ['open', 'local helper', 'Kept', 'local handed'], 'b.ts': ['user'] },
    edges: [
      'a.ts:open -> a.ts:helper',
      'b.ts -> b.ts:user',
      'b.ts:user -> a.ts:Kept type',
      'b.ts:user -> a.ts:handed value',
    ],
  });
  assert.deepEqual(unusedIn(graph), []);
  assert.deepEqual(unusedIn(graph, 'exported'), ['open exported nothing exported', 'helper exported unused certain']);
  const helper = new UnusedFinder(graph).find('exported').find(({ usedBy }) => usedBy === 'unused');
  assert.equal(helper?.reason, 'it is not exported, and only unused code uses it');
});

test('entry points, tests that runners find, and code that is handed to a framework are no certain finds', () => {
  const graph = graphOf({
    files: {
      'main.go': ['local main', 'local init', 'local gone'],
      'routes.py': { symbols: ['local _page', 'local _plain'] },
      'test_x.py': { symbols: ['local test_x', 'local helper'] },
    },
    edges: [
      { from: 'routes.py:_page', kind: 'decorator', name: 'route', receiver: 'app' },
      { from: 'routes.py', name: '_maybe' },
    ],
  });
  assert.deepEqual(unusedIn(graph), [
    'gone certain nothing certain',
    '_plain certain nothing certain',
    'helper certain nothing certain',
  ]);
  assert.deepEqual(
    unusedIn(graph, 'possible').filter((text) => text.startsWith('_page')),
    ['_page possible nothing framework'],
  );
});

test('an unresolved use of the name may mean it, unless it stands in the definition, or leads out by an import', () => {
  const graph = graphOf({
    files: { 'a.ts': ['local maybe', 'local own', 'local outside'], 'b.ts': ['run'] },
    edges: [
      { from: 'b.ts:run', name: 'maybe', receiver: 'x' },
      { from: 'a.ts:own', name: 'own', receiver: 'x' },
      { from: 'b.ts:run', name: 'outside', tier: 'external' },
    ],
  });
  assert.deepEqual(unusedIn(graph), ['own certain nothing certain', 'outside certain nothing certain']);
  const guessed = graphOf({
    files: { 'a.ts': ['local close'], 'b.ts': ['run'] },
    edges: [{ from: 'b.ts:run', name: 'close', receiver: 'x', tier: 'external' }],
  });
  assert.deepEqual(unusedIn(guessed), [], 'the type of a receiver is less sure');
  const own = graphOf({
    files: { 'a.ts': ['local close', 'run'] },
    edges: [{ from: 'a.ts:run', name: 'close', tier: 'external' }],
  });
  assert.deepEqual(unusedIn(own), [], 'so is a name that its file defines');
});

test('what a module keeps to itself is meant by no use elsewhere, and none after a dot', () => {
  const graph = graphOf({
    files: { 'a.ts': ['open', 'local maybe', 'local own'], 'b.ts': ['run'] },
    edges: [
      { from: 'b.ts:run', name: 'maybe' },
      { from: 'a.ts:open', name: 'maybe', receiver: 'x' },
      { from: 'a.ts:open', name: 'own' },
    ],
  });
  assert.deepEqual(unusedIn(graph), ['maybe certain nothing certain']);
});

test('what a header defines is known to whoever includes it', () => {
  const inlined = (path: string) => graphOf({ files: { [path]: { language: 'c', symbols: ['local inlined'] } } });
  assert.deepEqual(unusedIn(inlined('a.c')), ['inlined certain nothing certain']);
  assert.deepEqual(unusedIn(inlined('a.h')), []);
  assert.deepEqual(unusedIn(inlined('a.h'), 'exported'), ['inlined exported nothing exported']);
});

test('what stands above an include of a file that is not known may be used there', () => {
  const of = (behind: string) =>
    linkedGraph({
      'a.c': `static const int above = 1;\n#include "${behind}"\nstatic const int below = 2;\n`,
      'known.h': '\n',
    });
  assert.deepEqual(unusedIn(of('known.h')), ['above certain nothing certain', 'below certain nothing certain']);
  assert.deepEqual(unusedIn(of('unknown.h')), ['below certain nothing certain']);
});

test('a type that is written twice may be meant where the other one is', () => {
  const graph = graphOf({
    files: { 'a.ts': ['local struct Pair', 'local struct Pair', 'local struct Lone', 'run'] },
    edges: ['a.ts:run -> a.ts:Pair type'],
  });
  assert.deepEqual(unusedIn(graph), ['Lone certain nothing certain']);
});

test('what a table of a manifest names is used: keys of data run with their file', () => {
  const graph = graphOf({
    files: { 'pyproject.toml': ['key scripts'], 'cli.py': ['start', 'local helper', 'local gone'] },
    edges: ['pyproject.toml:scripts -> cli.py:start value', 'cli.py:start -> cli.py:helper'],
  });
  assert.deepEqual(unusedIn(graph, 'exported'), ['gone certain nothing certain']);
});

test('code that only tests use is told apart', () => {
  const graph = graphOf({
    files: { 'a.ts': ['local helper', 'local both', 'open'], 'a.test.ts': ['local check'] },
    edges: [
      'a.test.ts -> a.test.ts:check',
      'a.test.ts:check -> a.ts:helper',
      'a.test.ts:check -> a.ts:both',
      'a.ts:open -> a.ts:both',
    ],
  });
  assert.deepEqual(unusedIn(graph), ['helper certain tests certain']);
});

test('without some code, what only it uses is unused', () => {
  const graph = graphOf({
    files: { 'a.ts': ['open', 'local one', 'local shared', 'other'] },
    edges: ['a.ts:open -> a.ts:one', 'a.ts:open -> a.ts:shared', 'a.ts:other -> a.ts:shared'],
  });
  assert.deepEqual(unusedIn(graph, 'certain', ['a.ts:open']), ['one certain nothing certain']);
});

test('values that nothing names: exported ones are listed apart, keys of described objects and names of runtimes are none', () => {
  const graph = graphOf({
    files: {
      'a.ts': [
        ...[
          'local top',
          'local constant DEAD',
          'local constant LIVE',
          'constant OPEN',
          'local constant serialVersionUID',
        ],
        ...['local type Options', 'local property Options.key'],
      ],
    },
    edges: ['a.ts -> a.ts:top', 'a.ts:top -> a.ts:LIVE value', 'a.ts:top -> a.ts:Options type'],
  });
  assert.deepEqual(unusedIn(graph), ['DEAD certain nothing certain']);
  assert.deepEqual(unusedIn(graph, 'exported'), ['DEAD certain nothing certain', 'OPEN exported nothing exported']);
});

test('members that are reached through their type are no certain finds: relatives, values of enumerations, data, decorated types', () => {
  const graph = graphOf({
    files: {
      'base.java': { symbols: ['local Base', 'local method Base.size', 'local method Base.gone'] },
      'a.java': {
        symbols: [
          ...['local Sub', 'local method Sub.size', 'local enum Colour', 'local enum-member Colour.RED'],
          ...['local Row', 'local field Row.width', 'local Shop', 'local field Shop.till', 'local method Shop.open'],
          ...[
            'local Bean',
            'local field Bean.name',
            'local method Bean.getName',
            'local method Bean.run',
            'local Twice',
            'local field Twice.rate',
          ],
          ...['local property Twice.rate', 'local method Twice.run'],
        ],
      },
      'b.go': { symbols: ['local struct row', 'local field row.width'] },
    },
    edges: [
      'a.java:Sub -> base.java:Base extends',
      ...['Sub', 'Colour', 'Row', 'Shop', 'Bean', 'Twice', 'Shop.open', 'Bean.run', 'Twice.run', 'Twice.rate'].map(
        (name) => `a.java -> a.java:${name} read`,
      ),
      'base.java -> base.java:Base read',
      'b.go -> b.go:row type',
      { from: 'a.java:Bean', kind: 'decorator', name: 'Component' },
    ],
  });
  assert.deepEqual(unusedIn(graph), [
    'Shop.till certain nothing certain',
    'row.width certain nothing certain',
    'Base.gone certain nothing certain',
  ]);
  const why = new Map(
    new UnusedFinder(graph).find('possible').map(({ node, reason }) => [graph.qualifiedName(node), reason]),
  );
  assert.equal(why.get('Colour.RED'), 'values of Colour may be made from a text or a number');
  assert.equal(why.get('Row.width'), 'Row holds data, which code may read as a whole');
  assert.equal(why.get('Bean.name'), 'Bean is decorated with Component, which may read it');
  assert.equal(why.get('Bean.getName'), 'it is an accessor of name, which a serialiser may call');
  assert.equal(why.get('Base.size'), 'Sub.size overrides it');
});

test('a member of a mixin may run in place of one that another parent of a type below has', () => {
  const graph = graphOf({
    files: {
      'core/base.py': { symbols: ['local class Base', 'local method Base._body', 'local method Base.show'] },
      'views/page.py': {
        symbols: [
          ...['local class Mixin', 'local method Mixin._body', 'local method Mixin._gone'],
          ...['local class Page', 'local class Other', 'local method Other._gone'],
        ],
      },
    },
    edges: [
      'views/page.py:Page -> views/page.py:Mixin extends',
      'views/page.py:Page -> core/base.py:Base extends',
      ...['Page', 'Other'].map((type) => `views/page.py -> views/page.py:${type} new`),
      'views/page.py -> core/base.py:Base.show',
      'core/base.py:Base.show -> core/base.py:Base._body',
    ],
  });
  assert.deepEqual(unusedIn(graph), ['Mixin._gone certain nothing certain', 'Other._gone certain nothing certain']);
  const reasons = new UnusedFinder(graph).find('possible').map(({ reason }) => reason);
  assert.ok(reasons.includes('Page has Base._body as well, and a call of that may run it'), reasons.join('; '));
});

test('a value that a call makes may be kept by what it calls, unless that is known', () => {
  const graph = graphOf({
    files: {
      'models.py': [
        ...['local variable _links', 'local variable _pattern', 'local variable _size', 'local variable _page'],
        ...['local class Blueprint', 'local function count'],
      ],
    },
    edges: [
      { from: 'models.py:_links', name: 'Table', receiver: 'db' },
      { from: 'models.py:_pattern', name: 'compile', receiver: 're', tier: 'external' },
      'models.py:_size -> models.py:count',
      'models.py:_page -> models.py:Blueprint new',
      { from: 'models.py:Blueprint', kind: 'extends', name: 'flask.Blueprint', tier: 'external' },
    ],
  });
  assert.deepEqual(
    unusedIn(graph).map((line) => line.split(' ')[0]),
    ['_pattern', '_size'],
  );
  const kept = new UnusedFinder(graph).find('possible').find(({ reason }) => reason.startsWith('db.'));
  assert.equal(kept?.reason, 'db.Table makes it, and may keep it');
});

test('a type that is opened in several files is one parent: a member may override one of any', () => {
  const graph = graphOf({
    files: {
      'package.rb': { symbols: ['class Package', 'local method Package.suffix'] },
      'shell.rb': ['class Package'],
      'rpm.rb': { symbols: ['class Rpm', 'local method Rpm.suffix', 'local method Rpm._gone'] },
    },
    edges: [
      'rpm.rb:Rpm -> shell.rb:Package extends',
      'package.rb:Package -> package.rb:Package.suffix',
      'package.rb -> rpm.rb:Rpm read',
    ],
  });
  assert.deepEqual(unusedIn(graph), ['Rpm._gone certain nothing certain']);
});

test('a type in several parts is used by any of them: a call may run its members in all', () => {
  const unusedWith = (used: string) => {
    const part = (...symbols: string[]) => ({ language: 'csharp', symbols });
    const graph = graphOf({
      files: {
        'Base.cs': part('local class Base', 'local method Base.suffix'),
        'One.cs': part('local class Rpm', 'local method Rpm.suffix', 'local method Rpm.gone'),
        'Two.cs': part('local class Rpm'),
        'Main.cs': part(),
      },
      edges: [
        'One.cs:Rpm -> Base.cs:Base extends',
        'Main.cs -> Base.cs:Base.suffix',
        ...(used === '' ? [] : [`Main.cs -> ${used}:Rpm new`]),
      ],
    });
    return new UnusedFinder(graph)
      .find('possible')
      .filter(({ node }) => graph.path(node) === 'One.cs')
      .map(({ node }) => graph.qualifiedName(node));
  };
  const rows: [used: string, unused: string[]][] = [
    ['One.cs', ['Rpm.gone']],
    ['Two.cs', ['Rpm.gone']],
    ['', ['Rpm']],
  ];
  assert.deepEqual(
    rows.map(([used]) => [used, unusedWith(used)]),
    rows,
  );
});

test('nothing is claimed of declarations, which describe code elsewhere, also where they stand among examples', () => {
  const symbols = ['local interface Total', 'local spare'];
  const graph = graphOf({ files: { 'examples/a.ts': symbols, 'examples/b.d.ts': symbols, 'types/c.d.ts': symbols } });
  assert.deepEqual(
    new UnusedFinder(graph).find('certain').map(({ node }) => graph.path(node)),
    ['examples/a.ts', 'examples/a.ts'],
  );
});

test('what a script of a page defines is meant by its name in other scripts', () => {
  const graph = graphOf({
    files: { 'data.js': ['local shown', 'local gone'], 'page.js': ['local run'] },
    edges: [{ from: 'page.js', name: 'shown', kind: 'read', tier: 'external' }],
  });
  assert.deepEqual(unusedIn(graph), ['gone certain nothing certain', 'run certain nothing certain']);
});

test('a type may be meant where a type of its name in another namespace is used beside it', () => {
  const graph = graphOf({
    files: {
      'sync/Counter.java': ['local class Counter'],
      'backup/Counter.java': ['local class Counter'],
      'sync/Run.java': ['local class Run'],
      'far/Counter.java': ['local class Counter'],
    },
    edges: ['sync/Run.java -> sync/Run.java:Run read', 'sync/Run.java:Run -> backup/Counter.java:Counter read'],
  });
  assert.deepEqual(
    new UnusedFinder(graph).find('certain').map(({ node }) => graph.path(node)),
    ['far/Counter.java'],
  );
});

test('a use beside a definition may mean it, though it leads to a namesake elsewhere; a use that names its file does not', () => {
  const graph = graphOf({
    files: {
      'consul/label.go': ['local method read', 'local method gone'],
      'consul/run.go': ['local main'],
      'nomad/label.go': ['local method read'],
      'ui/a.ts': ['local show', 'open'],
      'ui/b.ts': ['local show', 'start'],
      'row.go': { symbols: ['local struct row', 'local field row.Name', 'local field row.width'] },
    },
    edges: [
      { from: 'consul/run.go:main', to: 'nomad/label.go:read', tier: 'receiver', receiver: 'p' },
      'ui/b.ts:start -> ui/b.ts:show',
      'row.go -> row.go:row type',
    ],
  });
  assert.deepEqual(unusedIn(graph).sort(), [
    'gone certain nothing certain',
    'row.width certain nothing certain',
    'show certain nothing certain',
  ]);
});

test('members that templates of the standard library of C++ name, and those that loops and coroutines call, may be used', () => {
  const types = ['iterator_category', 'value_type', 'gone'].map((name) => `local type Row.${name}`);
  const methods = ['await_ready', 'begin', 'left'].map((name) => `local method Row.${name}`);
  const symbols = ['open', 'local class Row', ...types, ...methods];
  const graph = graphOf({
    files: { 'rows.cpp': { language: 'cpp', symbols } },
    edges: ['rows.cpp:open -> rows.cpp:Row'],
  });
  assert.deepEqual(unusedIn(graph).sort(), ['Row.gone certain nothing certain', 'Row.left certain nothing certain']);
});

test('a member that is put on a prototype is one of a type: making the object does not run it', () => {
  const graph = linkedGraph({
    'lib/cart.js': `'use strict'

function Cart (size) {
  this.size = size
}

Cart.prototype.total = function () {
  return this.size
}

Cart.prototype.shown = function () {
  return this.total()
}

Cart.prototype.forgotten = function () {}

module.exports = Cart
`,
    'lib/shop.js': "const Cart = require('./cart')\n\nconst cart = new Cart(1)\ncart.total()\n",
    'test/cart.test.js': "const Cart = require('../lib/cart')\n\nconst cart = new Cart(1)\ncart.shown()\n",
  });
  const users = new UnusedFinder(graph).find('possible').map(({ node, usedBy }) => `${graph.name(node)} ${usedBy}`);
  assert.deepEqual(users, ['shown tests', 'forgotten nothing']);
});

test('members with underscores around their names are called by the language, an enumeration or a notebook', () => {
  const names = ['__enter__', '_missing_', '_repr_html_', '_repr', '_html'];
  const graph = graphOf({
    files: { 'a.py': ['local class Cart', ...names.map((name) => `local method Cart.${name}`)] },
    edges: ['a.py -> a.py:Cart read'],
  });
  const found = unusedIn(graph, 'possible').map((line) => line.split(' ')[0]);
  assert.deepEqual(found, ['Cart._repr', 'Cart._html']);
});

test('what something outside of the graph starts is used, however little is known of its other uses', () => {
  const graph = graphOf({
    files: { 'a.ts': ['local seen', 'local other'], 'b.ts': ['user'] },
    edges: ['b.ts -> b.ts:user', { from: 'b.ts:user', name: 'seen', receiver: 'x' }],
  });
  const names = (found?: ReadonlyMap<number, { verdict: 'entry-point'; reason: string }>) =>
    new UnusedFinder(graph).find('possible', found).map(({ node }) => graph.qualifiedName(node));
  assert.deepEqual(names(), ['seen', 'other']);
  const reason = { verdict: 'entry-point', reason: 'a manifest names it' } as const;
  for (const [place, rest] of [
    ['a.ts:seen', ['other']],
    ['a.ts:other', ['seen']],
  ] as const)
    assert.deepEqual(names(new Map([[nodeAt(graph, place), reason]])), rest);
});

test('a script that no known page loads may be one of a page beside or above it, and one that such a page loads is not', () => {
  const graph = linkedGraph({
    'site/index.html': '<script src="loaded.js"></script>\n',
    'site/loaded.js': 'function inLoaded() {}\n',
    'site/other.js': 'function beside() {}\n',
    'site/deep/other.js': 'function below() {}\n',
    'tools/other.js': 'function away() {}\n',
  });
  assert.deepEqual(unusedIn(graph), ['inLoaded certain nothing certain', 'away certain nothing certain']);
});

test('Go: a literal without names of fields sets each of them, with its type, in a list or in a map', () => {
  const struct = (name: string) => `type ${name} struct {\n\tleft string\n\tright int\n}\n`;
  const graph = linkedGraph({
    'go.mod': 'module example.com/m\n',
    'main.go': [
      'package main\n',
      ...['alone', 'listed', 'mapped', 'named', 'empty'].map(struct),
      'func main() {',
      '\t_ = alone{"a", 1}',
      '\t_ = []listed{{"a", 1}, {"b", 2}}',
      '\t_ = map[string]*mapped{"k": {"a", 1}}',
      '\t_ = named{ // by its name\n\t\tleft: "a",\n\t}',
      '\t_ = []empty{{}}\n}\n',
    ].join('\n'),
  });
  assert.deepEqual(
    unusedIn(graph).filter((line) => line.includes('.')),
    ['named.right certain nothing certain', 'empty.right certain nothing certain'],
  );
});
