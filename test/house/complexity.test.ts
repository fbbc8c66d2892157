/**
 * Bounds the decisions of functions of `src` and the fleet. Both numbers may only fall: a function that a change makes
 * worse wants its table, its shared walk or its missing type. `node test/house/complexity.mjs` lists them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT } from './root.js';

interface Counted {
  path: string;
  line: number;
  name: string;
  complexity: number;
}

const { complexities, functionsOver } = (await import(new URL('test/house/complexity.mjs', ROOT).href)) as {
  complexities(path: string, text: string): Counted[];
  functionsOver(limit: number, folder: string): Counted[];
};

const MOST_OVER_20 = 0;
const MOST_OVER_15 = 28;

test('each decision counts once, for the innermost function', () => {
  const source = [
    'const plain = () => 1;',
    'function branching(a: number) {',
    '  if (a > 1 && a < 9) return a ?? 0;',
    '  for (const each of list) each.go();',
    '  switch (a) { case 1: case 2: return 1; default: return list.map((x) => (x ? 1 : 2)); }',
    '}',
    'class Cart { total() { this.sum ||= 0; while (this.more()) this.add(); } }',
  ].join('\n');
  assert.deepEqual(
    complexities('cart.ts', source).map(({ line, name, complexity }) => [line, name, complexity]),
    [
      [1, 'plain', 1],
      [2, 'branching', 7],
      [5, 'list.map', 2],
      [7, 'total', 3],
    ],
  );
});

test('functions with many decisions become fewer, never more', () => {
  const counted = ['src', 'fleet/src'].flatMap((folder) => functionsOver(15, folder));
  const shown = counted.map(({ path, line, name, complexity }) => `${complexity} ${path}:${line} ${name}`).join('\n');
  assert.ok(counted.length <= MOST_OVER_15, `${counted.length} functions over 15, at most ${MOST_OVER_15}:\n${shown}`);
  const worse = counted.filter(({ complexity }) => complexity > 20).length;
  assert.ok(worse <= MOST_OVER_20, `${worse} functions over 20, at most ${MOST_OVER_20}:\n${shown}`);
});
