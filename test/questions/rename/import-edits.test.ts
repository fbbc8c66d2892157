/** Edits of import statements. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutNames } from '../../../src/questions/rename/import-edits.js';

const names = ['a', 'b'].map((name) => ({ name, alias: name }));
const without = (text: string) =>
  withoutNames(text, { kind: 'import', specifier: './x', names, at: 0, end: text.length }, new Set(['a']));

test('a name leaves the list of an import', () => {
  assert.deepEqual(without(`import { a, b } from './x';`), { start: 8, end: 14, text: ' b ' });
});

test('statements that are made to take long are left alone, since their time would grow with the square of their length', () => {
  const from = performance.now();
  for (const text of [`import { a, b${' '.repeat(300_000)}x } from './x';`, `${'import a '.repeat(50_000)}(`])
    assert.equal(without(text), null);
  assert.ok(performance.now() - from < 2_000);
});
