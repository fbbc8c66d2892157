/** The table in docs/languages.md says of newer versions what the grammars cannot read, and changes with this. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { factsOf } from '../extract/helpers.js';
import { ROOT } from '../house/root.js';
import { FEATURES } from './features.js';

/** Features that leave an error, by language. */
function unread(): Record<string, string[]> {
  const found = Object.entries(FEATURES).map(([language, features]): [string, string[]] => [
    language,
    Object.entries(features).flatMap(([name, source]) =>
      factsOf(source, language).parseErrors.length > 0 ? [name] : [],
    ),
  ]);
  return Object.fromEntries(found.filter(([, names]) => names.length > 0));
}

test('each feature that a grammar cannot read is in the table of docs/languages.md, and no other', () => {
  const rows = readFileSync(new URL('reference/prose/languages.md', ROOT), 'utf8').matchAll(
    /^\| `(\w+)` \| `[^|]+@[\d.]+` \| \d+ \| (.*) \|$/gm,
  );
  const told = [...rows].map(([, language, names]): [string, string[]] => [language, names.split('; ')]);
  assert.deepEqual(Object.fromEntries(told.filter(([, names]) => names[0] !== '')), unread());
});

test('the table names the grammars that are built, and counts the features that were tried', () => {
  const { grammars } = JSON.parse(readFileSync(new URL('grammars/manifest.json', ROOT), 'utf8'));
  const text = readFileSync(new URL('reference/prose/languages.md', ROOT), 'utf8');
  for (const [language, features] of Object.entries(FEATURES)) {
    const name = { javascript: 'JavaScript', typescript: 'TypeScript' }[language] ?? language;
    const row = `| \`${language}\` | \`${grammars[name].from}\` | ${Object.keys(features).length} |`;
    assert.ok(text.includes(row), row);
  }
});
