/** Access paths as docs/format.md specifies them: each example is read, and is what the page says. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Mark, type ParsedPath, parseAccessPath } from '../../../src/languages/roles/access-path.js';

const PAGE = readFileSync('docs/format.md', 'utf8');
const EXAMPLES = [...PAGE.matchAll(/^\| `([^`]+)` \| (none|[a-z]+) \| /gm)].map(([, text, kind]) => ({
  text: text.replaceAll('\\|', '|'),
  kind,
}));

const KINDS: Readonly<Record<string, (mark: Mark) => boolean>> = {
  call: (mark) => mark === '()',
  index: (mark) => mark === '[]',
  given: (mark) => typeof mark === 'string' && mark.startsWith('{'),
  number: (mark) => typeof mark === 'number',
  class: (mark) => typeof mark === 'object' && 'given' in mark,
  wanted: (mark) => typeof mark === 'object' && 'wanted' in mark,
  property: (mark) => typeof mark === 'object' && 'among' in mark,
  guard: (mark) => typeof mark === 'object' && 'guard' in mark,
};

/** The text of a path that has been read: nothing gets lost. */
function written({ makes, segments }: ParsedPath): string {
  const markText = (mark: Mark): string => {
    if (typeof mark === 'string') return mark;
    if (typeof mark === 'number') return `(${mark})`;
    if ('given' in mark) return `(${mark.given})`;
    if ('typed' in mark) return `(:${mark.typed.slice(1, -1)})`;
    if ('guard' in mark) return `(?${mark.guard})`;
    if ('wanted' in mark) return `(=${mark.wanted})`;
    return `(${mark.key}${mark.isLeftOut ? '!' : ''}=${mark.among.join('|')})`;
  };
  return (makes ? 'new ' : '') + segments.map(({ name, marks }) => name + marks.map(markText).join('')).join('.');
}

test('every example of an access path is read as the page says, and written again', () => {
  assert.ok(EXAMPLES.length > 20, `${EXAMPLES.length}`);
  const shown = new Set<string>();
  for (const { text, kind } of EXAMPLES) {
    const path = parseAccessPath(text);
    assert.ok(path !== null, text);
    assert.equal(written(path), text);
    const last = path.segments.at(-1)?.marks.at(-1);
    assert.equal(last === undefined ? 'none' : Object.keys(KINDS).find((one) => KINDS[one](last)), kind, text);
    shown.add(kind);
  }
  assert.deepEqual([...shown].sort(), [...Object.keys(KINDS), 'none'].sort());
});

test('a text that is no access path has no value', () => {
  for (const text of ['', 'a b', 'cart.', '.cart', 'cart(', 'cart)', 'cart?', `${'a.'.repeat(40)}a`])
    assert.equal(parseAccessPath(text), null, text);
});
