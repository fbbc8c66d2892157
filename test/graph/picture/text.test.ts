/** Mermaid and Graphviz, with names that would be markup. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partOf, planOf } from '../../../src/graph/picture/picture.js';
import { dot, mermaid } from '../../../src/graph/picture/text.js';
import { graphOf } from '../build.js';

const graph = graphOf({
  files: {
    'main.ts': [],
    'lib/a"]; click x "b.ts': [],
    'lib/end': [],
    'lib/%%{init: x}%%\\n.ts': [],
    'lib/übung <b>.ts': [],
    'many/1.ts': [],
    'many/2.ts': [],
    'evil\u202e/`*.ts': [],
  },
  edges: [
    'main.ts -> many/1.ts',
    'main.ts -> many/2.ts',
    { from: 'main.ts', to: 'lib/a"]; click x "b.ts', kind: 'type-import' },
    { from: 'lib/a"]; click x "b.ts', to: 'lib/end' },
    { from: 'lib/end', to: 'lib/a"]; click x "b.ts' },
    { from: 'main.ts', to: 'lib/%%{init: x}%%\\n.ts' },
    { from: 'main.ts', to: 'lib/übung <b>.ts' },
    { from: 'main.ts', to: 'evil\u202e/`*.ts' },
  ],
});
const plan = (limit: number) => planOf(partOf(graph, 'files', {}), { limit, linkedOnly: true });

test('Mermaid: synthetic names, labels without a character that means anything, circles in red', () => {
  const text = mermaid(plan(100));
  const lines = text.trimEnd().split('\n');
  assert.equal(lines[0], 'flowchart LR');
  const shape = [
    /^ {2}(?: {2})?n\d+\["[^"`%{}[\]<>|\\]*"\]$/,
    /^ {2}subgraph f\d+\["[^"`%{}[\]<>|\\]*"\]$/,
    /^ {2}end$/,
    /^ {2}n\d+ -\.?-> n\d+$/,
    /^ {2}classDef folder [\w:#,]+$/,
    /^ {2}linkStyle \d+,\d+ stroke:#d1242f,stroke-width:2px$/,
  ];
  for (const line of lines.slice(1))
    assert.ok(
      shape.some((pattern) => pattern.test(line)),
      line,
    );
  assert.match(text, /\["a#34;#93;#59; click x #34;b\.ts"\]/);
  assert.match(text, /\["übung #60;b#62;\.ts"\]/);
  assert.match(text, /-\.->/, 'a type import is a broken line');
  assert.ok(!text.includes('\u202e'));
  const [, first, second] = /linkStyle (\d+),(\d+)/.exec(text) as RegExpExecArray;
  const arrows = lines.filter((line) => / -\.?-> /.test(line));
  const ends = [arrows[Number(first)], arrows[Number(second)]].map((line) => line.trim().split(' --> '));
  assert.deepEqual(ends[0], ends[1].reverse(), 'the two that import each other');
});

test('Graphviz: strings can not be left, circles are red', () => {
  const text = dot(plan(100));
  assert.equal(text.match(/[{]/g)?.length, 1 + 3 + 1, 'the graph, three folders, and a brace in a label');
  for (const line of text.split('\n')) {
    const bare = line.replace(/"(?:[^"\\]|\\.)*"/g, '""');
    assert.ok(!/["<]/.test(bare.replaceAll('""', '')) && !/click|init/.test(bare), line);
  }
  assert.equal(text.match(/color="#d1242f"/g)?.length, 2);
  assert.ok(text.includes('label="%%{init: x}%%\\\\n.ts"'));
});

test('a folder node replaces files for which there is no room, with their number', () => {
  const text = mermaid(plan(4));
  assert.match(text, /\[\["lib \(4\)"\]\]:::folder/);
  assert.match(text, /\[\["many \(2\)"\]\]:::folder/);
  assert.match(dot(plan(4)), /label="many \(2\)", shape=folder/);
});
