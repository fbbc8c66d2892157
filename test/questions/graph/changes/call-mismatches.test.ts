/** Calls that do not fit a function any more: where the program ends there it is an error, where it goes on a warning. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed } from '../../../support/in-process/changes.js';

/** `app.ts:3 total too-few error` after a file was written anew. */
async function mismatches(
  file: string,
  [was, is]: [string, string],
  callers: Record<string, string>,
): Promise<string[]> {
  const { changes } = await changed({ [file]: was, ...callers }, { [file]: is });
  return changes.mismatches.list.map(
    ({ path, line, text, problem, level, detail }) =>
      `${path}:${line} ${text} ${problem} ${level}${detail.endsWith(', which runs all the same') ? ', runs' : ''}`,
  );
}

const CALL = "import { total } from './cart.js';\n\nexport const sum = () => total(1);\n";

test('a call with too few arguments is an error in TypeScript, and a warning in JavaScript, where it still runs', async () => {
  const typed: [string, string] = [
    'export function total(item: number): number {\n  return item;\n}\n',
    'export function total(item: number, rate: number): number {\n  return item * rate;\n}\n',
  ];
  const plain: [string, string] = [
    'export function total(item) {\n  return item;\n}\n',
    'export function total(item, rate) {\n  return item * rate;\n}\n',
  ];
  assert.deepEqual(await mismatches('cart.ts', typed, { 'app.ts': CALL }), ['app.ts:3 total too-few error']);
  assert.deepEqual(await mismatches('cart.js', plain, { 'app.js': CALL }), ['app.js:3 total too-few warning, runs']);
  const optional = 'export function total(item, rate = 1) {\n  return item * rate;\n}\n';
  assert.deepEqual(await mismatches('cart.js', [plain[0], optional], { 'app.js': CALL }), []);
});

test('a call with too many arguments is an error in Python, and a warning in JavaScript', async () => {
  const python: [string, string] = ['def total(item, rate):\n    return item\n', 'def total(item):\n    return item\n'];
  const caller = 'from cart import total\n\ndef pay():\n    return total(1, 2)\n';
  assert.deepEqual(await mismatches('cart.py', python, { 'app.py': caller }), ['app.py:4 total too-many error']);
  const plain: [string, string] = [
    'export function total(item, rate) {\n  return item;\n}\n',
    'export function total(item) {\n  return item;\n}\n',
  ];
  const both = CALL.replace('total(1)', 'total(1, 2)');
  assert.deepEqual(await mismatches('cart.js', plain, { 'app.js': both }), ['app.js:3 total too-many warning, runs']);
});

test('a keyword that is gone fits nothing, unless any is taken; other names in the same places fit', async () => {
  const was = 'def total(item, *, rate=1):\n    return item\n';
  const caller = 'from cart import total\n\ndef pay():\n    return total(1, rate=2)\n';
  const of = (is: string) => mismatches('cart.py', [was, is], { 'app.py': caller });
  assert.deepEqual(await of('def total(item, *, share=1):\n    return item\n'), ['app.py:4 total keyword error']);
  assert.deepEqual(await of('def total(item, **rest):\n    return item\n'), []);
  assert.deepEqual(await of('def total(goods, *, rate=1):\n    return goods\n'), []);
});
