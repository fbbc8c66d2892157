/** The text of a use is what a person wrote, without marks that only linking understands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import { useOf } from '../../../src/graph/query/node-place.js';
import { likelihoods, possibleUses } from '../../../src/graph/query/users.js';
import { graphOf } from '../link/project.js';

const textOf = (receiver: string): string => {
  const edge = {
    from: 0,
    name: 'map',
    kind: 'call',
    tier: 'external',
    confidence: 0,
    startLine: 1,
    endLine: 1,
    receiver,
  };
  const graph = { edge: () => edge, path: () => 'a.ts', isFile: () => true };
  return useOf(graph as unknown as Graph, 0).text;
};

test('marks of the extractor are left out of the text of a use', () => {
  assert.equal(textOf('this(master=!).slaves'), 'this.slaves.map');
  assert.equal(textOf('result(rows!=a|b).rows(?isOpen)'), 'result.rows.map');
  assert.equal(textOf('get(<Cart>).items'), 'get().items.map');
  assert.equal(textOf('cube[].split().filter(Boolean)'), 'cube[].split().filter(Boolean).map');
  assert.equal(textOf('keep(=open(:Cart)(0))(1)().items'), 'keep(1)().items.map');
  assert.equal(textOf(''), 'map');
});

test('a possible use states its share where that held in traces, which it did not in Ruby and PHP', () => {
  const shares = (path: string, text: string) => {
    const graph = graphOf({ [path]: text });
    const [node] = graph.nodesNamed('append_it').filter((each) => graph.kind(each) === 'method');
    return possibleUses(graph, node).map((edge) => likelihoods(graph, node)(edge).likelihood);
  };
  const two =
    'class A:\n    def append_it(self): pass\nclass B:\n    def append_it(self): pass\ndef go(x):\n    x.append_it()\n';
  assert.deepEqual(shares('a.py', two), [0.2]);
  const ruby =
    'class A\n  def append_it; end\nend\nclass B\n  def append_it; end\nend\ndef go(x)\n  x.append_it\nend\n';
  assert.deepEqual(shares('a.rb', ruby), [undefined]);
  const php =
    '<?php class A { function append_it() {} } class B { function append_it() {} } function go($x) { $x->append_it(); }\n';
  assert.deepEqual(shares('a.php', php), [undefined]);
});
