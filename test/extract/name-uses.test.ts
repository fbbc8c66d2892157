/** Names that stand alone: a local of the functions around them is no use of anything else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../languages/relations-support.js';

const mentions = (language: string, ...lines: string[]) => relationLines(lines.join('\n'), language).mentions;

test('a function inside of another sees its locals and parameters, one beside it does not', () => {
  const beside = ['6 read count @other', '6 read extra @other'];
  const kotlin = ['fun outer(count: Int): Int {', 'val extra = 2', 'fun inner(): Int { return count + extra }'];
  assert.deepEqual(mentions('kotlin', ...kotlin, '  return inner()', '}', 'fun other() = count + extra', ''), beside);
  const dart = ['int outer(int count) {', 'var extra = 2;', 'int inner() { return count + extra; }'];
  assert.deepEqual(mentions('dart', ...dart, 'return inner();', '}', 'int other() => count + extra;', ''), beside);
});

test('a local of the top of a file is one in all of its functions', () => {
  assert.deepEqual(mentions('ruby', 'total = 1', 'def add(count)', '  count', 'end', 'puts total', ''), []);
  const loop = ['for i in 0..<3 { print(i) }', 'func third() { print(i) }', ''];
  assert.deepEqual(mentions('swift', ...loop), []);
});
