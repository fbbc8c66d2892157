/** Uses of a name that collections have, too: they are counted, since nearly all mean a collection. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveTarget } from '../../../../src/graph/query/target.js';
import { referencesOf } from '../../../../src/questions/graph/references/answer.js';
import { graphOf } from '../../../graph/link/project.js';

test('a method that lists have is no possible use of an unknown value, unless its name tells otherwise', () => {
  const graph = graphOf({
    'line.py': 'class Line:\n    def append(self, x):\n        pass\n    def fold(self, x):\n        pass\n',
    'use.py':
      'def use(rows, old_line, item):\n    rows.append(1)\n    rows[0].append(2)\n    old_line.append(3)\n    item.fold(4)\n    item.join(4)\n',
  });
  const of = (name: string) => {
    const target = resolveTarget(graph, name);
    assert.ok('nodes' in target);
    const { likely, possible, namesakes } = referencesOf(graph, target.nodes, 100);
    return { possible: possible.list.map(({ line }) => line), likely: likely.list.length, namesakes };
  };
  assert.deepEqual(of('Line.append'), { possible: [4], likely: 0, namesakes: 2 });
  assert.deepEqual(of('Line.fold').namesakes, 0);
});
