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

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: interpolations of other languages.
test('names that a string interpolates are uses, one after another and before its end', () => {
  const kotlin = ['const val left = 1', 'const val right = 2', 'fun f(own: Int) = "$left$own$right"', ''];
  assert.deepEqual(mentions('kotlin', ...kotlin), ['3 read left @f', '3 read right @f']);
  const scala = ['object A {', 'val left = 1', 'val right = 2', 'val both = s"^$left$right$$ left"', '}', ''];
  assert.deepEqual(mentions('scala', ...scala), ['4 read left @A.both', '4 read right @A.both']);
  const dart = ['var _a = 1, _b = 2;', 'var _$c = 3;', "String f() => '$_a$_b b ${_$c}';", ''];
  assert.deepEqual(mentions('dart', ...dart), ['3 read _a @f', '3 read _b @f', '3 read _$c @f']);
});

test('a shell reads and sets the variables of its file, not those that a function declares', () => {
  const lines = ['left=1', 'own=2', 'f() { local own=1 x; echo "$left ${own}"; left=3; }', 'echo "${left:-$own}"', ''];
  assert.deepEqual(mentions('bash', ...lines), [
    '3 read left @f',
    '3 write left @f',
    '4 read left @-',
    '4 read own @-',
  ]);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: end of interpolations.

test('an attribute of a module is read where it has no value behind it, unless a function has its name', () => {
  const lines = ['defmodule A do', '@left 1', '@both 2', 'def both, do: @both', 'def f, do: "#{@left}"', 'end', ''];
  assert.deepEqual(mentions('elixir', ...lines), ['5 read left @A.f']);
});

test('what a file passes on from another one gives it no names, so that words of the language are none', () => {
  const lines = ['export enum Kind { Open }', 'export const open = Kind.Open;', 'if (other) run(new Kind());'];
  for (const line of [
    "export * from './prices';",
    "export type * from './prices';",
    "export * as all from './prices';",
  ])
    assert.deepEqual(mentions('typescript', line, ...lines), ['3 read Kind @open'], line);
});
