// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of sources.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FLOW_PRAGMA, flowAsTypescript } from '../../../src/languages/ecmascript/flow.js';
import { assertSound, factsOf, symbolLines } from '../../extract/helpers.js';

/** Symbols of a script with Flow's types, without their kinds of export. */
function defines(source: string, expected: string, pragma = '// @flow\n'): void {
  const text = `${pragma}${source}`;
  const facts = factsOf(text, 'javascript');
  assert.equal(
    symbolLines(facts)
      .map((line) => line.slice(2))
      .join(', '),
    expected,
    source,
  );
  assertSound(text, facts);
}

test('flow: a definition follows each form that TypeScript lacks', () => {
  const forms = [
    'type A = {| +name: string, -age?: ?number |};',
    'type A = { ...B, +x: number, ... };',
    'type A = {[string]: Array<?B>, @@iterator(): C};',
    'type A = (?string, Array<B>) => C | D;',
    'type A = string => void;',
    'type A = <T: B = C>(T, ...Array<T>) => T;',
    'type A<+T, -U: B> = Class<*>;',
    "type A = B?.['c'];",
    'type A = interface { b: C };',
    'opaque type A = string;',
    'opaque type A: string = string;',
    'declare opaque type A: string;',
  ];
  for (const form of forms) {
    const names = symbolLines(factsOf(`// @flow\n${form}\nfunction after() {}\n`, 'javascript'));
    assert.deepEqual([names[0], names.at(-1)], ['- type A', '- function after'], form);
  }
  const statements = [
    'const a = ((b: any): C);',
    'export default (connect(a ? b : c)(d): Component<*>);',
    'for (const b: string of (c: any)) {}',
    "import typeof B from './b';\nimport {typeof C, type D} from './c';",
    "export type * from './b';",
    'declare module.exports: {| a: B |};',
    'switch (a) { case (b: any): c; case f(x): d; default: e; }',
    'const e = <T>(b: T, ...c: Array<T>): T => b;',
    'foo(async <T>(b: ?T): Promise<?T> => { await b; });',
  ];
  for (const statement of statements) {
    const names = symbolLines(factsOf(`// @flow\n${statement}\nfunction after() {}\n`, 'javascript'));
    assert.equal(names.at(-1), '- function after', statement);
  }
});

test('flow: what declares symbols declares them by their own names', () => {
  defines(
    'class A<+T> extends B<?T> { +b: T; static -c: ?D = (e: any); +#f: T; g(x: ?T): %checks { return !!x; } }',
    'class A, field A.b, field A.c, field A.#f, method A.g',
  );
  defines('declare class A extends B { static b(Array<C>): D, +e: F, (g: H): I }', 'class A, method A.b, field A.e');
  defines(
    'declare export function a(Array<B>): C;\ndeclare var d: ?E;\ndeclare export default class F {}',
    'function a, variable d, class F',
  );
  defines('enum A of string { B = "b", C = "c", ... }', 'enum A, enum-member A.B, enum-member A.C');
  defines(
    "component A(b: C, 'data-d' as d: E, ...F) renders G { return b; }\nfunction h() {}",
    'function A, function h',
  );
  defines(
    'hook useA(b: C): D { return b; }\nexport hook useE() { return 1; }\nfunction f() {}',
    'function useA, variable useE, function f',
  );
});

test('flow: what is no type stays as it is', () => {
  const sources = [
    'const a = b ? {...c, d: e} : [...f];',
    'const a = { b: {...c}, d: e ? f : g, h: (i) => j };',
    'const a = x ? (y) : (z);\nconst b = x ? f(y) : w => z;',
    "const a = <B c={d} {...e}>Isn't it: {f}?</B>;",
    'const a = /[?:{|}]/.test(b) ? c / d : `e ${f ? g : `h ${i}`} :`;',
    'label: for (;;) { if (a < b && c > (d)) break label; }',
    'class A { b = c ? d : e; f = { g: -h }; i() { return j ? -k : +l; } }',
  ];
  for (const source of sources) assert.equal(flowAsTypescript(source), source);
});

test('flow: types that both languages share stay uses', () => {
  const { relations } = factsOf(
    '// @flow\nimport type {Cart} from "./cart";\nfunction f(a: ?Cart, b: (Array<Cart>) => void) {}\ntype X = {...Cart};\n',
    'javascript',
  );
  const uses = relations.references.filter(({ name }) => name === 'Cart');
  assert.equal(uses.length, 3);
});

test('flow: types are read without a word that announces them, and JavaScript without types by its own grammar', () => {
  defines('function a(b: ?C) {}\nclass D { +e: F }', 'function a, class D, field D.e', '');
  defines('var a = function* () { yield* b }', 'function a', '');
  assert.ok(FLOW_PRAGMA.test('/**\n * @flow strict\n */'));
  assert.ok(!FLOW_PRAGMA.test('/** @noflow */'));
});

const PARTS = [
  ...'{| |} ( ) [ ] < > , ; : ? ?. ?? => = + - * ... & | % # @@ ` ${ } " \' / // /* */ \n'.split(' '),
  ...'type A opaque declare class function component hook enum of export default module.exports import typeof as is checks'.split(
    ' ',
  ),
];

test('flow: every text keeps its length and its lines', () => {
  const texts = fc.array(fc.oneof(fc.constantFrom(...PARTS), fc.constantFrom(' ', '\n', 'é', '😀')), { maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.constantFrom('', ' '), (parts, between) => {
      const text = parts.join(between);
      const written = flowAsTypescript(text);
      assert.equal(written.length, text.length);
      assert.deepEqual(
        [...written.matchAll(/[\n\r]/g)].map((m) => m.index),
        [...text.matchAll(/[\n\r]/g)].map((m) => m.index),
      );
      assert.equal(Buffer.byteLength(written) <= Buffer.byteLength(text), true);
    }),
    { numRuns: 2000 },
  );
});
