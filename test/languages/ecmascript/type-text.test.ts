/** What can be read of written types: their members, arguments and alternatives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseScriptType } from '../../../src/languages/ecmascript/types.js';

const named = (head: string, ...args: unknown[]) => ({ is: 'named', head, args });
const member = (of: unknown, index: unknown) => ({ is: 'member', of, index });
const literal = (text: string) => ({ is: 'literal', text });
const list = (element: unknown) => ({ is: 'list', element });

const READ: readonly (readonly [text: string, type: unknown])[] = [
  ["Foo<A>['b'][number]", member(member(named('Foo', named('A')), literal('b')), named('number'))],
  ['Carts[keyof Carts]', member(named('Carts'), named('keyof'))],
  ['| A | null | (B)', { is: 'several', parts: [named('A'), named('B')] }],
  ['A & B', { is: 'several', parts: [named('A'), named('B')], together: true }],
  ['readonly [id: A, b?: B]', { is: 'tuple', items: [named('A'), named('B')] }],
  ['(typeof cart.items)[]', list({ is: 'value', chain: 'cart.items' })],
  [
    '<T>({ a, b }: Props, c?: C) => void',
    { is: 'function', parameters: [named('Props'), named('C')], result: named('void') },
  ],
  [
    'T extends Box<infer U> ? U : never',
    {
      ...{ is: 'conditional', check: named('T'), pattern: named('Box', named('U')), inferred: ['U'] },
      parts: [named('U'), named('never')],
    },
  ],
  [
    '{ readonly [K in keyof Cart]?: Box<Cart[K]> }',
    { is: 'mapped', of: named('Cart'), key: 'K', value: named('Box', member(named('Cart'), named('K'))) },
  ],
  [
    '{ a: A; b?(x: X): B[]; [key: string]: C }',
    {
      is: 'object',
      members: [
        ['a', named('A')],
        ['b', { is: 'function', parameters: [named('X')], result: list(named('B')) }],
      ],
      index: named('C'),
    },
  ],
];

test('types of TypeScript are read with their structure', () => {
  for (const [text, type] of READ) assert.deepEqual(parseScriptType(text), type, text);
});

test('any text can be read, however deep its brackets are', () => {
  const part = fc.constantFrom(...'{}[]()<>?:|&A,;" '.split(''), '=>', 'keyof ', 'extends ', '/*');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
      parseScriptType(parts.join(''));
    }),
  );
  for (const nested of ['(', '[', '{a:', 'A<', 'A|(', '<'])
    assert.doesNotThrow(() => parseScriptType(nested.repeat(20_000)), nested);
});
