/** Overviews: folders as few nodes, and their places in layers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Drawing } from '../../../src/graph/picture/folders.js';
import { pathText, shortened } from '../../../src/graph/picture/page/drawn.js';
import { layered } from '../../../src/graph/picture/page/layers.js';
import { dot, mermaid, overviewOf, partOf, planOf } from '../../../src/graph/picture/picture.js';
import { graphOf } from '../build.js';

function drawingOf(paths: readonly string[], uses: readonly (readonly [number, number])[] = []): Drawing {
  const nodes = paths.map((path) => {
    const end = path.lastIndexOf('/');
    const place = { label: path.slice(end + 1), path, folder: path.slice(0, Math.max(0, end)), language: 'typescript' };
    return { ...place, kind: 'file', startLine: 1, endLine: 1 };
  });
  const edges = uses.map(([from, to]) => ({
    from,
    to,
    kinds: ['import'] as const,
    count: 2,
    inCycle: false,
    lines: [1],
  }));
  return { view: 'files', nodes, edges };
}

const none = (): boolean => false;

test('folders stand for their files, and uses between them are added up', () => {
  const drawing = drawingOf(
    ['src/a/1.ts', 'src/a/2.ts', 'src/b/1.ts', 'src/main.ts', 'test/1.ts'],
    [
      [0, 2],
      [1, 2],
      [0, 1],
      [3, 0],
      [4, 0],
    ],
  );
  const { nodes, edges, aside } = overviewOf(drawing, 40, (path) => path.startsWith('test/'));
  assert.deepEqual(
    nodes.map(({ label, files }) => `${label} ${files}`),
    ['src: its own files 1', 'src/a 2', 'src/b 1'],
  );
  assert.deepEqual(
    edges.map(({ from, to, count }) => [nodes[from].label, nodes[to].label, count]),
    [
      ['src/a', 'src/b', 4],
      ['src: its own files', 'src/a', 2],
    ],
  );
  assert.equal(aside, 1);
});

test('folders of data and documents are no nodes, unless code uses them', () => {
  const drawing = drawingOf(['src/a/1.ts', 'src/b/1.ts', 'data/1.json', 'docs/1.md', 'schemas/1.json'], [[0, 4]]);
  const nodes = drawing.nodes.map((node) => ({ ...node, language: node.path.slice(node.path.lastIndexOf('.') + 1) }));
  const named = nodes.map((node) => ({ ...node, language: node.language === 'ts' ? 'typescript' : node.language }));
  const overview = overviewOf({ ...drawing, nodes: named }, 40, none);
  assert.deepEqual(
    overview.nodes.map(({ label }) => label),
    ['schemas', 'src/a', 'src/b'],
  );
  assert.equal(overview.data, 2);
});

test('of two folders that use each other the one with more uses stands above, and a shared library at the bottom', () => {
  const [app, cli, lib, base] = [0, 1, 2, 3];
  const uses = (from: number, to: number, weight: number) => ({ from, to, weight });
  // The library uses its base so often that by a mere balance of uses it would stand above the application.
  const arrows = [uses(app, lib, 5), uses(lib, app, 1), uses(cli, app, 2), uses(lib, base, 50), uses(cli, lib, 3)];
  const boxes = [app, cli, lib, base].map(() => ({ width: 100, height: 40 }));
  const { y } = layered(boxes, arrows, 900);
  assert.ok(y[cli] < y[app] && y[app] < y[lib] && y[lib] < y[base], y.join(' '));
});

test('a folder with too many folders shows the largest, and the rest as one', () => {
  const paths = Array.from({ length: 60 }, (_, i) =>
    Array.from({ length: 60 - i }, (_, j) => `lib/part${i}/${j}.ts`),
  ).flat();
  const { nodes } = overviewOf(drawingOf(paths), 40, none);
  assert.equal(nodes.length, 40);
  assert.ok(nodes.some(({ label }) => label === 'lib: 21 smaller folders'));
});

const path = fc
  .array(fc.constantFrom('a', 'b', 'c', 'src', 'test'), { minLength: 1, maxLength: 5 })
  .map((names) => `${names.join('/')}/file.ts`);

test('every file is in one node, labels are unique, and there are never too many', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 3, max: 40 }),
      (paths, limit) => {
        const { nodes } = overviewOf(drawingOf(paths), limit, none);
        assert.equal(
          nodes.reduce((sum, { files }) => sum + files, 0),
          paths.length,
        );
        assert.equal(new Set(nodes.map(({ label }) => label)).size, nodes.length);
        assert.ok(nodes.length <= limit);
      },
    ),
  );
});

test('users stand above what they use, and no two boxes overlap, whatever the cycles', () => {
  const arrow = fc.record({ from: fc.nat(14), to: fc.nat(14), weight: fc.integer({ min: 1, max: 99 }) });
  fc.assert(
    fc.property(fc.array(arrow, { maxLength: 60 }), (arrows) => {
      const boxes = Array.from({ length: 15 }, (_, i) => ({ width: 60 + 10 * i, height: 40 }));
      const { x, y, width, height } = layered(
        boxes,
        arrows.filter(({ from, to }) => from !== to),
        500,
      );
      for (let i = 0; i < boxes.length; i++) {
        assert.ok(x[i] >= 0 && x[i] + boxes[i].width <= width + 0.01 && y[i] + boxes[i].height <= height + 0.01);
        for (let j = 0; j < i; j++)
          assert.ok(y[i] !== y[j] || x[i] >= x[j] + boxes[j].width || x[j] >= x[i] + boxes[i].width, `${i} on ${j}`);
      }
    }),
  );
  const chain = [
    { from: 0, to: 1, weight: 1 },
    { from: 1, to: 2, weight: 1 },
  ];
  const { y } = layered(
    Array.from({ length: 3 }, () => ({ width: 10, height: 10 })),
    chain,
    100,
  );
  assert.ok(y[0] < y[1] && y[1] < y[2]);
});

test('a long path loses the names that most paths share, and never its last name', () => {
  const java = (module: string, last: string) => `${module}/src/main/java/org/apache/shop/${last}`;
  const paths = [java('core', 'util'), java('support/spring-boot/starter', 'spring'), java('web', 'filter'), 'web/src'];
  assert.deepEqual(shortened(paths, 24), ['core/…/util', 'support/…/spring', 'web/…/filter', 'web/src']);
  assert.deepEqual(shortened(['src/AVeryLongNameOfOneSingleFactory.java'], 20), ['AVeryLong…tory.java']);
});

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

test('a path may break behind each folder, and inside of a name that no column holds between its words', () => {
  const parts = (path: string) => pathText(path).map((part) => (typeof part === 'string' ? part : part.values[0]));
  assert.deepEqual(parts('src/a/cart.ts'), ['src/', 'a/', 'cart.ts']);
  assert.deepEqual(parts('src/SharedSessionContractImplementor.java').slice(1), [
    ...['Shared', 'Session', 'Contract', 'Implementor', '.java'],
  ]);
});
