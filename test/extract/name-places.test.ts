/**
 * Where names stand in the files of fixtures/facts, and as what. After a change that is meant:
 * `UPDATE_FIXTURES=1 node build/test/extract/name-places.test.js`, and read the difference.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadAllRules } from '../../src/extract/extract.js';
import { bareName, namePlaces, occurrences } from '../../src/extract/name-places.js';

await loadAllRules();

const FOLDER = fileURLToPath(new URL('../../../fixtures/facts/', import.meta.url));
const LANGUAGES = [
  'typescript',
  'javascript',
  'python',
  'java',
  'go',
  'rust',
  'ruby',
  'php',
  'kotlin',
  'csharp',
  'cpp',
];
const NAMES = ['Cart', 'total', 'items', 'Item', 'open', 'shop', 'id'];

for (const language of LANGUAGES)
  test(`${language}: names stand where they stood, as what they were, when that was recorded`, () => {
    const bytes = readFileSync(`${FOLDER}${language}.txt`);
    const text = bytes.toString('utf8');
    const { places, mistakes, ranges, tops } = namePlaces(bytes, language, NAMES);
    for (const { name, start, end } of places) assert.equal(text.slice(start, end), name);
    const lines = [
      ...places.map(({ name, ...place }) => `${name} ${JSON.stringify(place)}`),
      `mistakes ${mistakes}`,
      `ranges ${JSON.stringify(ranges)}`,
      ...tops.map((top) => `top ${top.join(' ')}`),
    ];
    const kept = `${FOLDER}${language}.places`;
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(kept, `${lines.join('\n')}\n`);
    assert.deepEqual(lines, readFileSync(kept, 'utf8').trimEnd().split('\n'));
  });

test('a name is found as a whole word alone, without the signs that some languages put around it', () => {
  const found = (text: string, name: string) => occurrences(text, name).map(({ start, line }) => `${start}:${line}`);
  assert.deepEqual(found('total\nsubtotal total2 total.total\n$total', 'total'), ['0:1', '22:2', '28:2', '35:3']);
  assert.deepEqual([found('', 'total'), found('totals', 'total')], [[], []]);
  assert.deepEqual(['#secret', '$name', '@items', '@@count', '~Cart', 'total=', 'plain', 'ok?'].map(bareName), [
    ...['secret', 'name', 'items', 'count', 'Cart', 'total', 'plain', 'ok?'],
  ]);
});
