/** What a change does to the imports between files, and to their circles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphVersionsOf } from '../../../src/graph/compare/correspondence.js';
import { cycleChanges, dependencyChanges } from '../../../src/graph/compare/dependency-changes.js';
import { graphOf, type LiteralGraph } from '../build.js';

const FILES: LiteralGraph['files'] = {
  'a.ts': ['useA', 'moreA'],
  'b.ts': ['one', 'two', 'three'],
  'c.ts': ['useC'],
  'd.ts': ['four'],
  'test/a.test.ts': ['checks'],
};

const versions = (before: LiteralGraph['edges'], after: LiteralGraph['edges'], accepts = (_: string) => true) =>
  graphVersionsOf(graphOf({ files: FILES, edges: before }), graphOf({ files: FILES, edges: after }), accepts);

test('dependencies are added, removed or changed, in this order, by path, those of tests last', () => {
  const before = [
    'a.ts -> b.ts',
    { from: 'a.ts:useA', to: 'b.ts:one', line: 3 },
    { from: 'a.ts:useA', to: 'b.ts:two', line: 4 },
    { from: 'c.ts', to: 'b.ts', line: 7 },
    { from: 'c.ts:useC', to: 'b.ts:one', line: 8 },
    'd.ts -> b.ts',
    'd.ts:four -> b.ts:one',
    'b.ts:one -> b.ts:two',
    { from: 'd.ts:four', to: 'a.ts:useA', tier: 'unique' as const },
  ];
  const after = [
    'a.ts -> b.ts',
    { from: 'a.ts:useA', to: 'b.ts:two', line: 4 },
    { from: 'a.ts:useA', to: 'b.ts:three', line: 5 },
    { from: 'a.ts:moreA', to: 'b.ts:one', line: 14 },
    { from: 'c.ts', to: 'd.ts', line: 9 },
    { from: 'c.ts:useC', to: 'd.ts:four', line: 10 },
    { from: 'a.ts', to: 'd.ts', line: 2 },
    { from: 'test/a.test.ts', to: 'a.ts', line: 1 },
    'd.ts -> b.ts',
    'd.ts:four -> b.ts:one',
    'b.ts:one -> b.ts:three',
  ];
  const shown = (of: ReturnType<typeof versions>) => {
    const { list, counts } = dependencyChanges(of);
    const rows = list.map(({ change, from, to, line, use, gained, lost }) =>
      `${change} ${from} ${to} ${line} ${use} +${gained} -${lost}`.trim(),
    );
    return { rows, counts };
  };
  assert.deepEqual(shown(versions(before, after)), {
    rows: [
      'added a.ts d.ts 2 import + -',
      'added c.ts d.ts 9 import +four -',
      'removed c.ts b.ts 7 import + -one',
      'changed a.ts b.ts 2 import +three -',
      'added test/a.test.ts a.ts 1 import + -',
    ],
    counts: { dependencies: { added: 3, removed: 1, changed: 1 }, uses: { added: 3, removed: 2 } },
  });
  const same = versions(before, before);
  assert.deepEqual(shown(same), {
    rows: [],
    counts: { dependencies: { added: 0, removed: 0, changed: 0 }, uses: { added: 0, removed: 0 } },
  });
  const some = shown(versions(before, after, (path) => path === 'c.ts'));
  assert.deepEqual(some.rows, ['added c.ts d.ts 9 import +four -', 'removed c.ts b.ts 7 import + -one']);
  assert.deepEqual(some.counts.uses, { added: 1, removed: 1 });
});

test('circles are added, grown, shrunk or removed, the larger first, and named by what closes them', () => {
  const circle = (...paths: string[]) => paths.map((path, i) => `${path} -> ${paths[(i + 1) % paths.length]}`);
  const shown = (before: LiteralGraph['edges'], after: LiteralGraph['edges'], accepts?: (path: string) => boolean) =>
    cycleChanges(versions(before, after, accepts)).map(
      ({ change, size, was, closedBy }) =>
        `${change} ${size} was ${was} by ${closedBy.map(({ from, to, line }) => `${from}>${to}:${line}`)}`,
    );
  const two = circle('a.ts', 'b.ts');
  assert.deepEqual(shown([], two), ['added 2 was 0 by a.ts>b.ts:2,b.ts>a.ts:2']);
  assert.deepEqual(shown(two, []), ['removed 2 was 2 by ']);
  assert.deepEqual(shown(two, two), []);
  assert.deepEqual(shown(['a.ts -> b.ts'], two), ['added 2 was 0 by b.ts>a.ts:2']);
  const three = circle('a.ts', 'b.ts', 'c.ts');
  assert.deepEqual(shown(two, [...two, 'b.ts -> c.ts', 'c.ts -> a.ts']), ['grown 3 was 2 by b.ts>c.ts:2,c.ts>a.ts:2']);
  assert.deepEqual(shown([...two, ...three], two), ['shrunk 3 was 3 by ']);
  assert.deepEqual(shown(circle('a.ts', 'b.ts'), circle('c.ts', 'd.ts')), [
    'added 2 was 0 by c.ts>d.ts:2,d.ts>c.ts:2',
    'removed 2 was 2 by ',
  ]);
  assert.deepEqual(
    shown([], two, (path) => path === 'c.ts'),
    [],
  );
  assert.equal(shown([], two, (path) => path === 'b.ts').length, 1);
});
