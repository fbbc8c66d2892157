/** Reads and writes of members: found where the type of the receiver, or of the place, is known from another file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveTarget } from '../../../src/graph/query/target.js';
import { referencesOf } from '../../../src/questions/graph/references/answer.js';
import { graphOf, type Project } from './project.js';

/** `path:line kind` of all proven uses of a symbol, and of the possible ones with a question mark. */
function usesOf(project: Project, target: string): string[] {
  const graph = graphOf(project);
  const found = resolveTarget(graph, target, {});
  assert.ok('nodes' in found, `${target} is one symbol`);
  const { uses, possible } = referencesOf(graph, found.nodes, 100);
  const line = ({ path, line, kind }: { path: string; line: number; kind: string }) => `${path}:${line} ${kind}`;
  return [
    ...uses.list.filter(({ kind }) => !/import|include/.test(kind)).map(line),
    ...possible.list.map((use) => `${line(use)}?`),
  ];
}

const TYPES = `export interface Options { tax?: number; nested: Nested }
export interface Nested { deep: string }
export type Shape = Circle | Square;
export interface Circle { kind: 'circle' }
export interface Square { kind: 'square' }
export class Box<T> { constructor(readonly value: T) {} }
export function total(name: string, options?: Options): number { return options?.tax ?? 0; }
export function each(run: (options: Options) => void): void {}
export function get<T>(type: new () => T): T { return new type(); }
export class Cart { size = 0; }
`;

test('a literal in parentheses is what the arrow before it gives, and semicolons may be missing above', () => {
  const project = {
    'types.ts': TYPES,
    'use.ts': `import type { Box, Nested, Options } from './types'
export const made = (tax: number): Options => ({
  tax: 1,
  nested: { deep: 'a' }
})
export function other(): Options {
  return ({ tax: 2, nested: { deep: 'b' } })
}
export function boxed(): Box<Map<string, Array<number>> | undefined> {
  return { value: undefined }
}
const first: Options = { tax: 3, nested: { deep: 'c' } }
class Held {
  nested: Nested
  constructor(readonly key: 'nested') {
    this[key] = { deep: 'd', tax: 0 }
  }
}`,
  };
  assert.deepEqual(usesOf(project, 'Options.tax'), [
    ...['types.ts:7 read', 'use.ts:3 write', 'use.ts:7 write', 'use.ts:12 write', 'use.ts:16 write?'],
  ]);
  assert.deepEqual(
    usesOf(project, 'Nested.deep').filter((use) => !use.endsWith('?')),
    [...['use.ts:4 write', 'use.ts:7 write', 'use.ts:12 write']],
  );
  assert.ok(usesOf(project, 'Box.value').includes('use.ts:10 write'));
});

test('a key of a literal is a property of the type that its place expects', () => {
  const project = {
    'types.ts': TYPES,
    'use.ts': `import { total, type Options } from './types';
total('a', { tax: 1, nested: { deep: 'x' } });
const list: Options[] = [{ tax: 2 }, { tax: 3 }];
export function made(): Options { return { tax: 4 }; }
const other = { tax: 5 };`,
  };
  assert.deepEqual(usesOf(project, 'Options.tax'), [
    'types.ts:7 read',
    'use.ts:2 write',
    'use.ts:3 write',
    'use.ts:4 write',
    'use.ts:5 write?',
  ]);
  assert.deepEqual(usesOf(project, 'Nested.deep'), ['use.ts:2 write']);
});

test('parameters of callbacks have the types that the called function states; parts of patterns are read', () => {
  const project = {
    'types.ts': TYPES,
    'use.ts': `import { each } from './types';
each((options) => options.tax);
each(({ tax: renamed }) => renamed);`,
  };
  assert.deepEqual(usesOf(project, 'Options.tax'), ['types.ts:7 read', 'use.ts:2 read', 'use.ts:3 read']);
});

test('an attribute of an element is a property of what its component takes', () => {
  const project = {
    'types.ts': TYPES,
    'total.tsx': `import type { Options } from './types';
export function Total({ tax }: Options) { return <b>{tax}</b>; }`,
    'use.tsx': `import { Total } from './total';
export const page = <div title="x"><Total nested={{ deep: 'tax' }} tax={2} /></div>;`,
  };
  assert.deepEqual(usesOf(project, 'Options.tax'), ['total.tsx:2 read', 'types.ts:7 read', 'use.tsx:2 write']);
});

test('a property of a union is one of each of its types; arguments stand for type parameters', () => {
  const project = {
    'types.ts': TYPES,
    'use.ts': `import { Box, Cart, get, type Shape } from './types';
export function draw(shape: Shape, box: Box<Cart>) { return shape.kind + box.value.size + get(Cart).size; }`,
  };
  for (const type of ['Circle', 'Square']) assert.deepEqual(usesOf(project, `${type}.kind`), ['use.ts:2 read']);
  assert.deepEqual(usesOf(project, 'Cart.size'), ['use.ts:2 read', 'use.ts:2 read']);
});

test('a property that only some types of a union have is a possible use: another one tells which of them it is', () => {
  const project = {
    'types.ts': `export interface Circle { size: number; name: string }
export interface Square { size: number; name: string }
export interface Point { name: string }
export type Shape = Circle | Square | Point;`,
    'use.ts': `import type { Shape } from './types';
export function draw(shape: Shape) { return shape.name; }
export function grow(shape: Shape, sized: boolean) { return sized ? shape.size : 0; }`,
  };
  assert.deepEqual(usesOf(project, 'Circle.name'), ['use.ts:2 read']);
  assert.deepEqual(usesOf(project, 'Circle.size'), ['use.ts:3 read?']);
  assert.deepEqual(usesOf(project, 'Square.size'), ['use.ts:3 read?']);
});

test('members of a C enum are known by their bare names in files that include it', () => {
  const project = {
    'kind.h': 'enum kind { KIND_TEXT, KIND_NUMBER };\n',
    'use.c': '#include "kind.h"\nint is_text(enum kind k) { return k == KIND_TEXT; }\n',
  };
  assert.deepEqual(usesOf(project, 'KIND_TEXT'), ['use.c:2 read']);
});

test('of possible uses those come first whose receiver is called like the type', () => {
  const project = {
    'a.js': 'export class Cart { total = 0; }\n',
    'b.js': 'export class Order { total = 0; }\n',
    'use.js': 'export function show(thing, cart) {\n  log(thing.total);\n  log(cart.total);\n}\n',
  };
  assert.deepEqual(usesOf(project, 'Cart.total'), ['use.js:3 read?', 'use.js:2 read?']);
});
