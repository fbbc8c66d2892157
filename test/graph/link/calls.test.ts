/** Calls by names that code puts together, and of what it hands on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeLines, graphOf, uses } from './project.js';

test('Python: a method that getattr takes by a name out of a table is likely each that the table lists', () => {
  const till = `TABLE = {"a": "open_it", "b": "close_it"}

class Till:
    KINDS = ["open_it"]
    def open_it(self): pass
    def close_it(self): pass
    def other(self): pass
    def run(self, kind):
        getattr(self, TABLE[kind])()
    def got(self, kind):
        return getattr(self, TABLE.get(kind, "other"))
    def own(self, at):
        getattr(self, self.KINDS[at])()
    def none(self, kind):
        getattr(self, unknown[kind])()
`;
  assert.deepEqual(
    edgeLines(graphOf({ 'till.py': till })).filter((line) => line.includes('(likely)')),
    [
      'till.py:Till.run call till.py:Till.open_it (likely)',
      'till.py:Till.run call till.py:Till.close_it (likely)',
      'till.py:Till.got call till.py:Till.open_it (likely)',
      'till.py:Till.got call till.py:Till.close_it (likely)',
      'till.py:Till.own call till.py:Till.open_it (likely)',
    ],
  );
});

test('Python: a name that is put together likely means all members with that part, of the type, its parents and its children', () => {
  const project = {
    'walk.py':
      'class Visitor:\n    def visit(self, node):\n        method = "visit_" + node.kind\n        return getattr(self, method, self.other)(node)\n    def other(self, node): pass\n\nclass Cart:\n    def visit_shop(self): pass\n    def run(self, name):\n        getattr(self, f"{name}_done")()\n    def sum_done(self): pass\n',
    'print.py':
      'from walk import Visitor\n\nclass Printer(Visitor):\n    def visit_add(self, node): pass\n    def visit_name(self, node): pass\n',
    'free.py':
      'def visit_none(): pass\n\ndef call(printer: "Printer", name):\n    getattr(printer, "visit_%s" % name)()\n',
  };
  assert.deepEqual(uses(project, /_(?!none)\w+ \(/), [
    'walk.py:Visitor.visit call print.py:Printer.visit_add (likely)',
    'walk.py:Visitor.visit call print.py:Printer.visit_name (likely)',
    'walk.py:Cart.run call walk.py:Cart.sum_done (likely)',
  ]);
});

test('Python: tasks that run later, functions with some arguments given, and fixtures named by strings', () => {
  const project = {
    'tasks.py':
      'from functools import partial\n\n@app.task\ndef receipt(cart): pass\n\ndef add(a, b): return a\n\ndef run(cart):\n    receipt.delay(cart)\n    receipt.apply_async(args=[cart])\n    more = partial(add, 1)\n    more(2)\n    self.add.apply(1)\n',
    'test_tasks.py':
      'import pytest\n\n@pytest.fixture\ndef shop(): return 1\n\n@pytest.mark.usefixtures("shop", "other")\ndef test_run(request):\n    request.getfixturevalue("shop")\n',
  };
  assert.deepEqual(uses(project, / (?:call|value) \w+\.py/), [
    'tasks.py:run call tasks.py:receipt (same-file)',
    'tasks.py:run call tasks.py:receipt (same-file)',
    'tasks.py:run value tasks.py:add (same-file)',
    'tasks.py:run call tasks.py:add (receiver)',
    'test_tasks.py:test_run value test_tasks.py:shop (same-file)',
    'test_tasks.py:test_run value test_tasks.py:shop (same-file)',
  ]);
});

test('TypeScript: an item of one of several tuples is that item of each, and any item where no number says which', () => {
  const classes = ['One', 'Two', 'Three', 'Four'].map((name) => `class ${name} { run() {} }\n`).join('');
  const types = 'type Pair = [One, Two];\ntype Either = Pair | [Three, Four];\ntype Short = [One] | [Three, Four];\n';
  const runs = (type: string) =>
    uses({ 'a.ts': `${classes}${types}function use(it: ${type}) { it.run(); }\n` }, /^a\.ts:use call/)
      .map((line) => /call a\.ts:(\w+)\.run \(receiver\)$/.exec(line)?.[1] ?? line)
      .join();
  for (const [type, expected] of [
    ['Pair[0]', 'One'],
    ['Pair[1]', 'Two'],
    ['Either[0]', 'One,Three'],
    ['Either[1]', 'Two,Four'],
    ['Either[number]', 'One,Two,Three,Four'],
    ['Short[1]', 'Four'],
    ['Either[2]', 'a.ts:use call ?run (unresolved)'],
  ])
    assert.equal(runs(type), expected, type);
});
