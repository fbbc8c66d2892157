/** Input that was made to make linking loop, crash, guess or take for ever. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, edgeLines, graphOf, link } from './project.js';

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

test('linking files that re-export each other in circles ends and finds the definitions', () => {
  const project = {
    'a.ts': `export * from './b'; export { gone as lost } from './b';`,
    'b.ts': `export * from './c'; export * from './a'; export { lost as gone } from './a';`,
    'c.ts': `export * from './a'; export function total() {}`,
    'use.ts': `import { total, gone, lost } from './a'; export function use() { total(); gone(); lost(); }`,
  };
  assert.deepEqual(calls(project), [
    'use.ts:use -> c.ts:total (reexported)',
    'use.ts:use -> ?gone (unresolved)',
    'use.ts:use -> ?lost (unresolved)',
  ]);
});

test('a file with more lookups than are recorded is linked again after any change', () => {
  const headers = Object.fromEntries(Array.from({ length: 4_100 }, (_, i) => [`h${i}.h`, `int f${i}(int);\n`]));
  const project: Record<string, string> = {
    ...headers,
    'all.h': lines(4_100, (i) => `#include "h${i}.h"`),
    'a.c': '#include "all.h"\nint a(int x) { return f7(x) + g(x); }\n',
  };
  const before = link(project);
  const changed = { ...project, 'h4099.h': 'int g(int);\n' };
  const after = link(changed, before);
  assert.deepEqual(after, link(changed));
  assert.ok(calls(changed).includes('a.c:a -> h4099.h:g (imported)'), calls(changed).join('\n'));
});

test('linking types that inherit from each other or from themselves ends', () => {
  const project = {
    'a.ts': `import { B } from './b'; export class A extends B { one() { this.two(); this.three(); super.one(); } }`,
    'b.ts': `import { A } from './a'; export class B extends A { two() { this.one(); } } class C extends C { x() { this.y(); } }`,
  };
  assert.deepEqual(calls(project), [
    'a.ts:A.one -> b.ts:B.two (inherited)',
    'a.ts:A.one -> ?this.three (unresolved)',
    'a.ts:A.one -> ?super.one (unresolved)',
    'b.ts:B.two -> a.ts:A.one (inherited)',
    'b.ts:C.x -> ?this.y (unresolved)',
  ]);
});

test('linking types and values that are defined by themselves ends', () => {
  const project = {
    'a.ts': `type A = B; type B = A; export function f(a: A) { a.total(); }
      const x = y; const y = x; export function g() { x.total(); let z = z.next(); z.total(); }`,
  };
  for (const call of calls(project)) assert.match(call, /\((unresolved|external)\)$/, call);
});

test('names such as constructor and __proto__ are treated like other names', () => {
  const project = {
    'a.ts': `export function constructor() {} export function toString() {} export class __proto__ { hasOwnProperty() {} }
      export function use(p: __proto__) { constructor(); toString(); p.hasOwnProperty(); p.valueOf(); }`,
    'b.py': 'def __proto__():\n    constructor()\n    __proto__()\n',
  };
  assert.deepEqual(calls(project), [
    'a.ts:use -> a.ts:constructor (same-file)',
    'a.ts:use -> a.ts:toString (same-file)',
    'a.ts:use -> a.ts:__proto__.hasOwnProperty (receiver)',
    'a.ts:use -> ?p.valueOf (unresolved)',
    'b.py:__proto__ -> ?constructor (external)',
    'b.py:__proto__ -> b.py:__proto__ (same-file)',
  ]);
});

test('a file with more references than are kept links in time', () => {
  const text = `import { total } from './b'; class A { next(): A { return this; } }
    function f(a: A) {\n${lines(30_000, (i) => `total(a.next().next().x${i % 100});`)}\n}`;
  const start = process.cpuUsage().user;
  const graph = graphOf({ 'a.ts': text, 'b.ts': 'export function total() {}' });
  assert.ok(graph.edgeCount >= 20_000);
  assert.ok((process.cpuUsage().user - start) / 1e6 < 8, 'takes too long');
});

test('linking long access paths, deep nesting and thousands of parents ends', () => {
  const deep = 2_000;
  const project = {
    'chain.ts': `class A { next(): A { return this; } total() {} }
      export function f(a: A) { a${'.next()'.repeat(15)}.total(); a${'.next()'.repeat(5_000)}.total(); }`,
    'nested.ts': `${lines(300, (i) => `namespace n${i} {`)}\nfunction f() { g(); }\n${'}'.repeat(300)}`,
    'heirs.ts': `${lines(deep, (i) => `class C${i} extends C${i + 1} {}`)}\nfunction f(c: C0) { c.gone(); }`,
    'reexports.ts': lines(deep, (i) => `export { n${i + 1} as n${i} } from './reexports';`),
  };
  const lost = calls(project).filter((line) => line.includes('gone'));
  assert.deepEqual(lost, ['heirs.ts:f -> ?c.gone (unresolved)']);
  assert.ok(calls(project).includes('chain.ts:f -> chain.ts:A.total (receiver)'));
});

test('an equal name alone makes no edge', () => {
  const project = {
    'a.ts': 'export class Cart { checkoutEverything() {} }',
    'b.ts':
      'export function use(thing, other: any) { thing.checkoutEverything(); other.checkoutEverything(); checkoutEverything(); }',
    'c.py': 'def use(thing):\n    thing.checkoutEverything()\n',
  };
  for (const call of calls(project)) assert.match(call, /\((unresolved|external)\)$/, call);
});

test('a parameter hides imports and functions of its name', () => {
  const project = {
    'a.ts': `import { total } from './b'; function add() {}
      export function use(total, add) { total(); add(); }
      export function other() { total(); add(); }`,
    'b.ts': 'export function total() {}',
  };
  assert.deepEqual(calls(project), [
    'a.ts:use -> ?total (unresolved)',
    'a.ts:use -> ?add (unresolved)',
    'a.ts:other -> b.ts:total (imported)',
    'a.ts:other -> a.ts:add (same-file)',
  ]);
});

test('files without facts are nodes without edges', () => {
  const { tables } = link({
    'README.md': '# a',
    'data.json': '{"a": 1}',
    'a.ts': `import data from './data.json'; data.a();`,
  });
  assert.deepEqual(
    tables.files.map(({ path }) => path),
    ['README.md', 'a.ts', 'data.json'],
  );
  const graph = graphOf({ 'a.ts': `import './gone'; import 'left-pad';` });
  assert.deepEqual(edgeLines(graph), ['a.ts import ?./gone (unresolved)', 'a.ts import ?left-pad (external)']);
});
