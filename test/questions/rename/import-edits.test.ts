/** Edits of import statements. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeLines, withoutNames, withSpace } from '../../../src/questions/rename/import-edits.js';

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

test('what is taken out leaves the same in files of each style of lines, and a byte order mark stays', () => {
  const taken = (text: string, cut: typeof withSpace) => {
    const start = text.indexOf('gone');
    const range = wholeLines(text, start, start + 'gone'.length);
    const { start: from, end } = cut(text, range);
    return text.slice(0, from) + text.slice(end);
  };
  const asIs: typeof withSpace = (_, edit) => edit;
  const cases: [string, typeof withSpace, string][] = [
    ['gone\n\nkept\n', asIs, 'kept\n'],
    ['gone;\nkept\n', asIs, 'kept\n'],
    ['kept\n\ngone\n\nlast\n', asIs, 'kept\n\nlast\n'],
    ['kept\ngone\n\nlast\n', asIs, 'kept\n\nlast\n'],
    ['kept\n\n\ngone\n', withSpace, 'kept\n'],
    ['kept\n\ngone\n\n\nlast\n', withSpace, 'kept\n\nlast\n'],
    ['kept\n\ngone', withSpace, 'kept\n'],
  ];
  const returned = (text: string) => text.replaceAll('\n', '\r\n');
  for (const [text, cut, left] of cases) {
    assert.equal(taken(text, cut), left);
    assert.equal(taken(returned(text), cut), returned(left));
    assert.equal(taken(`\uFEFF${text}`, cut), `\uFEFF${left}`);
  }
});
