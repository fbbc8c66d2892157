/** Symbols that moved, were renamed, or both, and what is told of their users that still write the former name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, type Edits } from '../../../support/in-process/changes.js';

const total = (name: string) =>
  `export function ${name}(items: number[]): number {\n  return items.reduce((sum, item) => sum + item, 0);\n}\n`;
const REST = 'export const rate = 19;\n';
const USE = "import { total } from './cart';\nexport const run = () => total([1]);\n";
const BEFORE = { 'cart.ts': `${total('total')}${REST}`, 'sums.ts': 'export const none = 0;\n', 'use.ts': USE };

/** What is told of the call of `total`, and where its definition is now. */
async function ofCall(edits: Edits): Promise<string[]> {
  const { changes } = await changed(BEFORE, edits);
  const calls = changes.dangling.list.filter(({ path, line }) => path === 'use.ts' && line === 2);
  return calls.map(({ how, now }) => [how, ...(now ? [`${now.symbol} at ${now.path}:${now.line}`] : [])].join(': '));
}

test('users of a function that is renamed, moved, both, or removed are told which of these it is, and where it is now', async () => {
  const sums = (name: string) => `${BEFORE['sums.ts']}${total(name)}`;
  assert.deepEqual(await ofCall({ 'cart.ts': `${total('sumOf')}${REST}` }), ['renamed: sumOf at cart.ts:1']);
  assert.deepEqual(await ofCall({ 'cart.ts': REST, 'sums.ts': sums('total') }), ['moved: total at sums.ts:2']);
  assert.deepEqual(await ofCall({ 'cart.ts': REST, 'sums.ts': sums('sumOf') }), ['moved: sumOf at sums.ts:2']);
  assert.deepEqual(await ofCall({ 'cart.ts': REST }), ['removed']);
});

test('Python: the same, with a method of a class', async () => {
  const cart = (name: string, method: string) =>
    `class ${name}:\n    def ${method}(self, items):\n        return sum(item.price * item.count for item in items)\n`;
  const before = { 'cart.py': cart('Cart', 'total'), 'other.py': 'RATE = 19\n' };
  const use = { 'use.py': 'from cart import Cart\n\ndef run():\n    return Cart().total([])\n' };
  const told = async (edits: Edits) => {
    const { changes } = await changed({ ...before, ...use }, edits);
    return changes.dangling.list
      .filter(({ path, line }) => path === 'use.py' && line === 4)
      .map(({ text, how, now }) => `${text} ${how}: ${now?.symbol} at ${now?.path}:${now?.line}`);
  };
  assert.deepEqual(await told({ 'cart.py': cart('Cart', 'sum_of') }), [
    'Cart().total renamed: Cart.sum_of at cart.py:2',
  ]);
  assert.deepEqual(await told({ 'cart.py': 'OLD = 1\n', 'other.py': `RATE = 19\n${cart('Basket', 'total')}` }), [
    'Cart moved: Basket at other.py:2',
    'Cart().total moved: Basket.total at other.py:3',
  ]);
});
